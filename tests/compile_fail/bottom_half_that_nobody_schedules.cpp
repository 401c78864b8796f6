// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: in_bottom_half needs the driver's `void schedule_giveback() noexcept`
#include <doorbell/host.hpp>
#include <doorbell/registers/memory_bank.hpp>

namespace db = doorbell;

struct disk {
    db::outcome response(db::tag) noexcept;
    void completed(db::claimed<db::any_context>, db::outcome) noexcept;
#ifdef DOORBELL_CONTROL
    void schedule_giveback() noexcept;
#else
    void schedule_giveback();
#endif
};

struct now {
    std::uint32_t operator()() const noexcept { return 0; }
};

using ticks = db::counter<now, 1'000>;
using core = db::host<
    db::ufshci, disk, db::memory_bank<0x400>, ticks, db::inline_all, db::null_lock, db::in_bottom_half<db::inline_all>>;

void use(core& c) {
    static_cast<void>(c.on_hard_irq());
}
