// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: what this register returns on a read means nothing, so it cannot be part of a dump
#include <doorbell/registers/dump.hpp>
#include <doorbell/registers/memory_bank.hpp>
#include <doorbell/registers/register.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::reg32<0x20, doorbell::access::write_1_to_clear>;
#else
using subject = doorbell::reg32<0x20, doorbell::access::write_only>;
#endif

void use(doorbell::memory_bank<0x100>& bank) {
    doorbell::dump<doorbell::reg32<0x24, doorbell::access::read_write>, subject>(
        bank, [](std::size_t, std::uint32_t) {});
}
