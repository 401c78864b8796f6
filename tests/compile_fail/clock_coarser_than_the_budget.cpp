// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: this time source is coarser than the time budget; choose a finer clock or a count_budget
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

using ticks = db::counter<now, 1'000>;

#ifdef DOORBELL_CONTROL
using core = db::host<db::ufshci, disk, db::memory_bank<0x400>, ticks, db::time_budget<1'000>, db::null_lock>;
#else
using core = db::host<db::ufshci, disk, db::memory_bank<0x400>, ticks, db::time_budget<999>, db::null_lock>;
#endif

void use(core& c) {
    static_cast<void>(c.on_hard_irq());
}
