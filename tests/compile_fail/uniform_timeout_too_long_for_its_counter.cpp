// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: this timeout is longer than 7/16 of its counter's range; count with a wider counter
#include <doorbell/timeout/options.hpp>

namespace db = doorbell;

#ifdef DOORBELL_CONTROL
using subject = db::uniform_timeouts<std::uint16_t, 28'672>;
#else
using subject = db::uniform_timeouts<std::uint16_t, 28'673>;
#endif

subject made{};
