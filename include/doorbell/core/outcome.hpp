// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace doorbell {

/// How a request ended. Values up to 0xFF are the controller's own status words and pass through unchanged, named here
/// or not; the verdicts of the library start at 0x100, where no hardware can write them.
enum class outcome : std::uint32_t {
    success = 0,
    /// Hardware has not written the response yet: not an end (UFS writes this "invalid" code into a fresh descriptor;
    /// controllers with another sign for it map theirs here).
    not_written = 0x0F,
    /// Taken back by its submitter, and hardware has let go of it.
    aborted = 0x100,
    /// Its deadline passed, and hardware has let go of it.
    timed_out,
    /// Ended by a reset of the controller.
    reset,
    /// The controller vanished from the bus.
    controller_gone,
};

/// The request has ended. Any context, no lock, no errors, one comparison.
[[nodiscard]] constexpr bool is_final(outcome o) noexcept {
    return o != outcome::not_written;
}

/// The controller wrote this status itself; it is not the library's verdict, and not missing. Any context, no lock.
[[nodiscard]] constexpr bool from_hardware(outcome o) noexcept {
    return static_cast<std::uint32_t>(o) <= 0xFFU and is_final(o);
}

} // namespace doorbell
