// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: flush_coalescer does not know this option
#include <doorbell/flush/coalescer.hpp>
#include <doorbell/lock/null_lock.hpp>
#include <doorbell/time/counter.hpp>

struct ticks {
    std::uint32_t operator()() const noexcept { return 0; }
};

using fine = doorbell::counter<ticks, 1>;

struct colours;

struct red {
    using family = colours;
};

#ifdef DOORBELL_CONTROL
using subject = doorbell::flush_coalescer<fine, doorbell::null_lock, doorbell::riding>;
#else
using subject = doorbell::flush_coalescer<fine, doorbell::null_lock, red>;
#endif

static_assert(sizeof(subject) != 0);
