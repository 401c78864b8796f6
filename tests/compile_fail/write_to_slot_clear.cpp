// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: zeros written to this register clear slots; use clear_slots<R>(bank, bits)
#include <doorbell/registers/memory_bank.hpp>
#include <doorbell/registers/operations.hpp>
#include <doorbell/registers/register.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::reg32<0x20, doorbell::access::write_only>;
#else
using subject = doorbell::reg32<0x20, doorbell::access::write_0_to_clear>;
#endif

void use(doorbell::memory_bank<0x100>& bank) {
    doorbell::write<subject>(bank, 1);
}
