// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: writing this register clears causes; use acknowledge<R>(bank, bits)
#include <doorbell/registers/memory_bank.hpp>
#include <doorbell/registers/operations.hpp>
#include <doorbell/registers/register.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::reg32<
    0x20, doorbell::field<15, 0, doorbell::access::read_write>, doorbell::field<31, 16, doorbell::access::read_only>>;
#else
using subject = doorbell::reg32<
    0x20, doorbell::field<15, 0, doorbell::access::read_write>,
    doorbell::field<31, 16, doorbell::access::write_1_to_clear>>;
#endif

void use(doorbell::memory_bank<0x100>& bank) {
    doorbell::write<subject>(bank, 1);
}
