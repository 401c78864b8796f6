// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../completion/loop.hpp"
#include "../core/context.hpp"
#include "../core/observer.hpp"
#include "../core/outcome.hpp"
#include "../core/tag_set.hpp"
#include "bottom_half.hpp"

#include <concepts>
#include <cstddef>

namespace doorbell {

/// Needed for `in_bottom_half`: see that `run_bottom_half` is called in thread context, soon. Contexts: those of the
/// hard handler and of the thread, without the lock.
template <class D>
concept schedules_giveback = requires(D& d) {
    { d.schedule_giveback() } noexcept;
};

/// Optional: the endpoint of a tag, whose completions keep their order and which has a priority. Called by whoever won
/// the tag, without the lock. Without it all tags share one endpoint of low priority.
template <class D>
concept has_endpoints = requires(D& d, tag t) {
    { d.endpoint_of(t) } noexcept -> std::same_as<endpoint&>;
};

/// The completions of one core on their way to its bottom half: one item per tag, so the queue is never full. The
/// core's lock guards the queues; a tag stays in use until its callback begins. [G1]
template <std::size_t Slots, class Driver, class Clock, class Budget>
class giveback_later {
    static_assert(
        schedules_giveback<Driver>,
        "doorbell: in_bottom_half needs the driver's `void schedule_giveback() noexcept`, which makes a thread or the "
        "main loop call run_bottom_half()");
    static_assert(
        Budget::completes_in_hard_handler,
        "doorbell: a bottom half that gives back nothing never ends; write inline_all for no budget");
    static_assert(
        budget_fits<Budget, Clock>,
        "doorbell: this time source is coarser than the bottom half's budget; choose a finer clock or a count_budget");

public:
    using tags = tag_set<Slots>;

    static constexpr bool defers = true;

    constexpr giveback_later() noexcept = default;

    [[nodiscard]] constexpr bool fits(Clock const& clock) noexcept { return budget_.fits(clock); }

    /// In place of the callbacks of a claimed batch: reads the responses, keeps them, and queues the batch in one lock
    /// section. What has no response yet lags, as ever. [G1] [T11]
    template <class Core, class Bound>
    [[nodiscard]] constexpr leftover<tags> queue(Core& core, Bound& budget, tags batch) noexcept {
        using port = typename Core::transfer_source::port;
        tags done{};
        auto const rest = complete_within(budget, core.clock, batch, [this, &core, &done](tag which) noexcept {
            core.dma.for_cpu(which);
            outcome const result = port::response(core.driver, which);
            if (not is_final(result)) {
                core.observer.note(events::lag{which});
                return false;
            }
            keep(core.driver, which, result);
            done.insert(which);
            return true;
        });
        if (not done.empty() and core.locked([this, done](auto&) noexcept { return push(done); })) {
            core.driver.schedule_giveback();
        }
        return rest;
    }

    /// One batch of callbacks, in thread context, outside of the lock. [G1] [G2] [T3]
    template <class Core>
    [[nodiscard]] constexpr thread_result run(Core& core) noexcept {
        using port = typename Core::transfer_source::port;
        return detail::run_bottom_half(
            queues_, budget_, core.clock,
            [&core](auto section) noexcept {
                return core.locked([section](auto&) mutable noexcept { return section(); });
            },
            [this, &core](deferred_item& item) noexcept {
                kept const& one = static_cast<kept const&>(item);
                tag const which{static_cast<unsigned>(&one - kept_)};
                outcome const result = one.result;
                core.observer.note(events::callback{which, result});
                core.transfers.requests.give_back(which);
                port::template completed<thread_context>(core.driver, which, result);
            });
    }

    /// No callback waits and none runs. Lock: the core's. [G4]
    [[nodiscard]] constexpr bool quiet() const noexcept { return queues_.quiet(); }

    /// Lock: the core's. [G4]
    [[nodiscard]] constexpr endpoint_activity activity(endpoint const& of) const noexcept {
        return queues_.activity(of);
    }

private:
    struct kept : deferred_item {
        outcome result = outcome::not_written;
    };

    constexpr void keep(Driver& driver, tag which, outcome result) noexcept {
        kept_[which.index].result = result;
        if constexpr (has_endpoints<Driver>) {
            kept_[which.index].belong_to(driver.endpoint_of(which));
        } else {
            kept_[which.index].belong_to(sole_);
        }
    }

    [[nodiscard]] constexpr bool push(tags done) noexcept {
        for (tag const each : done) {
            (void)queues_.push(kept_[each.index]); // a tag in use is not claimed twice
        }
        return queues_.schedule();
    }

    kept kept_[Slots]{};
    endpoint sole_{};
    giveback_queues queues_{};
    [[no_unique_address]] typename Budget::template bound<Clock> budget_{};
};

struct giveback_family;

/// Option of `host`: callbacks of transfers run in a bottom half, `Budget` of them at a time. Default: where they are
/// found. A request that is aborted, timed out or reset has its callback where that is established, in thread context.
template <class Budget>
struct in_bottom_half {
    using family = giveback_family;
    static constexpr bool defers = true;
    template <std::size_t Slots, class Driver, class Clock>
    using state = giveback_later<Slots, Driver, Clock, Budget>;
};

} // namespace doorbell
