// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: the tolerance of a timer is shorter than 7/16 of its counter's range; take a wider counter
#include <doorbell/timeout/lazy_timer.hpp>

namespace db = doorbell;

#ifdef DOORBELL_CONTROL
using subject = db::lazy_timer<std::uint16_t, 28'672>;
#else
using subject = db::lazy_timer<std::uint16_t, 28'673>;
#endif

subject made{};
