// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: abort_then_reset needs the driver's `bool end_on_device(tag) noexcept`
#include <doorbell/host.hpp>
#include <doorbell/registers/memory_bank.hpp>

namespace db = doorbell;

struct disk {
    db::outcome response(db::tag) noexcept;
    void completed(db::claimed<db::any_context>, db::outcome) noexcept;
    void arm_timer(db::deadline<std::uint32_t>) noexcept;
#ifdef DOORBELL_CONTROL
    bool end_on_device(db::tag) noexcept;
#endif
};

struct now {
    std::uint32_t operator()() const noexcept { return 0; }
};

using ticks = db::counter<now, 1'000>;
using core = db::host<
    db::ufshci, disk, db::memory_bank<0x400>, ticks, db::inline_all, db::null_lock,
    db::uniform_timeouts<std::uint32_t, 1'000>>;

void use(core& c) {
    static_cast<void>(c.on_hard_irq());
}
