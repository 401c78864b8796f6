// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: a grace of 0 is no grace
#include <doorbell/flush/learned_grace.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::learned_grace<1>;
#else
using subject = doorbell::learned_grace<0>;
#endif

static_assert(sizeof(subject) != 0);
