// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"
#include "no_grace.hpp"

namespace doorbell {

/// One device flush for every request, one after the other, and nothing shared. Only where the cache is known to be
/// written through is none sent. Ordering and durability: those of the device.
struct strict {
    using family = flush_level_family;
    static constexpr bool one_each = true;
    static constexpr bool answers_early = false;
    static constexpr bool waits_for_company = false;
    using grace = no_grace;
};

/// The default. A request that comes while a flush is in flight, and after which nothing was written since that flush
/// was handed over, is answered with it; the others share the next one. As durable as strict: a success means that all
/// that was complete when the request was made is on the medium. [F1]
struct riding {
    using family = flush_level_family;
    static constexpr bool one_each = false;
    static constexpr bool answers_early = false;
    static constexpr bool waits_for_company = false;
    using grace = no_grace;
};

/// Riding, and before a flush is handed over its requests wait for company, as long as `Grace` says: fixed_grace,
/// learned_grace. As durable as riding; a request may take longer by the grace. [F5]
template <class Grace>
struct grouped {
    using family = flush_level_family;
    static constexpr bool one_each = false;
    static constexpr bool answers_early = false;
    static constexpr bool waits_for_company = true;
    using grace = Grace;
};

static_assert(flush_level<strict> and flush_level<riding>);

} // namespace doorbell
