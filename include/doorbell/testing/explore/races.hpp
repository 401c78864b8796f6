// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"
#include "path.hpp"

#include <cstddef>
#include <cstdint>

namespace doorbell::testing::explore::detail {

/// Finds, for a step, the earlier steps that could have come after it, and asks at their states for somebody to go
/// first who leads there: dynamic partial order reduction over source sets. A step that is blocked at the end counts as
/// well: it may have been possible once.
class race_finder {
public:
    explicit race_finder(path& steps) noexcept : steps_{steps} {}

    /// A step of `context` after the first `size` steps. `clock` is what comes before it, `blocks` whether it can be
    /// held up.
    __attribute__((no_sanitize("thread"))) void
    find(unsigned context, footprint const& touches, order_clock const& clock, bool blocks, std::size_t size) {
        state const* const steps = steps_.data();
        state const* const own = steps_.last_of(context, size);
        order_clock const past = own != nullptr ? own->clock : order_clock{};
        order_clock covered{};
        for (std::size_t j = size; j-- > 0;) {
            state const& first = steps[j];
            if (first.who == context or first.precedes(past) or first.precedes(covered) or
                not racing(first.touches, touches)) {
                continue;
            }
            if (reverse(j, context, clock, blocks, size)) {
                covered.join(first.clock);
            }
        }
    }

private:
    /// Asks for the order in which `context` comes before step `j`. True when that order certainly exists: then races
    /// with what comes before `j` show up on the way there.
    __attribute__((no_sanitize("thread"))) bool
    reverse(std::size_t j, unsigned context, order_clock const& clock, bool blocks, std::size_t size) {
        state* const steps = steps_.data();
        state& at = steps[j];
        // The steps after `j` that do not come after it could go before it: of each context the first one's number.
        std::uint32_t first_number[most_contexts]{};
        context_set between = 0;
        context_set initials = 0;
        bool disturbed = false;
        for (std::size_t k = j + 1; k < size; ++k) {
            state const& step = steps[k];
            if (at.precedes(step.clock)) {
                continue;
            }
            if ((between & only(step.who)) == 0) {
                bool follows = false;
                for (unsigned other = 0; other < most_contexts; ++other) {
                    follows =
                        follows or ((between & only(other)) != 0 and step.clock.after(other, first_number[other]));
                }
                initials |= follows ? 0U : only(step.who);
                between |= only(step.who);
                first_number[step.who] = step.number;
            }
            disturbed = disturbed or step.precedes(clock);
        }
        bool const possible = (at.enabled & only(context)) != 0;
        if (not disturbed) {
            if (not possible) {
                return false; // nothing on the way there would have let it go
            }
            initials |= only(context);
        }
        if ((initials & (at.wanted | at.done | at.asleep)) == 0) {
            context_set const can = initials & at.enabled;
            context_set const one_of_them = (can & only(context)) != 0 ? only(context) : can & (~can + 1);
            at.wanted |= can == 0 ? at.enabled : one_of_them;
        }
        return not disturbed or not blocks;
    }

    path& steps_;
};

} // namespace doorbell::testing::explore::detail
