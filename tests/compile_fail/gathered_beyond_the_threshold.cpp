// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: the threshold of interrupt aggregation has five bits; write 1 to 31
#include <doorbell/dispatch/signal.hpp>

namespace db = doorbell;

#ifdef DOORBELL_CONTROL
using subject = db::gathered<31, 1>;
#else
using subject = db::gathered<32, 1>;
#endif

auto const count = subject::count;
