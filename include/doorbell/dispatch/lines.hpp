// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../core/results.hpp"

namespace doorbell {

struct line_family;
struct acknowledge_family;

/// Option of `host`: other devices may raise this line. An interrupt without a cause of ours is not mine. The default.
/// [D5]
struct shared_line {
    using family = line_family;
    static constexpr irq_result without_cause = irq_result::none;
};

/// Option of `host`: the line is ours alone. An interrupt without a cause is counted and handled, so that an operating
/// system's spurious accounting does not switch the line off. [D5]
struct sole_line {
    using family = line_family;
    static constexpr irq_result without_cause = irq_result::mine;
};

/// Option of `host`: acknowledge only causes that are enabled. A masked cause stays latched for whoever polls it. The
/// default. [D1]
struct acknowledge_enabled {
    using family = acknowledge_family;
    static constexpr bool whole_snapshot = false;
};

/// Option of `host`: acknowledge every cause that was read, masked ones too, as Linux's UFS driver does. Whoever polls
/// a masked cause loses it. [D1]
struct acknowledge_snapshot {
    using family = acknowledge_family;
    static constexpr bool whole_snapshot = true;
};

} // namespace doorbell
