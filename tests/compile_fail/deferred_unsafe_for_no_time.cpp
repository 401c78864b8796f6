// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: a period of 0 defers nothing
#include <doorbell/flush/deferred_unsafe.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::deferred_unsafe<1>;
#else
using subject = doorbell::deferred_unsafe<0>;
#endif

static_assert(sizeof(subject) != 0);
