// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: only a register that software sets and hardware clears is a doorbell
#include <doorbell/registers/memory_bank.hpp>
#include <doorbell/registers/operations.hpp>
#include <doorbell/registers/register.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::reg32<0x20, doorbell::access::write_1_to_set>;
#else
using subject = doorbell::reg32<0x20, doorbell::access::read_write>;
#endif

void use(doorbell::memory_bank<0x100>& bank) {
    doorbell::ring<subject>(bank, 1);
}
