// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: mask_line needs the driver's `void mask_line() noexcept` and `void unmask_line() noexcept`
#include <doorbell/host.hpp>
#include <doorbell/registers/memory_bank.hpp>

namespace db = doorbell;

struct disk {
    db::outcome response(db::tag) noexcept;
    void completed(db::claimed<db::any_context>, db::outcome) noexcept;
    void mask_line() noexcept;
#ifdef DOORBELL_CONTROL
    void unmask_line() noexcept;
#else
    void unmask_line();
#endif
};

struct now {
    std::uint32_t operator()() const noexcept { return 0; }
};

using ticks = db::counter<now, 1'000>;

using core = db::host<
    db::ufshci, disk, db::memory_bank<0x400>, ticks, db::deferred_all, db::null_lock, db::sole_line, db::mask_line>;

void use(core& c) {
    static_cast<void>(c.on_hard_irq());
}
