// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: the status has to be read now and then; write optimistic<64>
#include <doorbell/dispatch/signal.hpp>

namespace db = doorbell;

#ifdef DOORBELL_CONTROL
using subject = db::optimistic<1>;
#else
using subject = db::optimistic<0>;
#endif

auto const every = subject::every;
