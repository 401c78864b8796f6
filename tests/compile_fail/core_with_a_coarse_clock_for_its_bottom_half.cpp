// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: this time source is coarser than the bottom half's budget; choose a finer clock or a count_budget
#include <doorbell/host.hpp>
#include <doorbell/registers/memory_bank.hpp>

namespace db = doorbell;

struct disk {
    db::outcome response(db::tag) noexcept;
    void completed(db::claimed<db::any_context>, db::outcome) noexcept;
    void schedule_giveback() noexcept;
};

struct now {
    std::uint32_t operator()() const noexcept { return 0; }
};

using ticks = db::counter<now, 1'000>;
#ifdef DOORBELL_CONTROL
using giveback = db::in_bottom_half<db::time_budget<1'000>>;
#else
using giveback = db::in_bottom_half<db::time_budget<999>>;
#endif

using core = db::host<db::ufshci, disk, db::memory_bank<0x400>, ticks, db::inline_all, db::null_lock, giveback>;

void use(core& c) {
    static_cast<void>(c.on_hard_irq());
}
