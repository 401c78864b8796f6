// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: here interrupts cannot be masked, so this lock would exclude nobody; use spin_lock, lockable<M>
#include <doorbell/lock/interrupt_lock.hpp>
#include <doorbell/lock/irq_spin_lock.hpp>

#ifdef DOORBELL_CONTROL
doorbell::irq_spin_lock lock{};
#else
doorbell::interrupt_lock lock{};
#endif
