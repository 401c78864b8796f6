// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: this clock ticks more slowly than the grace
#include <doorbell/flush/fixed_grace.hpp>
#include <doorbell/time/counter.hpp>

struct ticks {
    std::uint32_t operator()() const noexcept { return 0; }
};

using fine = doorbell::counter<ticks, 1>;
using coarse = doorbell::counter<ticks, 1'000'000>;

#ifdef DOORBELL_CONTROL
using subject = doorbell::fixed_grace<20'000>::state<fine, 4>;
#else
using subject = doorbell::fixed_grace<20'000>::state<coarse, 4>;
#endif

static_assert(sizeof(subject) != 0);
