// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "concepts.hpp"

namespace doorbell {

/// What a run did not finish: `unasked` was never looked at, `lagging` has no response yet. [H1] [T11]
template <class Tags>
struct leftover {
    // A register each: packed into one, taking them apart would cost a shift on the path that leaves nothing.
    alignas(Tags) alignas(std::uintptr_t) Tags unasked{};
    alignas(Tags) alignas(std::uintptr_t) Tags lagging{};

    [[nodiscard]] constexpr bool empty() const noexcept { return (unasked | lagging).empty(); }
};

namespace detail {

/// A set of one word whose tags lie in at most two windows of the run's stride. Then at most two looks are enough
/// without counting: at most a stride of completions lies between them.
template <class Run, class Tags>
concept looks_between_windows = strided_run<Run> and (Run::stride > 1) and requires {
    typename Tags::word;
    requires Tags::capacity <= 2 * std::size_t{Run::stride};
};

/// The tags of `batch`, which is not empty, in the window of `width` places that begins with the lowest of them.
template <unsigned Width, class Tags>
[[nodiscard]] constexpr Tags first_window(Tags batch) noexcept {
    if constexpr (Width >= Tags::capacity) {
        return batch;
    } else {
        using word = typename Tags::word;
        return Tags{static_cast<word>(batch.raw() & (((word{1} << Width) - 1) << batch.front().index))};
    }
}

/// Completes the lowest tag of `batch` and takes it out; notes in `lagging` when it has no response yet.
// The tag is taken out after its callback: what the removal leaves in the flags then tells whether there is another.
template <class Tags, class Complete>
[[gnu::always_inline]] constexpr inline void complete_front(Tags& batch, Tags& lagging, Complete& complete) noexcept {
    auto const current = batch.front();
    if (not complete(current)) [[unlikely]] {
        lagging.insert(current);
    }
    batch.pop_front();
}

} // namespace detail

/// Completes a claimed batch in ascending order of tags until the budget is used up, and returns the rest as state
/// for its owner to keep: nothing is asked of the hardware again.
///
/// `complete(tag)` runs one callback and returns false when the response is not written yet. At least one request is
/// asked, at most those of the batch: what arrives meanwhile belongs to the next run. [B1] [H6]
/// Contexts: any. Lock: none may be held. [T3] Cost: grows with the number of finished requests, not with the number
/// of slots [B4]; a batch of one reads no clock.
template <class Bound, time_source Clock, class Tags, class Complete>
    requires bound_budget<Bound, Clock>
[[nodiscard, gnu::always_inline]] constexpr inline leftover<Tags>
complete_within(Bound& budget, Clock& clock, Tags batch, Complete complete) noexcept {
    leftover<Tags> rest{};
    if (batch.empty()) {
        return rest;
    }
    Tags others = batch;
    others.pop_front();
    bool const more = not others.empty();
    auto run = budget.start(clock, more);
    if constexpr (detail::looks_between_windows<decltype(run), Tags>) {
        Tags window = more ? detail::first_window<run.stride>(batch) : batch;
        for (;;) {
            batch -= window;
            do {
                detail::complete_front(window, rest.lagging, complete);
            } while (not window.empty());
            if (batch.empty() or not run.look()) {
                break;
            }
            window = batch; // the second of two
        }
    } else {
        for (;;) {
            detail::complete_front(batch, rest.lagging, complete);
            if (batch.empty()) {
                break;
            }
            if (not run.another()) {
                break;
            }
        }
    }
    rest.unasked = batch;
    return rest;
}

} // namespace doorbell
