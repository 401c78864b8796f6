// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: the offset of a 32-bit register is a multiple of 4 bytes
#include <doorbell/registers/register.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::reg32<0x24, doorbell::access::read_write>;
#else
using subject = doorbell::reg32<0x22, doorbell::access::read_write>;
#endif

static_assert(subject::offset != 0);
