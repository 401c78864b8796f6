// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include "../completion/loop.hpp"
#include "../completion/unbounded.hpp"
#include "../core/observer.hpp"
#include "collaborators.hpp"
#include "concepts.hpp"

namespace doorbell::verb {

/// Claims what finished, in one lock section, reading the hardware once inside it. [T1] [T4]
template <class Core>
[[nodiscard, gnu::always_inline]] constexpr inline auto claim(Core& core, typename Core::states& requests) noexcept {
    return requests.claim([&core]() noexcept { return Core::controller::busy(core.bank); });
}

/// What hardware reports and nobody issued is counted, and harms nobody. [T6]
template <class Core>
constexpr void note_claim(Core& core, claim_result<typename Core::tags> const& found) noexcept {
    core.observer.note(events::claim{found.batch});
    if (not found.unknown.empty()) [[unlikely]] {
        core.observer.note(events::unknown{found.unknown});
    }
}

/// Runs the callbacks of a claimed batch, without the lock, until the budget is used up. [T3]
/// The response is read after the claim, behind the DMA policy's hand-back. [R5] [T11]
template <class Context, class Core, class Bound>
[[nodiscard, gnu::always_inline]] constexpr inline auto
complete(Core& core, Bound& budget, typename Core::tags batch) noexcept {
    return complete_within(budget, core.clock, batch, [&core](tag which) noexcept {
        core.dma.for_cpu(which);
        outcome const result = core.driver.response(which);
        if (not is_final(result)) [[unlikely]] {
            core.observer.note(events::lag{which});
            return false;
        }
        core.observer.note(events::callback{which, result});
        core.driver.completed(claimed<Context>{which}, result);
        return true;
    });
}

/// The same without a budget.
template <class Context, class Core>
[[nodiscard, gnu::always_inline]] constexpr inline auto complete_all(Core& core, typename Core::tags batch) noexcept {
    typename inline_all::template bound<typename Core::types::clock> budget;
    return complete<Context>(core, budget, batch);
}

/// Keeps causes for the thread and asks for it. [D2] [H2]
template <class Core>
[[gnu::noinline, gnu::cold]] constexpr irq_result record(Core& core, std::uint32_t causes) noexcept {
    core.requests.locked([&core, causes](auto&) noexcept { core.interrupts.record(causes); });
    core.observer.note(events::wake{});
    return irq_result::wake;
}

/// Parks what the hard handler did not finish and asks for the thread; where there is no thread, finishes it. [H1] [H2]
/// [D7]
template <class Core>
[[gnu::noinline, gnu::cold]] constexpr irq_result hand_over(Core& core, leftover<typename Core::tags> rest) noexcept {
    if (not core.interrupts.threads_available()) {
        auto const late = complete_all<hard_context>(core, rest.unasked);
        rest = {{}, rest.lagging | late.lagging};
    }
    bool const wake = core.requests.locked([&core, rest](auto& requests) noexcept {
        bool const wanted = requests.park(rest.unasked, rest.lagging);
        if (wanted) {
            core.interrupts.want_wake();
        }
        return wanted;
    });
    if (not wake) {
        return irq_result::none;
    }
    core.observer.note(events::wake{});
    return irq_result::wake;
}

/// Transfers that finished, seen from the hard handler. Under `deferred_all` nothing is looked at: the cause is
/// recorded and the thread woken. [B1]
template <class Core>
[[nodiscard, gnu::always_inline]] constexpr inline irq_result transfers_in_hard_handler(Core& core) noexcept {
    using types = typename Core::types;
    if constexpr (not types::budget::completes_in_hard_handler) {
        if constexpr (completes_in<typename types::driver, hard_context>) {
            if (not core.interrupts.threads_available()) [[unlikely]] {
                auto const found = core.requests.locked([&core](auto& s) noexcept { return claim(core, s); });
                note_claim(core, found);
                return hand_over(core, {found.batch, {}});
            }
        }
        return record(core, Core::controller::transfer);
    } else {
        auto const found = core.requests.locked([&core](auto& s) noexcept { return claim(core, s); });
        note_claim(core, found);
        auto const rest = complete<hard_context>(core, core.budget, found.batch);
        return rest.empty() ? irq_result::none : hand_over(core, rest);
    }
}

/// Serves recorded causes, the leftover and what has finished since, without a budget, in thread context.
/// With `Recorded` false only requests are served: a poll. [H1] [H6]
template <bool Recorded, class Core>
[[gnu::noinline]] constexpr thread_result serve_in_thread(Core& core) noexcept {
    struct taken {
        std::uint32_t causes;
        claim_result<typename Core::tags> found;
    };

    auto const now = core.requests.locked([&core](auto& requests) noexcept {
        taken t{};
        if constexpr (Recorded) {
            t.causes = core.interrupts.take_recorded();
        }
        if (core.interrupts.running()) {
            t.found = claim(core, requests);
        } else {
            t.found.batch = requests.take_parked();
        }
        return t;
    });
    note_claim(core, now.found);
    if constexpr (Recorded) {
        Core::types::routes::run_deferred(core.driver, now.causes);
    }
    auto const rest = complete_all<thread_context>(core, now.found.batch);
    thread_result result = thread_result::idle;
    if (not rest.lagging.empty()) [[unlikely]] {
        (void)core.requests.park({}, rest.lagging);
        result |= thread_result::lagging;
    }
    if (core.interrupts.wake_wanted()) {
        result |= thread_result::more;
    }
    return result;
}

} // namespace doorbell::verb
