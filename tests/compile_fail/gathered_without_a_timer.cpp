// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: without its timer the last completions would wait for ever; write 1 to 255 units
#include <doorbell/dispatch/signal.hpp>

namespace db = doorbell;

#ifdef DOORBELL_CONTROL
using subject = db::gathered<1, 255>;
#else
using subject = db::gathered<1, 0>;
#endif

auto const units = subject::units;
