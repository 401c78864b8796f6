// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: read-modify-write needs every field of the register to be read_write
#include <doorbell/registers/memory_bank.hpp>
#include <doorbell/registers/operations.hpp>
#include <doorbell/registers/register.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::reg32<0x20, doorbell::access::read_write>;
#else
using subject = doorbell::reg32<0x20, doorbell::access::read_only>;
#endif

void use(doorbell::memory_bank<0x100>& bank) {
    doorbell::modify<subject>(bank, 0, 1);
}
