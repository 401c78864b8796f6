// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: what this register returns on a read means nothing
#include <doorbell/registers/memory_bank.hpp>
#include <doorbell/registers/operations.hpp>
#include <doorbell/registers/register.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::reg32<0x20, doorbell::access::read_only>;
#else
using subject = doorbell::reg32<0x20, doorbell::access::write_0_to_clear>;
#endif

void use(doorbell::memory_bank<0x100>& bank) {
    static_cast<void>(doorbell::read<subject>(bank));
}
