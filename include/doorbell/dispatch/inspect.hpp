// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace doorbell::verb {

// Questions and wishes that are one section of the core's lock and touch no register. Contexts: any.

/// What the hardware holds.
template <class Core>
[[nodiscard]] constexpr typename Core::tags outstanding(Core& core) noexcept {
    return core.locked([](auto& requests) noexcept { return requests.outstanding(); });
}

/// What is claimed and waits for the thread, or for its response. [H1]
template <class Core>
[[nodiscard]] constexpr typename Core::tags leftover(Core& core) noexcept {
    return core.locked([](auto& requests) noexcept { return requests.parked(); });
}

/// What is withheld until hardware cannot write it. [T5]
template <class Core>
[[nodiscard]] constexpr typename Core::tags quarantined(Core& core) noexcept {
    return core.locked([](auto& requests) noexcept { return requests.quarantined(); });
}

/// Causes that a command in flight is going to raise, and no longer. [D1a]
template <class Core>
constexpr void expect(Core& core, std::uint32_t add, std::uint32_t remove) noexcept {
    core.locked([&core, add, remove](auto&) noexcept { core.interrupts.expect(add, remove); });
}

/// Whether a thread can run. [D7]
template <class Core>
constexpr void set_threads(Core& core, bool available) noexcept {
    core.locked([&core, available](auto&) noexcept { core.interrupts.set_threads_available(available); });
}

} // namespace doorbell::verb
