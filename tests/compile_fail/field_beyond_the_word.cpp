// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: a field ends at bit 31; registers have 32 bits
#include <doorbell/registers/register.hpp>

#ifdef DOORBELL_CONTROL
using subject = doorbell::field<31, 31, doorbell::access::read_write>;
#else
using subject = doorbell::field<32, 32, doorbell::access::read_write>;
#endif

static_assert(subject::mask != 0);
