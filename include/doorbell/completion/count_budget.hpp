// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"

namespace doorbell {

/// Completes at most `Count` requests per entry of the hard handler; the clock is not read.
/// It is also what ends a run when a clock stands still. [B1] [B3]
template <unsigned Count>
struct count_budget {
    static_assert(Count > 0, "doorbell: a count of 0 is not `no limit`; write inline_all, or deferred_all for none");

    static constexpr bool completes_in_hard_handler = true;

    template <class Clock>
    static constexpr bool fits = true;

    template <class Clock>
    struct bound {
        class run {
        public:
            /// Cost: one decrement. Asked only after a completion, so one is always made.
            [[nodiscard]] constexpr bool another() noexcept { return --left_ != 0; }

        private:
            unsigned left_ = Count;
        };

        [[nodiscard]] static constexpr bool fits(Clock const&) noexcept { return true; }

        [[nodiscard]] static constexpr run start(Clock&, bool) noexcept { return {}; }
    };
};

} // namespace doorbell
