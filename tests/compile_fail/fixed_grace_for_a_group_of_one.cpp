// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: a group of one needs no grace
#include <doorbell/flush/fixed_grace.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::fixed_grace<1, 2>;
#else
using subject = doorbell::fixed_grace<1, 1>;
#endif

static_assert(sizeof(subject) != 0);
