// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: reading this register clears it, so it cannot be part of a dump; leave it out
#include <doorbell/registers/dump.hpp>
#include <doorbell/registers/memory_bank.hpp>
#include <doorbell/registers/register.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::reg32<0x20, doorbell::access::read_only>;
#else
using subject = doorbell::reg32<0x20, doorbell::access::read_to_clear>;
#endif

void use(doorbell::memory_bank<0x100>& bank) {
    doorbell::dump<doorbell::reg32<0x24, doorbell::access::read_write>, subject>(
        bank, [](std::size_t, std::uint32_t) {});
}
