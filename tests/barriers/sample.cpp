// SPDX-License-Identifier: BSL-1.0
// Compiled to assembly for each architecture; what stands between the two stores or loads of each function is looked
// at.
#include <doorbell/registers/barriers.hpp>

extern "C" {

void ring(unsigned* descriptor, unsigned volatile* doorbell) {
    *descriptor = 1;
    doorbell::barriers::before_doorbell();
    *doorbell = 1;
    *descriptor = 2; // keeps the first store alive only if the compiler may not move it past the barrier
}

unsigned done(unsigned const* response, unsigned const volatile* doorbell) {
    unsigned const before = *response;
    unsigned const busy = *doorbell;
    doorbell::barriers::after_done();
    return before + busy + *response; // two loads, unless the compiler may reuse the first
}

void unlock(unsigned volatile* interrupt_enable, unsigned* lock) {
    *interrupt_enable = 1;
    doorbell::barriers::before_unlock();
    *lock = 0;
}
}
