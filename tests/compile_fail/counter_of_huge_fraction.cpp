// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: NsNum * NsDen does not fit 64 bits; reduce the fraction
#include <doorbell/time/counter.hpp>

struct reader {
    std::uint32_t operator()() const noexcept { return 0; }
};

#ifdef DOORBELL_CONTROL
doorbell::counter<reader, 10, 24> subject{};
#else
doorbell::counter<reader, 10'000'000'000, 24'000'000'000> subject{};
#endif
