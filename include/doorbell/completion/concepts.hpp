// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>

#include "../time/concepts.hpp"

namespace doorbell {

/// One entry's use of a budget: asked after each completion while work is left. Any context, no lock.
template <class Run>
concept budget_run = requires(Run& run) {
    { run.another() } noexcept -> std::same_as<bool>;
};

/// A run that knows how many completions it wants between two looks: `look()` is `another()` for who has counted them,
/// or needs no counting because he knows that there were no more than `stride`.
template <class Run>
concept strided_run = budget_run<Run> and requires(Run& run) {
    { Run::stride } -> std::convertible_to<unsigned>;
    { run.look() } noexcept -> std::same_as<bool>;
};

/// What a budget keeps per core for one clock: `fits` tells whether the clock is fine enough, `start` opens a run.
/// `start` is told whether more than one completion waits, so that a batch of one reads no clock.
template <class Bound, class Clock>
concept bound_budget = requires(Bound& bound, Clock& clock) {
    { bound.fits(clock) } noexcept -> std::same_as<bool>;
    { bound.start(clock, true) } noexcept -> budget_run;
};

/// How much of a batch one entry of the hard handler completes before it hands the rest to the thread.
/// `completes_in_hard_handler` false means: none, always wake the thread, do not even look. [B1]
/// The concept is shallow on purpose: whether a clock is fine enough is a sentence of its own in `host`.
template <class Policy, class Clock>
concept budget_policy = time_source<Clock> and requires {
    { Policy::completes_in_hard_handler } -> std::convertible_to<bool>;
    requires bound_budget<typename Policy::template bound<Clock>, Clock>;
};

/// False when it is known while compiling that `Clock` is coarser than the budget. [B2]
template <class Policy, class Clock>
concept budget_fits = budget_policy<Policy, Clock> and Policy::template fits<Clock>;

} // namespace doorbell
