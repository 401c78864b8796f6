// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: this flush level lacks a member
#include <doorbell/flush/coalescer.hpp>
#include <doorbell/lock/null_lock.hpp>
#include <doorbell/time/counter.hpp>

struct ticks {
    std::uint32_t operator()() const noexcept { return 0; }
};

using fine = doorbell::counter<ticks, 1>;

struct eager {
    using family = doorbell::flush_level_family;
    static constexpr bool one_each = false;
    static constexpr bool answers_early = false;
    using grace = doorbell::no_grace;
};

struct keen : eager {
    static constexpr bool waits_for_company = false;
};

#ifdef DOORBELL_CONTROL
using subject = doorbell::flush_coalescer<fine, doorbell::null_lock, keen>;
#else
using subject = doorbell::flush_coalescer<fine, doorbell::null_lock, eager>;
#endif

static_assert(sizeof(subject) != 0);
