// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "results.hpp"

#include <cstddef>

namespace doorbell {

struct flush_riders_family;
struct flush_streams_family;
struct flush_domains_family;
struct flush_retries_family;
struct flush_error_family;
struct failed_write_family;
struct flush_coverage_family;

/// Option of flush_coalescer: how many requests may wait at a time. Default: 32.
template <std::size_t Count>
struct flush_riders {
    static_assert(Count > 0, "doorbell: a coalescer without riders answers nobody; give flush_riders a count");
    using family = flush_riders_family;
    static constexpr std::size_t count = Count;
};

/// Option of flush_coalescer: how many streams may be open at a time. A stream is one party that asks for flushes and
/// is told of errors: a file system, a file, a queue. Default: 16.
template <std::size_t Count>
struct flush_streams {
    static_assert(Count > 0, "doorbell: requests come from streams; give flush_streams a count");
    using family = flush_streams_family;
    static constexpr std::size_t count = Count;
};

/// Option of flush_coalescer: how many namespaces or logical units the device has. Default: 1. [F6]
template <std::size_t Count>
struct flush_domains {
    static_assert(Count > 0, "doorbell: a device without a domain holds no data; give flush_domains a count");
    using family = flush_domains_family;
    static constexpr std::size_t count = Count;
};

/// Option of flush_coalescer: how often a device flush is repeated whose status proves that it was not executed. Each
/// repetition is handed to the caller at once; a device that wants a pause gets it from him. Default: 3. [F3]
template <unsigned Count>
struct flush_retries {
    using family = flush_retries_family;
    static constexpr unsigned count = Count;
};

/// Option of flush_coalescer, the default: each stream that was open when something failed gets one error, with its
/// requests that wait or else with its next one; a stream that opens later gets it if nobody had it yet. After that,
/// success speaks of later writes only. [F3]
struct once_per_stream {
    using family = flush_error_family;
    static constexpr bool poisons = false;
};

/// Option of flush_coalescer: after a failure every request fails at once, and `poisoned` says so to those who submit
/// writes, until `start_over`. [F3]
struct poisoned_until_reset {
    using family = flush_error_family;
    static constexpr bool poisons = true;
};

/// Option of flush_coalescer, the default: a write that fails also fails the next flush of each stream. [F8]
struct failed_write_fails_flush {
    using family = failed_write_family;
    static constexpr bool fails_flush = true;
};

/// Option of flush_coalescer: whoever wrote was told, and that is enough. A failed write counts as a write all the
/// same.
struct failed_write_is_told {
    using family = failed_write_family;
    static constexpr bool fails_flush = false;
};

/// Option of flush_coalescer, the default: a device flush covers the domain it is sent to, and no other. [F6]
struct flush_covers_one {
    using family = flush_coverage_family;
    static constexpr bool all = false;
};

/// Option of flush_coalescer: the device declares that a flush covers every domain. Then one is in flight for all of
/// them, each domain's writes are looked at before it is handed over, and its failure is the failure of all. [F6]
struct flush_covers_all {
    using family = flush_coverage_family;
    static constexpr bool all = true;
};

} // namespace doorbell
