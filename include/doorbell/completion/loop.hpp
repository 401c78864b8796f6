// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"

namespace doorbell {

/// What a run did not finish: `unasked` was never looked at, `lagging` has no response yet. [H1] [T11]
template <class Tags>
struct leftover {
    Tags unasked{};
    Tags lagging{};

    [[nodiscard]] constexpr bool empty() const noexcept { return (unasked | lagging).empty(); }
};

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
    auto current = batch.front();
    batch.pop_front();
    auto run = budget.start(clock, not batch.empty());
    for (;;) {
        if (not complete(current)) [[unlikely]] {
            rest.lagging.insert(current);
        }
        if (batch.empty() or not run.another()) {
            break;
        }
        current = batch.front();
        batch.pop_front();
    }
    rest.unasked = batch;
    return rest;
}

} // namespace doorbell
