// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: reading this register clears it, so it cannot be part of a dump; leave it out
#include <doorbell/registers/dump.hpp>
#include <doorbell/registers/memory_bank.hpp>
#include <doorbell/registers/register.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::reg32<
    0x20, doorbell::field<31, 31, doorbell::access::write_1_to_clear>,
    doorbell::field<3, 0, doorbell::access::read_only>>;
#else
using subject = doorbell::reg32<
    0x20, doorbell::field<31, 31, doorbell::access::read_to_clear>, doorbell::field<3, 0, doorbell::access::read_only>>;
#endif

void use(doorbell::memory_bank<0x100>& bank) {
    doorbell::dump<doorbell::reg32<0x24, doorbell::access::read_write>, subject>(
        bank, [](std::size_t, std::uint32_t) {});
}
