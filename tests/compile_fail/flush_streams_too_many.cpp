// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: at most 256 streams
#include <doorbell/core/wide_tag_set.hpp>
#include <doorbell/flush/coalescer.hpp>
#include <doorbell/lock/null_lock.hpp>
#include <doorbell/time/counter.hpp>

struct ticks {
    std::uint32_t operator()() const noexcept { return 0; }
};

using fine = doorbell::counter<ticks, 1>;

#ifdef DOORBELL_CONTROL
using subject = doorbell::flush_coalescer<fine, doorbell::null_lock, doorbell::flush_streams<256>>;
#else
using subject = doorbell::flush_coalescer<fine, doorbell::null_lock, doorbell::flush_streams<257>>;
#endif

static_assert(sizeof(subject) != 0);
