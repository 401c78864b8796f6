// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: this is not a grace policy
#include <doorbell/flush/coalescer.hpp>
#include <doorbell/flush/fixed_grace.hpp>
#include <doorbell/lock/null_lock.hpp>
#include <doorbell/time/counter.hpp>

struct ticks {
    std::uint32_t operator()() const noexcept { return 0; }
};

using fine = doorbell::counter<ticks, 1>;

struct patience {
    template <class Clock, std::size_t Streams>
    struct state {};
};

#ifdef DOORBELL_CONTROL
using subject = doorbell::flush_coalescer<fine, doorbell::null_lock, doorbell::grouped<doorbell::fixed_grace<1'000>>>;
#else
using subject = doorbell::flush_coalescer<fine, doorbell::null_lock, doorbell::grouped<patience>>;
#endif

static_assert(sizeof(subject) != 0);
