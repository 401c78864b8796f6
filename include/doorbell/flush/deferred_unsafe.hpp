// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "levels.hpp"

#include <cstdint>

namespace doorbell {

/// **Loses acknowledged data.** Requests are answered at once, and the device flush is handed over up to `PeriodNs`
/// nanoseconds later. A power cut or a reset loses what was acknowledged within `loss_window`, and ordering with it: of
/// two writes with a "successful" flush between them the later one may survive alone, which is what journals are built
/// to rule out. For data that can be made again. A failure of the late flush is told to the next request of each
/// stream, the next barrier, or stop; by then the caller has long gone on. [F4]
///
/// The period begins with the first request that was answered early, and nothing extends it. A barrier, stop and
/// suspend hand the flush over at once; a barrier waits for it.
template <std::uint64_t PeriodNs>
struct deferred_unsafe {
    static_assert(PeriodNs > 0, "doorbell: a period of 0 defers nothing; use riding");
    using family = flush_level_family;
    static constexpr bool one_each = false;
    static constexpr bool answers_early = true;
    static constexpr bool waits_for_company = false;
    static constexpr std::uint64_t period_ns = PeriodNs;
    using grace = no_grace;
};

/// The argument without which a coalescer that loses acknowledged data is not made. [F4]
struct i_accept_the_loss_of_acknowledged_writes {};

static_assert(flush_level<deferred_unsafe<1'000'000'000>>);

} // namespace doorbell
