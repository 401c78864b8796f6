// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: only a register of write-1-to-clear causes, with nothing else that can be written, is acknowledged
#include <doorbell/registers/memory_bank.hpp>
#include <doorbell/registers/operations.hpp>
#include <doorbell/registers/register.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::reg32<
    0x20, doorbell::field<15, 0, doorbell::access::read_only>,
    doorbell::field<16, 16, doorbell::access::write_1_to_clear>>;
#else
using subject = doorbell::reg32<
    0x20, doorbell::field<15, 0, doorbell::access::read_write>,
    doorbell::field<16, 16, doorbell::access::write_1_to_clear>>;
#endif

void use(doorbell::memory_bank<0x100>& bank) {
    doorbell::acknowledge<subject>(bank, 1);
}
