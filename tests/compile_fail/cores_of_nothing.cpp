// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: cores<0> runs nothing; write cores<1> for one processor core
#include <doorbell/dispatch/options.hpp>

namespace db = doorbell;

#ifdef DOORBELL_CONTROL
using subject = db::cores<1>;
#else
using subject = db::cores<0>;
#endif

bool const one = subject::one;
