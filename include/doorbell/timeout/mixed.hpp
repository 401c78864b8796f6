// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"
#include "lazy_timer.hpp"

#include <cstddef>
#include <cstdint>

namespace doorbell {

/// How long one request may take, in ticks. 0 is over at the next look; more than 7/16 of the counter's range is cut to
/// that. "No limit" is not a number of ticks: a core without deadlines has none. [B3]
template <counter_rep Rep>
struct within {
    Rep ticks;
};

/// Deadlines of requests that each may take their own time. A submission stores when its time is over, one store; a
/// completion does nothing; the timer walks the outstanding words, once around, in steps. [X1]
/// Lock: that of the source, for every member. A step looks at no more than `stride` tags. [T4]
template <std::size_t Slots, counter_rep Rep, Rep Ticks, Rep Tolerance>
class mixed_deadlines {
public:
    using tags = tag_set<Slots>;
    using rep = Rep;

    /// What a submission says; a request that says nothing gets `Ticks`.
    struct limit_type : within<Rep> {
        constexpr limit_type() noexcept : within<Rep>{Ticks} {}

        constexpr limit_type(within<Rep> own) noexcept : within<Rep>{own} {} // NOLINT(google-explicit-constructor)
    };

    static constexpr unsigned stride = 8;

    /// The tags that were there when the walk began and were not looked at yet, and the earliest that is to come.
    struct walk {
        tags left{};
        deadline<Rep> earliest{};
        bool any = false;
    };

    [[nodiscard]] static constexpr limit_type longer(Rep ticks) noexcept { return within<Rep>{ticks}; }

    template <class = tags>
    [[nodiscard, gnu::always_inline]] static constexpr tags shut() noexcept {
        return {};
    }

    /// The timer fires early enough for it. Cost: three loads, an addition and two tests. [X1]
    [[nodiscard, gnu::always_inline]] constexpr bool ready(tags, limit_type limit = {}) const noexcept {
        return timer_.covers(ending(limit));
    }

    /// The request begins. Cost: one load, an addition and one store. [X1]
    [[gnu::always_inline]] constexpr void note(tag which, limit_type limit = {}) noexcept {
        ends_[which.index] = ending(limit);
    }

    [[gnu::always_inline]] constexpr void note(tags set, limit_type limit = {}) noexcept {
        for (tag const each : set) {
            ends_[each.index] = ending(limit);
        }
    }

    /// Notes and tells whether the timer has to be armed.
    [[nodiscard]] constexpr bool link(tags set, limit_type limit = {}) noexcept {
        note(set, limit);
        return timer_.want(ending(limit));
    }

    constexpr void tick(Rep now) noexcept { now_ = now; }

    /// The timer came by: a snapshot of who may be judged. [X4]
    [[nodiscard]] constexpr walk begin(tags live) noexcept {
        timer_.fired();
        return {live, {}, false};
    }

    /// Looks at the next few of the snapshot that may still be judged; bit and deadline are looked at in the section
    /// that judges. Who was submitted since has armed the timer for himself. [X4]
    [[nodiscard]] constexpr walk_step<tags> step(tags live, Rep now, walk& w) noexcept {
        walk_step<tags> found{};
        w.left &= live;
        for (unsigned looked = 0; looked < stride and not w.left.empty(); ++looked) {
            tag const which = w.left.front();
            w.left.pop_front();
            deadline<Rep> const end = ends_[which.index];
            if (end.expired(now)) {
                found.due.insert(which);
            } else if (not w.any or end.remaining(now) < w.earliest.remaining(now)) {
                w.earliest = end;
                w.any = true;
            }
        }
        found.done = w.left.empty();
        return found;
    }

    /// The end of a walk: true when the timer has to come by for somebody it has seen.
    [[nodiscard]] constexpr bool rearm(walk const& w) noexcept { return w.any and timer_.want(w.earliest); }

    /// The same timer for a deadline that is kept elsewhere; true when it has to be armed.
    [[nodiscard]] constexpr bool want(deadline<Rep> other) noexcept { return timer_.want(other); }

    /// The time as it was last told.
    [[nodiscard]] constexpr Rep now() const noexcept { return now_; }

    [[nodiscard]] constexpr deadline<Rep> timer_at() const noexcept { return timer_.at(); }

    [[nodiscard]] constexpr lazy_timer<Rep, Tolerance> const& timer() const noexcept { return timer_; }

    /// When the time of a tag's latest request is over.
    [[nodiscard]] constexpr deadline<Rep> ending_of(tag which) const noexcept { return ends_[which.index]; }

private:
    [[nodiscard, gnu::always_inline]] constexpr deadline<Rep> ending(limit_type limit) const noexcept {
        return deadline<Rep>::after(now_, limit.ticks);
    }

    Rep now_ = 0;
    lazy_timer<Rep, Tolerance> timer_{};
    deadline<Rep> ends_[Slots]{};
};

static_assert(deadline_set<mixed_deadlines<32, std::uint32_t, 30'000, 0>>);

} // namespace doorbell
