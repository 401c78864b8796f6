// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include "../time/deadline.hpp"
#include "concepts.hpp"

namespace doorbell {

/// Look at the clock after every `Completions` completions.
template <unsigned Completions>
struct every {
    static_assert(
        Completions > 0, "doorbell: a stride of 0 would never look at the clock; write inline_all for no limit");
    static constexpr unsigned completions = Completions;
};

/// Completes requests until `Nanoseconds` have passed since the batch was claimed.
/// The clock is read once when the run opens (not at all for a batch of one) and once after every stride.
/// Overshoot is at most one stride of callbacks: one callback by default. [B1]
/// Time is compared as a signed modular difference, so it is right across the wrap of the counter and a small step
/// backward ends nothing. [B3] A clock coarser than the budget is refused, never rounded up. [B2]
template <std::uint64_t Nanoseconds, class Stride = every<1>>
struct time_budget {
    static_assert(
        Nanoseconds > 0, "doorbell: a budget of 0 ns is not `no limit`; write inline_all, or deferred_all for none");

    static constexpr bool completes_in_hard_handler = true;

private:
    template <class Clock>
    static constexpr bool known_to_fit() noexcept {
        if constexpr (fixed_rate<Clock>) {
            return Clock::resolution_ns <= Nanoseconds and Clock::ticks(Nanoseconds) > 0;
        } else {
            return true;
        }
    }

    template <class Clock>
    class stride_run {
        using rep = typename Clock::rep;

    public:
        constexpr stride_run(Clock& clock, rep ticks, bool more) noexcept
            : clock_{clock}, end_{more ? deadline<rep>::after(clock.now(), ticks) : deadline<rep>{}} {}

        /// Cost: one decrement and, once per stride, one clock read and one comparison.
        [[nodiscard]] constexpr bool another() noexcept {
            if constexpr (Stride::completions > 1) {
                if (--until_look_ != 0) {
                    return true;
                }
                until_look_ = Stride::completions;
            }
            return look();
        }

        static constexpr unsigned stride = Stride::completions;

        /// The time is not over. Cost: one clock read and one comparison.
        [[nodiscard]] constexpr bool look() noexcept { return not end_.expired(clock_.now()); }

    private:
        Clock& clock_;
        deadline<rep> end_;
        unsigned until_look_ = Stride::completions;
    };

    template <class Clock>
    struct bound_fixed {
        [[nodiscard]] static constexpr bool fits(Clock const&) noexcept { return known_to_fit<Clock>(); }

        [[nodiscard]] static constexpr auto start(Clock& clock, bool more) noexcept {
            return stride_run<Clock>{clock, Clock::ticks(Nanoseconds), more};
        }
    };

    template <class Clock>
    class bound_measured {
    public:
        /// Asks the clock for its rate; called when the core starts, so that no entry converts units. [B2]
        [[nodiscard]] constexpr bool fits(Clock const& clock) noexcept {
            ticks_ = clock.ticks(Nanoseconds);
            return clock.resolution_ns() <= Nanoseconds and ticks_ > 0;
        }

        [[nodiscard]] constexpr auto start(Clock& clock, bool more) noexcept {
            return stride_run<Clock>{clock, ticks_, more};
        }

    private:
        typename Clock::rep ticks_ = 0;
    };

    template <class Clock>
    struct choose {
        using type = bound_measured<Clock>;
    };

    template <fixed_rate Clock>
    struct choose<Clock> {
        using type = bound_fixed<Clock>;
    };

public:
    template <class Clock>
    static constexpr bool fits = known_to_fit<Clock>();

    template <class Clock>
    using bound = typename choose<Clock>::type;
};

} // namespace doorbell
