// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: a coalescer without riders answers nobody
#include <doorbell/flush/options.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::flush_riders<1>;
#else
using subject = doorbell::flush_riders<0>;
#endif

static_assert(sizeof(subject) != 0);
