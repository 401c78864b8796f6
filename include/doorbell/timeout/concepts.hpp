// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../core/tag_set.hpp"
#include "../time/deadline.hpp"

#include <concepts>
#include <cstddef>

namespace doorbell {

/// Needed for deadlines: `arm_timer(at)` makes the one timer of this core fire at `at`, in the ticks that the caller of
/// `tick` and `expire` counts; armed already, it is moved. What fires has `expire(now)` called in thread context.
/// Called rarely, with the core's lock held: it writes a timer and calls nothing of the core. [X1]
template <class D, class Rep>
concept arms_timer = requires(D& d, deadline<Rep> at) {
    { d.arm_timer(at) } noexcept;
};

/// Needed for control commands with a deadline: tells that one of them was not ended in time. Thread context, no lock.
template <class D>
concept hears_of_control = requires(D& d, unsigned which) {
    { d.control_timed_out(which) } noexcept;
};

/// What one step of a walk over the deadlines found; a walk is done in steps, so that no lock is held for long. [T4]
template <class Tags>
struct walk_step {
    Tags due{};        ///< their time is over, and they are still there
    bool done = false; ///< the walk has come to its end
};

/// The deadlines of one source's tags, as plain data behind the source's lock. `limit_type` is what a submission may
/// say about its own. `shut`, `ready` and `note` are the hot path: whether a deadline can be kept without touching the
/// timer, and keeping it. `link` is the rare way, and tells whether the timer has to be armed. `begin` and `step` are a
/// walk, `rearm` its end. [X1]
template <class T>
concept deadline_set = requires(
    T& set, T const& view, typename T::tags tags, typename T::rep now, typename T::limit_type limit,
    typename T::walk& walk) {
    requires counter_rep<typename T::rep>;
    { view.template shut<typename T::tags>() } noexcept -> std::same_as<typename T::tags>;
    { view.ready(tags, limit) } noexcept -> std::same_as<bool>;
    { set.note(tags, limit) } noexcept;
    { set.link(tags, limit) } noexcept -> std::same_as<bool>;
    { set.tick(now) } noexcept;
    { set.begin(tags) } noexcept -> std::same_as<typename T::walk>;
    { set.step(tags, now, walk) } noexcept -> std::same_as<walk_step<typename T::tags>>;
    { set.rearm(walk) } noexcept -> std::same_as<bool>;
    { set.want(deadline<typename T::rep>{now}) } noexcept -> std::same_as<bool>;
    { T::longer(now) } noexcept -> std::same_as<typename T::limit_type>;
    { view.now() } noexcept -> std::same_as<typename T::rep>;
    { view.timer_at() } noexcept -> std::same_as<deadline<typename T::rep>>;
};

} // namespace doorbell
