// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: a device without a domain holds no data
#include <doorbell/flush/options.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::flush_domains<1>;
#else
using subject = doorbell::flush_domains<0>;
#endif

static_assert(sizeof(subject) != 0);
