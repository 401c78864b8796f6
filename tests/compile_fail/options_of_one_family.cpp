// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: two options of the same family; keep one of them
#include <doorbell/core/options.hpp>

struct colours;
struct sizes;

struct red {
    using family = colours;
};

struct blue {
    using family = colours;
};

struct large {
    using family = sizes;
};

#ifdef DOORBELL_CONTROL
using subject = doorbell::options<red, large>;
#else
using subject = doorbell::options<red, large, blue>;
#endif

static_assert(sizeof(subject) != 0);
