// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: a tick lasts NsNum / NsDen nanoseconds; neither may be 0
#include <doorbell/time/counter.hpp>

struct reader {
    std::uint32_t operator()() const noexcept { return 0; }
};

#ifdef DOORBELL_CONTROL
doorbell::counter<reader, 1000, 1> subject{};
#else
doorbell::counter<reader, 1000, 0> subject{};
#endif
