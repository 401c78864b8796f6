// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: a locked section returns a value; a reference would outlive the lock that guards it
#include <doorbell/lock/locked.hpp>
#include <doorbell/lock/null_lock.hpp>

int shared = 0;

#ifdef DOORBELL_CONTROL
int read(doorbell::null_lock& lock) {
    return doorbell::locked(lock, [] { return shared; });
}
#else
int read(doorbell::null_lock& lock) {
    return doorbell::locked(lock, []() -> int& { return shared; });
}
#endif
