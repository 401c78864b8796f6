// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: a tick of 0 ns is no clock; give manual_clock the length of a tick
#include <doorbell/testing/manual_clock.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::testing::manual_clock<std::uint32_t, 1>;
#else
using subject = doorbell::testing::manual_clock<std::uint32_t, 0>;
#endif

static_assert(sizeof(subject) != 0);
