// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "masking.hpp"

#include "../core/results.hpp"

#include <cstdint>

namespace doorbell::verb {

// Questions and wishes that are one section of the core's lock. Contexts: any.

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

/// Whether a thread can run, and what waits for one already: its wake may have been asked of nobody. A mask that was
/// held for a thread is lifted where there is none, since nobody would lift it. [D7] [H1] [H2] [H4]
template <class Core>
[[nodiscard]] constexpr thread_result set_threads(Core& core, bool available) noexcept {
    return core.locked([&core, available](auto& requests) noexcept {
        core.interrupts.set_threads_available(available);
        if constexpr (Core::types::masking::masks) {
            if (not available and core.interrupts.owned()) {
                unmask(core);
            }
        }
        if (core.interrupts.wake_wanted() or core.interrupts.anything_recorded() or requests.waiting()) {
            return thread_result::more;
        }
        return requests.parked().empty() ? thread_result::idle : thread_result::lagging;
    });
}

} // namespace doorbell::verb
