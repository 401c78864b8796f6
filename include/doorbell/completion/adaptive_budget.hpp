// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../time/deadline.hpp"
#include "concepts.hpp"

#include <cstdint>

namespace doorbell {

namespace detail {

/// What a core has learned about the cost of its completions, in ticks. Integers only.
class completion_cost {
public:
    /// Before anything is known a completion is taken for dear: as long as that is believed, each is looked after.
    constexpr explicit completion_cost(std::uint64_t budget) noexcept : of_eight_{budget * 4 / 5} {}

    /// How many completions may follow before the next look when `left` ticks are left: 8, 4, 2, 1 or none.
    // Costs that are exponential are as uneven as independent costs get in practice. Of those, three strides in ten
    // thousand take longer than 8.1, 10.6, 14.6 or 21.4 mean costs; what is above that is for the error of the learned
    // mean, which chance moves up more than down.
    [[nodiscard]] constexpr unsigned stride(std::uint64_t left) const noexcept {
        std::uint64_t const eighths = left * 8;
        if (eighths >= of_eight_ * 22) {
            return 8;
        }
        if (eighths >= of_eight_ * 15) {
            return 4;
        }
        if (eighths >= of_eight_ * 11) {
            return 2;
        }
        return eighths >= of_eight_ * 9 ? 1 : 0;
    }

    /// `completions`, a power of two up to 8, took `ticks`.
    // The mean follows slowly, and more slowly down than up, so that chance moves it little. What is dearer than twice
    // the mean is taken for a new cost at once: half of it suffices, since a stride is given more than twice its mean.
    constexpr void learn(unsigned completions, std::uint64_t ticks) noexcept {
        std::uint64_t const seen = ticks * (8U / completions);
        if (seen > of_eight_) {
            of_eight_ += (seen - of_eight_ + 7) / 8;
            of_eight_ = of_eight_ < seen / 2 ? seen / 2 : of_eight_;
        } else {
            of_eight_ -= (of_eight_ - seen) / 16;
        }
    }

    [[nodiscard]] constexpr std::uint64_t of_eight() const noexcept { return of_eight_; }

private:
    std::uint64_t of_eight_;
};

} // namespace detail

/// Completes requests until about `Nanoseconds` have passed, and learns from run to run what a completion costs: it
/// looks at the clock after 1, 2, 4 or 8 completions, as many as fit, and stops while there is time rather than after
/// it. Cheap completions cost one look for eight of them. Overshoot is at most the completions since the last look: 8
/// or fewer. With costs that vary by chance alone and are at most a twentieth of the budget in the mean, 99.9 % of the
/// runs stay within the budget; when the cost rises tenfold, one run may overshoot. [B1] It leaves more to the thread
/// than a time_budget does: what might not fit is not begun. A run that fits into one stride is not measured, so
/// nothing is learned from batches that are always that small. [B2] [B3]
template <std::uint64_t Nanoseconds>
struct adaptive_budget {
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
    class learning_run {
        using rep = typename Clock::rep;

    public:
        constexpr learning_run(Clock& clock, detail::completion_cost& cost, rep ticks, bool more) noexcept
            : clock_{clock}, cost_{cost}, ticks_{ticks} {
            if (more) {
                last_ = clock_.now();
                end_ = deadline<rep>::after(last_, ticks);
                begin(ticks);
            }
        }

        /// Cost: one decrement and, once per stride, one clock read and a few multiplications by constants.
        [[nodiscard]] constexpr bool another() noexcept { return --left_ != 0 or look(); }

    private:
        [[nodiscard]] constexpr bool look() noexcept {
            rep const now = clock_.now();
            auto const passed = static_cast<rep>(now - last_);
            last_ = now;
            // A clock that stepped back says nothing; and what is longer than the budget is no more to be learned from.
            if (passed <= longest_distance<rep>) {
                cost_.learn(stride_, passed < ticks_ ? passed : ticks_);
            }
            rep const remaining = end_.remaining(now);
            return remaining != 0 and begin(remaining);
        }

        constexpr bool begin(rep remaining) noexcept {
            unsigned const next = cost_.stride(remaining);
            stride_ = next == 0 ? 1 : next;
            left_ = stride_;
            return next != 0;
        }

        Clock& clock_;
        detail::completion_cost& cost_;
        rep ticks_;
        rep last_{};
        deadline<rep> end_{};
        unsigned stride_ = 1;
        unsigned left_ = 1;
    };

public:
    template <class Clock>
    static constexpr bool fits = known_to_fit<Clock>();

    /// What is kept per core: the learned cost, and the budget in the clock's ticks. Context: the hard handler alone.
    template <class Clock>
    class bound {
    public:
        /// Asks the clock for its rate, and forgets what was learned. [B2]
        [[nodiscard]] constexpr bool fits(Clock const& clock) noexcept {
            ticks_ = clock.ticks(Nanoseconds);
            cost_ = detail::completion_cost{ticks_};
            return resolution_ns_of(clock) <= Nanoseconds and ticks_ > 0;
        }

        [[nodiscard]] constexpr auto start(Clock& clock, bool more) noexcept {
            return learning_run<Clock>{clock, cost_, ticks_, more};
        }

        /// What a completion costs, as far as it is known, in ticks. Context: the hard handler, or while none runs.
        [[nodiscard]] constexpr std::uint64_t learned() const noexcept { return cost_.of_eight() / 8; }

    private:
        static constexpr typename Clock::rep ticks_at_first() noexcept {
            if constexpr (fixed_rate<Clock>) {
                return Clock::ticks(Nanoseconds);
            } else {
                return 0;
            }
        }

        typename Clock::rep ticks_ = ticks_at_first();
        detail::completion_cost cost_{ticks_at_first()};
    };
};

} // namespace doorbell
