// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: read-modify-write of this register would clear causes that nobody handled
#include <doorbell/registers/memory_bank.hpp>
#include <doorbell/registers/operations.hpp>
#include <doorbell/registers/register.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::reg32<
    0x20, doorbell::field<15, 0, doorbell::access::read_write>, doorbell::field<16, 16, doorbell::access::read_write>>;
#else
using subject = doorbell::reg32<
    0x20, doorbell::field<15, 0, doorbell::access::read_write>,
    doorbell::field<16, 16, doorbell::access::write_1_to_clear>>;
#endif

void use(doorbell::memory_bank<0x100>& bank) {
    doorbell::modify<subject>(bank, 0, 1);
}
