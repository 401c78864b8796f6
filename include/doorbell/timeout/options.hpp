// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "mixed.hpp"
#include "timing.hpp"
#include "uniform.hpp"

#include <cstddef>

namespace doorbell {

struct timeout_family;

/// Option of `host`: every request may take `Ticks`, in ticks of whatever `tick(now)` and `expire(now)` count with a
/// counter of type Rep; the timer may be late by `Tolerance`. `Judge` decides over what is late: abort_then_reset,
/// quarantine_until_reset, ask_driver. `Controls` commands without a tag have deadlines too. Default: no timeouts. [X1]
template <counter_rep Rep, Rep Ticks, Rep Tolerance = 0, class Judge = abort_then_reset, std::size_t Controls = 0>
struct uniform_timeouts {
    static_assert(Ticks != 0, "doorbell: a timeout of 0 is over before its request begins; 0 does not mean `no limit`");
    static_assert(
        Ticks <= deadline<Rep>::longest,
        "doorbell: this timeout is longer than 7/16 of its counter's range; count with a wider counter");

    using family = timeout_family;
    template <std::size_t Slots, class Driver>
    using state = timing<uniform_deadlines<Slots, Rep, Ticks, Tolerance>, Judge, Controls, Driver>;
};

/// Option of `host`: each request may say with `submit_within` how long it may take; one that says nothing may take
/// `Ticks`.
template <counter_rep Rep, Rep Ticks, Rep Tolerance = 0, class Judge = abort_then_reset, std::size_t Controls = 0>
struct mixed_timeouts {
    static_assert(Ticks != 0, "doorbell: a timeout of 0 is over before its request begins; 0 does not mean `no limit`");
    static_assert(
        Ticks <= deadline<Rep>::longest,
        "doorbell: this timeout is longer than 7/16 of its counter's range; count with a wider counter");

    using family = timeout_family;
    template <std::size_t Slots, class Driver>
    using state = timing<mixed_deadlines<Slots, Rep, Ticks, Tolerance>, Judge, Controls, Driver>;
};

} // namespace doorbell
