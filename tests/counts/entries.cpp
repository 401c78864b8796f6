// SPDX-License-Identifier: BSL-1.0
// One composed core as C functions that a counting tool can name: COUNTED_PREFIX, COUNTED_LOCK and COUNTED_STRIDE say
// which. It stands in a file of its own, as a driver's core does. A poll and a thread run are functions of the library
// already and are counted under their own name: a wrapper would add its jump to them. The others are flattened into
// their wrapper for the same reason.
#include "composed.hpp"

#include <new>

#define PASTE(a, b) a##b
#define JOIN(a, b) PASTE(a, b)
#define NAME(x) JOIN(COUNTED_PREFIX, x)

using core = counted::composed<doorbell::COUNTED_LOCK, COUNTED_STRIDE, doorbell::mmio_bank>;

extern "C" {

void* NAME(make)(void* place, c_disk* disk, std::uint32_t* registers, std::uint32_t causes) {
    auto* const made =
        new (place) core{*reinterpret_cast<counted::disk*>(disk), doorbell::mmio_bank{std::uintptr_t(registers)}};
    (void)made->start(doorbell::tag_set<32>::all(), causes);
    return made;
}

[[gnu::flatten]] doorbell::irq_result JOIN(counted_, NAME(irq))(core* c) { return c->on_hard_irq(); }

[[gnu::flatten]] doorbell::submitted JOIN(counted_, NAME(submit))(core* c, unsigned tag) { return c->submit(doorbell::tag{tag}); }

[[gnu::flatten]] doorbell::submitted JOIN(counted_, NAME(submit_set))(core* c, std::uint32_t set) {
    return c->submit(doorbell::tag_set<32>{set});
}

doorbell::thread_result NAME(poll)(core* c) { return c->poll(); }

doorbell::thread_result NAME(thread)(core* c) { return c->on_thread(); }
}
