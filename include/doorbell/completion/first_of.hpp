// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"

namespace doorbell {

/// Ends a run when the first of several budgets is used up. [B1]
/// Policies are asked from left to right and only while none has said no: put the cheap one first.
template <class... Policies>
struct first_of {
    static_assert(sizeof...(Policies) > 1, "doorbell: first_of combines budgets; write the single budget itself");
    static_assert(
        (Policies::completes_in_hard_handler and ...),
        "doorbell: deferred_all completes nothing, so it cannot be combined; write deferred_all alone");

    static constexpr bool completes_in_hard_handler = true;

    template <class Clock>
    static constexpr bool fits = (Policies::template fits<Clock> and ...);

private:
    template <class... Runs>
    struct all_runs : Runs... {
        [[nodiscard]] constexpr bool another() noexcept { return (Runs::another() and ...); }
    };

public:
    template <class Clock>
    class bound : Policies::template bound<Clock>... {
    public:
        /// Asks every part, so that each learns the clock's rate.
        [[nodiscard]] constexpr bool fits(Clock const& clock) noexcept {
            return (Policies::template bound<Clock>::fits(clock) & ...);
        }

        [[nodiscard]] constexpr auto start(Clock& clock, bool more) noexcept {
            return all_runs<decltype(Policies::template bound<Clock>::start(clock, more))...>{
                Policies::template bound<Clock>::start(clock, more)...};
        }
    };
};

} // namespace doorbell
