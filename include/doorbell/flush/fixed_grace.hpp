// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../time/counter.hpp"
#include "concepts.hpp"
#include "ticks.hpp"

#include <limits>

namespace doorbell {

/// A grace of `Ns` nanoseconds, which ends early when `Count` requests wait. It begins with the oldest waiter, or when
/// the flush that kept him waiting ended; later ones do not extend it, and a lone stream waits for nobody. [F5]
template <std::uint64_t Ns, std::size_t Count = std::numeric_limits<std::size_t>::max()>
struct fixed_grace {
    static_assert(Ns > 0, "doorbell: a grace of 0 is no grace; write riding instead of grouped");
    static_assert(Count > 1, "doorbell: a group of one needs no grace; write riding instead of grouped");

    template <class Clock, std::size_t Streams>
    struct state {
        static_assert(
            detail::tick_fits<Clock>(Ns), "doorbell: this clock ticks more slowly than the grace; give the coalescer a "
                                          "finer clock or a longer grace");
        using rep = typename Clock::rep;

        constexpr void requested(tag, rep) noexcept {}

        constexpr void issued(rep) noexcept {}

        constexpr void ended(tag_set<Streams>, rep) noexcept {}

        [[nodiscard]] constexpr rep
        wait(Clock const& clock, flush_company<Streams> const& who, [[maybe_unused]] rep now) noexcept {
            return who.lone() ? rep{0} : detail::ticks_of(clock, Ns);
        }

        [[nodiscard]] constexpr bool enough(flush_company<Streams> const& who) const noexcept {
            return who.riders >= Count;
        }
    };
};

static_assert(grace_policy<fixed_grace<1000>, counter<detail::stopped_counter, 1>>);

} // namespace doorbell
