// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../time/concepts.hpp"

#include <cstdint>

namespace doorbell::detail {

/// Ticks of a clock of either kind in `ns`, rounded down.
template <class Clock>
    requires fixed_rate<Clock> or measured_rate<Clock>
[[nodiscard]] constexpr typename Clock::rep ticks_of([[maybe_unused]] Clock const& clock, std::uint64_t ns) noexcept {
    if constexpr (fixed_rate<Clock>) {
        return Clock::ticks(ns);
    } else {
        return clock.ticks(ns);
    }
}

/// False when it is known while compiling that a tick is longer than `ns`.
template <class Clock>
[[nodiscard]] consteval bool tick_fits(std::uint64_t ns) noexcept {
    if constexpr (fixed_rate<Clock>) {
        return Clock::resolution_ns <= ns;
    } else {
        return true;
    }
}

} // namespace doorbell::detail
