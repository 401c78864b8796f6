// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"

#include <cstddef>

namespace doorbell {

/// Deadlines of commands that have no tag: link commands and others whose end is an interrupt cause. Each has a number
/// of the driver's, armed when it is issued and ended from the handler of its cause; whoever takes the number out, end
/// or timeout, has won it. Lock: the core's, for every member. No errors: a number that is not armed is nobody's.
template <std::size_t Count, counter_rep Rep>
class control_deadlines {
public:
    using set = tag_set<Count>;

    constexpr void arm(tag which, deadline<Rep> end) noexcept {
        ends_[which.index] = end;
        armed_.insert(which);
    }

    /// True for the one that ends it.
    [[nodiscard]] constexpr bool take(tag which) noexcept {
        if (which.index >= Count or not armed_.contains(which)) {
            return false;
        }
        armed_.erase(which);
        return true;
    }

    /// Those whose time is over. [X2]
    [[nodiscard]] constexpr set due(Rep now) const noexcept {
        set over{};
        for (tag const each : armed_) {
            if (ends_[each.index].expired(now)) {
                over.insert(each);
            }
        }
        return over;
    }

    /// Calls `wanted(deadline)` for each that is armed.
    template <class Wanted>
    constexpr void each_deadline(Wanted wanted) const noexcept {
        for (tag const each : armed_) {
            wanted(ends_[each.index]);
        }
    }

private:
    set armed_{};
    deadline<Rep> ends_[Count]{};
};

/// None.
template <counter_rep Rep>
class control_deadlines<0, Rep> {
public:
    template <class Wanted>
    static constexpr void each_deadline(Wanted) noexcept {}
};

} // namespace doorbell
