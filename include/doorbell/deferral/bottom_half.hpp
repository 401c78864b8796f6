// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../completion/concepts.hpp"
#include "../completion/unbounded.hpp"
#include "../core/results.hpp"
#include "../lock/locked.hpp"
#include "../time/concepts.hpp"
#include "concepts.hpp"
#include "queues.hpp"

#include <concepts>

namespace doorbell {

/// What became of a batch that was queued.
struct queued_result {
    bool schedule = false; ///< see that `run` is called: this is the only time that it is said
    unsigned refused = 0;  ///< items that were queued already, or had no endpoint, or came after close()
};

namespace detail {

/// One run over the queues: `section(f)` runs f with the lock held, `give(item)` is called without it.
template <class Bound, class Clock, class Section, class Give>
constexpr thread_result
run_bottom_half(giveback_queues& queues, Bound& budget, Clock& clock, Section section, Give give) noexcept {
    struct first_item {
        deferred_item* item;
        bool more;
        bool mine;
    };

    auto const first = section([&queues]() noexcept {
        bool const mine = queues.begin();
        bool const more = queues.left() > 1;
        return first_item{mine ? queues.next(true) : nullptr, more, mine};
    });
    if (not first.mine) {
        return thread_result::idle;
    }
    auto run = budget.start(clock, first.more);
    deferred_item* item = first.item;
    bool within = true;
    while (item != nullptr) {
        give(*item);
        within = within and first.more and run.another();
        item = section([&queues, within]() noexcept { return queues.next(within); });
    }
    return section([&queues]() noexcept { return queues.end(); }) ? thread_result::more : thread_result::idle;
}

} // namespace detail

/// Runs completions later and elsewhere: a hard handler queues what has finished, a thread, a task or the main loop
/// calls the callbacks.
///
/// Callbacks run outside of every lock, in the order of their endpoint, high priority first; low priority gets at least
/// one per run. A run takes what is queued when it begins, as much as the budget allows, and no more: a producer that
/// never stops does not keep it. Intrusive: bounded by the requests that exist, no heap. [G1] [G2]
/// Contexts: `queue` wherever the lock may be taken; `run` where callbacks may run; the questions anywhere. One lock
/// section per batch that is queued, one per callback and two more per run.
template <deferrable Item, lock_policy Lock, class Budget, time_source Clock>
    requires budget_policy<Budget, Clock>
class bottom_half {
    static_assert(
        Budget::completes_in_hard_handler,
        "doorbell: a bottom half that gives back nothing never ends; write inline_all for no budget");
    static_assert(
        budget_fits<Budget, Clock>,
        "doorbell: this time source is coarser than the time budget; choose a finer clock or a count_budget");

public:
    constexpr explicit bottom_half(Lock lock = {}, Clock clock = {}) noexcept : lock_{lock}, clock_{clock} {}

    /// The clock is fine enough for the budget; asked once, before the first run. [B2]
    [[nodiscard]] constexpr bool fits() noexcept { return budget_.fits(clock_); }

    /// Queues the completions of one batch, in its order. What was queued already stays where it is; after `close` all
    /// are refused and stay the caller's. Cost: one lock section, a few stores per item. [G1]
    template <completed_batch<Item> Batch>
    constexpr queued_result queue(Batch const& batch) noexcept {
        return locked(lock_, [this, &batch]() noexcept {
            queued_result result{};
            for (Item& each : batch) {
                result.refused += closed_ or not queues_.push(each) ? 1U : 0U;
            }
            result.schedule = queues_.schedule();
            return result;
        });
    }

    constexpr queued_result queue(Item& item) noexcept {
        return locked(lock_, [this, &item]() noexcept {
            unsigned const refused = closed_ or not queues_.push(item) ? 1U : 0U;
            return queued_result{queues_.schedule(), refused};
        });
    }

    /// Gives back one batch, within the budget. `again()`: something is left, schedule another run. While one is under
    /// way a second does nothing. [G2]
    template <gives_back<Item> Give>
    constexpr thread_result run(Give give) noexcept {
        return detail::run_bottom_half(
            queues_, budget_, clock_, [this](auto section) noexcept { return locked(lock_, section); },
            [&give](deferred_item& item) noexcept { give(static_cast<Item&>(item)); });
    }

    /// Whether a completion is still to come; changes nothing: what is queued runs once, with its real status. [G3]
    [[nodiscard]] constexpr unlink_status unlink(Item const& item) noexcept {
        return locked(lock_, [this, &item]() noexcept { return queues_.unlink(item); });
    }

    /// Where an endpoint's completions stand: "nothing is queued" is not "nothing runs". [G4]
    [[nodiscard]] constexpr endpoint_activity activity(endpoint const& of) noexcept {
        return locked(lock_, [this, &of]() noexcept { return queues_.activity(of); });
    }

    /// A callback of this endpoint is running now. [G4]
    [[nodiscard]] constexpr bool completing(endpoint const& of) noexcept {
        return activity(of) == endpoint_activity::completing;
    }

    /// Nothing is queued; a callback may still run. [G4]
    [[nodiscard]] constexpr bool empty() noexcept {
        return locked(lock_, [this]() noexcept { return queues_.empty(); });
    }

    /// Gives back what is queued and waits for a callback that runs elsewhere, until `done()`; `pause()` is called
    /// between two looks. Context: one in which callbacks may run, and not a callback.
    template <gives_back<Item> Give, class Pause>
    constexpr void drain(endpoint const& of, Give give, Pause pause) noexcept {
        wait([this, &of]() noexcept { return activity(of) == endpoint_activity::quiet; }, give, pause);
    }

    template <gives_back<Item> Give, class Pause>
    constexpr void drain(Give give, Pause pause) noexcept {
        wait([this]() noexcept { return locked(lock_, [this]() noexcept { return queues_.quiet(); }); }, give, pause);
    }

    /// Refuses what comes, gives back what is there, and returns when no callback runs any more. Context: as `drain`.
    template <gives_back<Item> Give, class Pause>
    constexpr void close(Give give, Pause pause) noexcept {
        locked(lock_, [this]() noexcept { closed_ = true; });
        drain(give, pause);
    }

    /// Accepts again.
    constexpr void open() noexcept {
        locked(lock_, [this]() noexcept { closed_ = false; });
    }

private:
    template <class Done, class Give, class Pause>
    constexpr void wait(Done done, Give& give, Pause& pause) noexcept {
        while (not done()) {
            if (not run(give).again() and not done()) {
                pause();
            }
        }
    }

    giveback_queues queues_{};
    bool closed_ = false;
    [[no_unique_address]] Lock lock_{};
    [[no_unique_address]] Clock clock_{};
    [[no_unique_address]] typename Budget::template bound<Clock> budget_{};
};

} // namespace doorbell
