// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <compare>

namespace doorbell {

/// The number of a slot, ring entry or command identifier, as its own type so that it is not taken for a count or a
/// mask. Any context; costs what an unsigned costs.
struct tag {
    unsigned index = 0;

    friend constexpr bool operator==(tag, tag) noexcept = default;
    friend constexpr auto operator<=>(tag, tag) noexcept = default;
};

} // namespace doorbell
