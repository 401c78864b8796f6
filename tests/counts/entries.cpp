// SPDX-License-Identifier: BSL-1.0
// One composed core behind C functions: COUNTED_PREFIX, COUNTED_LOCK and COUNTED_STRIDE say which. It stands in a file
// of its own, as a driver's core does. What is counted are the library's own functions, as they stand in the program:
// they are called through pointers, so that nothing of the caller gets into them and nothing of them into the caller.
#include "composed.hpp"

#include <new>

#define PASTE(a, b) a##b
#define JOIN(a, b) PASTE(a, b)
#define NAME(x) JOIN(COUNTED_PREFIX, x)

#ifdef COUNTED_OPTIMISTIC
using core = counted::composed<doorbell::COUNTED_LOCK, COUNTED_STRIDE, doorbell::mmio_bank, doorbell::optimistic<64>>;
#else
using core = counted::composed<doorbell::COUNTED_LOCK, COUNTED_STRIDE, doorbell::mmio_bank>;
#endif

namespace {

doorbell::irq_result (core::* volatile irq)() noexcept = &core::on_hard_irq;
doorbell::submitted (core::* volatile submit)(doorbell::tag) noexcept = &core::submit;
doorbell::submitted (core::* volatile submit_set)(core::tags) noexcept = &core::submit;

} // namespace

extern "C" {

void* NAME(make)(void* place, c_disk* disk, std::uint32_t* registers, std::uint32_t causes) {
    auto* const made =
        new (place) core{*reinterpret_cast<counted::disk*>(disk), doorbell::mmio_bank{std::uintptr_t(registers)}};
    (void)made->start(doorbell::tag_set<32>::all(), causes);
    return made;
}

doorbell::irq_result NAME(irq)(core* c) {
    return (c->*irq)();
}

doorbell::submitted NAME(submit)(core* c, unsigned tag) {
    return (c->*submit)(doorbell::tag{tag});
}

doorbell::submitted NAME(submit_set)(core* c, std::uint32_t set) {
    return (c->*submit_set)(core::tags{set});
}

doorbell::thread_result NAME(poll)(core* c) {
    return c->poll();
}

doorbell::thread_result NAME(thread)(core* c) {
    return c->on_thread();
}
}
