// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: two fields of this register claim the same bit
#include <doorbell/registers/register.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::reg32<
    0x24, doorbell::field<7, 0, doorbell::access::read_write>, doorbell::field<15, 8, doorbell::access::read_only>>;
#else
using subject = doorbell::reg32<
    0x24, doorbell::field<8, 0, doorbell::access::read_write>, doorbell::field<15, 8, doorbell::access::read_only>>;
#endif

static_assert(subject::offset != 0);
