// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../completion/loop.hpp"
#include "../completion/unbounded.hpp"
#include "../core/observer.hpp"
#include "../tracking/request_states.hpp"
#include "acknowledge.hpp"
#include "concepts.hpp"
#include "masking.hpp"
#include "source.hpp"

#include <concepts>
#include <cstdint>

namespace doorbell::verb {

/// Claims what finished, reading the hardware once. Requests that are left to their poller are claimed by a poll only.
/// Lock: the source's. [T1] [T4] [T8]
template <bool Poll = false, class Core, class Source>
[[nodiscard, gnu::always_inline]] constexpr inline auto
claim(Core& core, Source&, typename Source::states& requests) noexcept {
    auto const busy = [&core]() noexcept { return Source::list::busy(core.bank); };
    if constexpr (not Core::types::polling::leaves) {
        return requests.claim(busy);
    } else if constexpr (Poll) {
        auto const found = requests.claim(busy);
        requests.leave_to_anyone(found.batch);
        return found;
    } else {
        return requests.claim(busy, requests.polled());
    }
}

/// What hardware reports and nobody issued is counted, and harms nobody. [T6]
template <class Core, class Tags>
[[gnu::always_inline]] constexpr inline void note_claim(Core& core, claim_result<Tags> const& found) noexcept {
    core.observer.note(events::claim{found.batch});
    if (not found.unknown.empty()) [[unlikely]] {
        core.observer.note(events::unknown{found.unknown});
    }
}

/// Runs the callbacks of a claimed batch, without the lock, until the budget is used up. [T3]
/// The response is read after the claim, behind the DMA policy's hand-back. [R5] [T11] Where callbacks run in a bottom
/// half, they are queued for it instead. [G1]
template <class Context, class Core, class Source, class Bound>
[[nodiscard, gnu::always_inline]] constexpr inline auto
complete(Core& core, Source& source, Bound& budget, typename Source::tags batch) noexcept {
    using port = typename Source::port;
    if constexpr (Core::giveback_type::defers and std::same_as<Source, typename Core::transfer_source>) {
        return core.giveback.queue(core, budget, batch);
    } else {
        return complete_within(budget, core.clock, batch, [&core, &source](tag which) noexcept {
            core.dma.for_cpu(which);
            outcome const result = port::response(core.driver, which);
            if (not is_final(result)) [[unlikely]] {
                core.observer.note(events::lag{which});
                return false;
            }
            core.observer.note(events::callback{which, result});
            source.requests.give_back(which);
            port::template completed<Context>(core.driver, which, result);
            return true;
        });
    }
}

/// The same without a budget; returns what has no response yet.
template <class Context, class Core, class Source>
[[nodiscard, gnu::always_inline]] constexpr inline typename Source::tags
complete_all(Core& core, Source& source, typename Source::tags batch) noexcept {
    typename inline_all::template bound<typename Core::types::clock> budget;
    return complete<Context>(core, source, budget, batch).lagging;
}

/// Keeps causes for the thread and asks for it. [D2] [H2]
template <class Core>
[[gnu::noinline, gnu::cold]] constexpr irq_result record(Core& core, std::uint32_t causes) noexcept {
    core.locked([&core, causes](auto&) noexcept {
        core.interrupts.record(causes);
        if ((causes & Core::transfer_source::list::cause) != 0) {
            give_to_thread(core);
        }
    });
    core.observer.note(events::wake{});
    return irq_result::wake;
}

/// Parks what the hard handler did not finish and asks for the thread; where there is no thread, finishes it. [H1] [H2]
/// [D7]
// Two sets and not a leftover: a pair would be packed into one register on the path that has nothing to hand over.
template <class Core>
[[gnu::noinline, gnu::cold]] constexpr irq_result
hand_over(Core& core, typename Core::tags unasked, typename Core::tags lagging) noexcept {
    if (not core.interrupts.threads_available()) {
        lagging |= complete_all<hard_context>(core, core.transfers, unasked);
        unasked = {};
    }
    bool const wake = core.locked([&core, unasked, lagging](auto& requests) noexcept {
        bool const wanted = requests.park(unasked, lagging);
        if (wanted) {
            core.interrupts.want_wake();
        }
        if (not unasked.empty()) {
            give_to_thread(core);
        }
        return wanted;
    });
    if (not wake) {
        return irq_result::none;
    }
    core.observer.note(events::wake{});
    return irq_result::wake;
}

/// Keeps what has no response yet for the next look, by the thread's own account when it is the thread that keeps.
/// [T11]
template <bool InThread, class Source>
[[gnu::noinline, gnu::cold]] constexpr thread_result keep(Source& source, typename Source::tags lagging) noexcept {
    source.requests.locked([lagging](auto& requests) noexcept { (void)requests.park({}, lagging, InThread); });
    return thread_result::lagging;
}

/// Runs the callbacks that wait for the bottom half, for who may run them here; nothing where there is none.
template <class Core>
constexpr void give_back_all(Core& core) noexcept {
    if constexpr (Core::giveback_type::defers) {
        while (core.giveback.run(core).again()) {
        }
    }
}

/// Serves one source in thread context, whole: what it claims and what was left there.
template <bool InThread, class Core, class Source>
[[nodiscard, gnu::always_inline]] constexpr inline thread_result
serve_batch(Core& core, Source& source, claim_result<typename Source::tags> const& found) noexcept {
    note_claim(core, found);
    auto const lagging = complete_all<thread_context>(core, source, found.batch);
    return lagging.empty() ? thread_result::idle : keep<InThread>(source, lagging);
}

/// Task management requests, in whatever context: they are few and somebody's recovery waits for them.
template <class Context, class Core>
constexpr thread_result serve_tasks(Core& core) noexcept {
    struct looked {
        claim_result<typename Core::task_source::tags> found;
        bool idle;
    };

    auto const now = core.tasks.requests.locked([&core](auto& requests) noexcept {
        looked l{};
        l.found = core.interrupts.running()
                      ? claim(core, core.tasks, requests)
                      : claim_result<typename Core::task_source::tags>{requests.take_parked(), {}};
        l.idle = requests.outstanding().empty();
        return l;
    });
    if constexpr (Core::types::order::optimistic_order) {
        if (now.idle) {
            core.locked([&core](auto&) noexcept { core.interrupts.expect(0, Core::task_source::list::cause); });
        }
    }
    note_claim(core, now.found);
    auto const lagging = complete_all<Context>(core, core.tasks, now.found.batch);
    if (lagging.empty()) {
        return thread_result::idle;
    }
    bool const wake =
        core.tasks.requests.locked([lagging](auto& requests) noexcept { return requests.park({}, lagging); });
    core.locked([&core](auto&) noexcept { core.interrupts.keep(Core::task_source::list::cause); });
    return wake ? thread_result::more : thread_result::lagging;
}

/// Serves what was left and what has finished since, without a budget, in thread context; one snapshot per run. With
/// `Recorded` false only requests are served: a poll. [H1] [H6] [T8]
template <bool Recorded, class Core>
[[gnu::noinline]] constexpr thread_result serve_in_thread(Core& core) noexcept {
    using types = typename Core::types;
    std::uint32_t causes = 0;
    bool owned = false;
    std::uint32_t standing = 0;
    if constexpr (Recorded and not types::signal::level) {
        standing = acknowledge_standing(core);
    }
    auto const found = core.locked([&](auto& requests) noexcept {
        if constexpr (Recorded) {
            causes = core.interrupts.take_recorded();
            owned = types::masking::masks and core.interrupts.owned();
        }
        claim_result<typename Core::tags> taken{};
        if (core.interrupts.running()) [[likely]] {
            taken = claim<not Recorded>(core, core.transfers, requests);
        } else {
            taken.batch = requests.take_parked();
        }
        if constexpr (types::order::optimistic_order) {
            core.interrupts.claimed_since(not taken.batch.empty());
        }
        return taken;
    });
    if constexpr (Recorded) {
        types::routes::run_in_thread(core.driver, causes | standing);
    }
    thread_result result = serve_batch<Recorded>(core, core.transfers, found);
    if constexpr (Core::has_tasks) {
        if (not Recorded or ((causes | standing) & Core::task_source::list::cause) != 0) {
            result |= serve_tasks<thread_context>(core);
        }
    }
    if constexpr (Recorded and types::masking::masks) {
        if (owned and let_go(core)) {
            return result | thread_result::more;
        }
    }
    if (core.interrupts.wake_wanted()) {
        result |= thread_result::more;
    }
    return result;
}

} // namespace doorbell::verb
