// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: control commands with deadlines need the driver's `void control_timed_out(unsigned) noexcept`
#include <doorbell/host.hpp>
#include <doorbell/registers/memory_bank.hpp>

namespace db = doorbell;

struct disk {
    db::outcome response(db::tag) noexcept;
    void completed(db::claimed<db::any_context>, db::outcome) noexcept;
    void arm_timer(db::deadline<std::uint32_t>) noexcept;
#ifdef DOORBELL_CONTROL
    void control_timed_out(unsigned) noexcept;
#endif
};

struct now {
    std::uint32_t operator()() const noexcept { return 0; }
};

using ticks = db::counter<now, 1'000>;
using core = db::host<
    db::ufshci, disk, db::memory_bank<0x400>, ticks, db::inline_all, db::null_lock,
    db::uniform_timeouts<std::uint32_t, 1'000, 0, db::quarantine_until_reset, 1>>;

void use(core& c) {
    static_cast<void>(c.on_hard_irq());
}
