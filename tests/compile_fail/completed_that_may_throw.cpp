// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: the driver has no `void completed(claimed<any_context>, outcome) noexcept` that the thread can call
#include <doorbell/host.hpp>
#include <doorbell/registers/memory_bank.hpp>

namespace db = doorbell;

struct disk {
    db::outcome response(db::tag) noexcept;
#ifdef DOORBELL_CONTROL
    void completed(db::claimed<db::any_context>, db::outcome) noexcept;
#else
    void completed(db::claimed<db::any_context>, db::outcome);
#endif
};

struct now {
    std::uint32_t operator()() const noexcept { return 0; }
};

using ticks = db::counter<now, 1'000>;

using core = db::host<db::ufshci, disk, db::memory_bank<0x400>, ticks, db::count_budget<8>, db::null_lock>;

void use(core& c) {
    static_cast<void>(c.on_hard_irq());
}
