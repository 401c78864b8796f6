// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: the most significant bit of a field comes first: field<Msb, Lsb, Access>
#include <doorbell/registers/register.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::field<7, 0, doorbell::access::read_write>;
#else
using subject = doorbell::field<0, 7, doorbell::access::read_write>;
#endif

static_assert(subject::mask != 0);
