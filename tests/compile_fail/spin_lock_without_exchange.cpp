// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: this core has no atomic exchange to spin on; use interrupt_lock together with the option cores<1>
#include <doorbell/lock/spin_lock.hpp>

#ifdef DOORBELL_CONTROL
doorbell::basic_spin_lock<true> lock{};
#else
doorbell::basic_spin_lock<false> lock{};
#endif
