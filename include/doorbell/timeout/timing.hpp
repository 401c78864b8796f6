// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "control.hpp"
#include "verdict.hpp"

#include "../dispatch/concepts.hpp"

#include <concepts>
#include <cstddef>

namespace doorbell {

/// What a submission says about its time when it also tells what the time is.
template <class Limit, counter_rep Rep>
struct said_at {
    Limit limit;
    Rep now;
};

/// The deadlines of one core: those of its transfers, those of its control commands, and the timer of both. What
/// `submit` asks is the hot path; the rest is rare. Lock: the core's, for every member. [X1] [X3]
template <deadline_set Deadlines, class Judge, std::size_t Controls, class Driver>
class timing : public Deadlines {
    using rep_type = typename Deadlines::rep;

    static_assert(
        arms_timer<Driver, rep_type>,
        "doorbell: timeouts need the driver's `void arm_timer(deadline<Rep>) noexcept`, which makes a timer call "
        "expire(now) in a thread at that moment");
    static_assert(
        not std::same_as<Judge, abort_then_reset> or ends_on_device<Driver>,
        "doorbell: abort_then_reset needs the driver's `bool end_on_device(tag) noexcept`; write one, or "
        "quarantine_until_reset");
    static_assert(
        not std::same_as<Judge, ask_driver> or judges_timeouts<Driver, rep_type>,
        "doorbell: ask_driver needs the driver's `timeout_verdict<Rep> timed_out(tag) noexcept`");
    static_assert(
        Controls == 0 or hears_of_control<Driver>,
        "doorbell: control commands with deadlines need the driver's `void control_timed_out(unsigned) noexcept`");

public:
    using judge = Judge;
    using tags = typename Deadlines::tags;
    using limit_type = typename Deadlines::limit_type;
    using said = said_at<limit_type, rep_type>;

    static constexpr bool keeps = true;
    static constexpr std::size_t controls = Controls;

    using Deadlines::note;
    using Deadlines::ready;
    using Deadlines::shut;

    /// The same for a submission that tells the time: everybody after it knows it too.
    [[nodiscard, gnu::always_inline]] constexpr bool ready(tags set, said const& s) noexcept {
        this->tick(s.now);
        return Deadlines::ready(set, s.limit);
    }

    template <class TagOrSet>
    [[gnu::always_inline]] constexpr void note(TagOrSet which, said const& s) noexcept {
        Deadlines::note(which, s.limit);
    }

    /// The rare way of a submission: keeps the deadline and arms the timer where that is needed.
    constexpr void admit(Driver& driver, tags set, limit_type limit = {}) noexcept {
        if (this->link(set, limit)) {
            driver.arm_timer(this->timer_at());
        }
    }

    constexpr void admit(Driver& driver, tags set, said const& s) noexcept {
        this->tick(s.now);
        admit(driver, set, s.limit);
    }

    /// The end of a walk, or of a time in which nothing was judged.
    constexpr void rearm(Driver& driver, typename Deadlines::walk const& w) noexcept {
        bool arm = Deadlines::rearm(w);
        commands.each_deadline([this, &arm](deadline<rep_type> each) noexcept { arm |= this->want(each); });
        if (arm) {
            driver.arm_timer(this->timer_at());
        }
    }

    /// After a stop, a reset or a gate: whoever is still there gets his timer back.
    constexpr void resume(Driver& driver, tags live) noexcept {
        auto w = this->begin(live);
        if constexpr (requires { w.any; }) {
            for (tag const each : live) {
                auto const end = this->ending_of(each);
                if (not w.any or end.remaining(this->now()) < w.earliest.remaining(this->now())) {
                    w.earliest = end;
                    w.any = true;
                }
            }
        }
        rearm(driver, w);
    }

    [[no_unique_address]] control_deadlines<Controls, rep_type> commands{};
};

} // namespace doorbell
