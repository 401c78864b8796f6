// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: a timeout of 0 is over before its request begins; 0 does not mean `no limit`
#include <doorbell/timeout/options.hpp>

namespace db = doorbell;

#ifdef DOORBELL_CONTROL
using subject = db::mixed_timeouts<std::uint32_t, 1>;
#else
using subject = db::mixed_timeouts<std::uint32_t, 0>;
#endif

subject made{};
