// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: this register is read-only; hardware alone writes it
#include <doorbell/registers/memory_bank.hpp>
#include <doorbell/registers/operations.hpp>
#include <doorbell/registers/register.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::reg32<0x20, doorbell::access::self_clearing>;
#else
using subject = doorbell::reg32<0x20, doorbell::access::read_to_clear>;
#endif

void use(doorbell::memory_bank<0x100>& bank) {
    doorbell::write<subject>(bank, 1);
}
