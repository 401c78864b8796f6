// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: say what may be done to this register: reg32<Offset, Access>
#include <doorbell/registers/register.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::reg32<0x24, doorbell::access::read_write>;
#else
using subject = doorbell::reg32<0x24>;
#endif

static_assert(subject::offset != 0);
