// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: requests come from streams
#include <doorbell/flush/options.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::flush_streams<1>;
#else
using subject = doorbell::flush_streams<0>;
#endif

static_assert(sizeof(subject) != 0);
