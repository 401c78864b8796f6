// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: no cycle counter is known for this architecture; use counter<> with a reader of your own, or
// chrono_clock
#include <bit>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

// From here on this is a processor that the library knows nothing of.
#undef __x86_64__
#undef __i386__
#undef __aarch64__
#undef __riscv
#undef __ARM_ARCH_PROFILE

#include <doorbell/host.hpp>
#include <doorbell/registers/memory_bank.hpp>

namespace db = doorbell;

struct disk {
    db::outcome response(db::tag) noexcept;
    void completed(db::claimed<db::any_context>, db::outcome) noexcept;
};

struct now {
    std::uint32_t operator()() const noexcept { return 0; }
};

#ifdef DOORBELL_CONTROL
using ticks = db::counter<now, 1'000>;
#else
using ticks = db::cycle_counter;
#endif

using core = db::host<db::ufshci, disk, db::memory_bank<0x400>, ticks, db::time_budget<20'000>, db::null_lock>;

void use(core& c) {
    static_cast<void>(c.on_hard_irq());
}
