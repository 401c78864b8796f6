// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../time/counter.hpp"
#include "concepts.hpp"

namespace doorbell {

/// Waits for nobody.
struct no_grace {
    template <class Clock, std::size_t Streams>
    struct state {
        using rep = typename Clock::rep;

        constexpr void requested(tag, rep) noexcept {}

        constexpr void issued(rep) noexcept {}

        constexpr void ended(tag_set<Streams>, rep) noexcept {}

        [[nodiscard]] constexpr rep wait(Clock const&, flush_company<Streams> const&, rep) noexcept { return 0; }

        [[nodiscard]] constexpr bool enough(flush_company<Streams> const&) const noexcept { return true; }
    };
};

static_assert(grace_policy<no_grace, counter<detail::stopped_counter, 1>>);

} // namespace doorbell
