// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../core/options.hpp"
#include "../core/tag_set.hpp"
#include "../time/concepts.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace doorbell {

/// The family of options that say how far requests share device flushes: strict, riding, grouped, deferred_unsafe.
struct flush_level_family;

/// How far requests share device flushes, and when they are answered. `one_each`: a device flush for every request.
/// `answers_early`: before it is true, for `period_ns`; such a level has to be asked for by name and by argument. [F4]
template <class L>
concept flush_level = option<L> and of_family<L, flush_level_family> and requires {
    { L::one_each } -> std::convertible_to<bool>;
    { L::answers_early } -> std::convertible_to<bool>;
    { L::waits_for_company } -> std::convertible_to<bool>;
};

/// Streams as a grace policy sees them when a flush could be handed over.
template <std::size_t Streams>
struct flush_company {
    tag_set<Streams> waiting{};  ///< streams with a request that waits
    tag_set<Streams> expected{}; ///< these, and those whose requests rode on the last two flushes
    std::size_t riders = 0;      ///< requests that wait

    /// Nobody else flushes: whoever waits waits for nobody. [F5]
    [[nodiscard]] constexpr bool lone() const noexcept { return expected.single(); }
};

/// What one domain's grace keeps and decides, in ticks of one clock. It is called with the coalescer's lock held: word
/// operations and bounded loops only. `wait` is asked once for each group of waiters, at the moment from which its
/// oldest waits for nothing but company: when it came, or when the flush before ended. [F5]
template <class State, class Clock, std::size_t Streams>
concept grace_state = requires(
    State& state, Clock const& clock, tag stream, tag_set<Streams> set, flush_company<Streams> const& who,
    typename Clock::rep now) {
    { state.requested(stream, now) } noexcept;
    { state.issued(now) } noexcept;
    { state.ended(set, now) } noexcept;
    { state.wait(clock, who, now) } noexcept -> std::same_as<typename Clock::rep>;
    { state.enough(who) } noexcept -> std::same_as<bool>;
};

/// How long a group waits for company.
template <class Grace, class Clock>
concept grace_policy = time_source<Clock> and grace_state<typename Grace::template state<Clock, 8>, Clock, 8>;

} // namespace doorbell
