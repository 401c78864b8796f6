// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: this clock can be set, so limits kept with it can be missed; use std::chrono::steady_clock
#include <doorbell/time/chrono_clock.hpp>

#ifdef DOORBELL_CONTROL
doorbell::chrono_clock<std::chrono::steady_clock> subject{};
#else
doorbell::chrono_clock<std::chrono::system_clock> subject{};
#endif
