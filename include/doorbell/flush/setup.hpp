// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../lock/concepts.hpp"
#include "deferred_unsafe.hpp"
#include "generation.hpp"
#include "levels.hpp"
#include "options.hpp"

namespace doorbell::detail {

template <class O>
inline constexpr bool flush_option = of_family<
    O, flush_level_family, flush_riders_family, flush_streams_family, flush_domains_family, flush_retries_family,
    flush_error_family, failed_write_family, flush_coverage_family>;

/// What a coalescer is made of, worked out from its options.
template <class Clock, class Lock, class Options>
struct flush_setup {
    using clock = Clock;
    using rep = typename Clock::rep;
    using level = typename Options::template get<flush_level_family, riding>;
    using errors = typename Options::template get<flush_error_family, once_per_stream>;
    using failed_write = typename Options::template get<failed_write_family, failed_write_fails_flush>;

    static constexpr std::size_t riders = Options::template get<flush_riders_family, flush_riders<32>>::count;
    static constexpr std::size_t streams = Options::template get<flush_streams_family, flush_streams<16>>::count;
    static constexpr std::size_t domains = Options::template get<flush_domains_family, flush_domains<1>>::count;
    static constexpr unsigned retries = Options::template get<flush_retries_family, flush_retries<3>>::count;
    static constexpr bool covers_all = Options::template get<flush_coverage_family, flush_covers_one>::all;
    /// Device flushes that may be in flight side by side. [F2] [F6]
    static constexpr std::size_t slots = covers_all ? 1 : domains;
    static constexpr counting count = counting_beside<Lock>();
    static constexpr bool needs_time = level::answers_early or level::waits_for_company;

    static_assert(
        flush_level<level>,
        "doorbell: this flush level lacks a member; strict in flush/levels.hpp shows what it takes");
    static_assert(
        grace_policy<typename level::grace, Clock>,
        "doorbell: this is not a grace policy; fixed_grace and learned_grace are, no_grace shows what one takes");

    using grace = typename level::grace::template state<Clock, streams>;
};

} // namespace doorbell::detail
