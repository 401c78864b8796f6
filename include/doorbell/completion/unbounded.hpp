// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"

namespace doorbell {

namespace detail {

/// A budget that keeps nothing and answers `Answer` to every question.
template <bool Answer>
struct constant_budget {
    template <class Clock>
    struct bound {
        struct run {
            [[nodiscard]] static constexpr bool another() noexcept { return Answer; }
        };

        [[nodiscard]] static constexpr bool fits(Clock const&) noexcept { return true; }

        [[nodiscard]] static constexpr run start(Clock&, bool) noexcept { return {}; }
    };
    template <class Clock>
    static constexpr bool fits = true;
};

} // namespace detail

/// Completes the whole batch in the hard handler. No limit is a type of its own, never the value 0. [B3]
/// Cost: nothing; the clock is not read.
struct inline_all : detail::constant_budget<true> {
    static constexpr bool completes_in_hard_handler = true;
};

/// Completes nothing in the hard handler: it records the cause, reads no completion state and wakes the thread. [B1]
struct deferred_all : detail::constant_budget<false> {
    static constexpr bool completes_in_hard_handler = false;
};

} // namespace doorbell
