// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: this lock may sleep and cannot be taken in the hard handler; write irq_spin_lock
#include <doorbell/host.hpp>
#include <doorbell/lock/lockable.hpp>
#include <doorbell/registers/memory_bank.hpp>

namespace db = doorbell;

struct mutex {
    void lock() noexcept;
    void unlock() noexcept;
};

struct disk {
    db::outcome response(db::tag) noexcept;
    void completed(db::claimed<db::any_context>, db::outcome) noexcept;
};

struct now {
    std::uint32_t operator()() const noexcept { return 0; }
};

using ticks = db::counter<now, 1'000>;

#ifdef DOORBELL_CONTROL
using core = db::host<db::ufshci, disk, db::memory_bank<0x400>, ticks, db::count_budget<8>, db::irq_spin_lock>;
#else
using core = db::host<db::ufshci, disk, db::memory_bank<0x400>, ticks, db::count_budget<8>, db::lockable<mutex>>;
#endif

void use(core& c) {
    static_cast<void>(c.on_hard_irq());
}
