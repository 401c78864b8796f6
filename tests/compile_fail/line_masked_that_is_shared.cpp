// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: masking a shared line silences the other devices on it; write mask_cause, sole_line, or
// mask_shared_line
#include <doorbell/host.hpp>
#include <doorbell/registers/memory_bank.hpp>

namespace db = doorbell;

struct disk {
    db::outcome response(db::tag) noexcept;
    void completed(db::claimed<db::any_context>, db::outcome) noexcept;
    void mask_line() noexcept;
    void unmask_line() noexcept;
};

struct now {
    std::uint32_t operator()() const noexcept { return 0; }
};

using ticks = db::counter<now, 1'000>;

#ifdef DOORBELL_CONTROL
using core =
    db::host<db::ufshci, disk, db::memory_bank<0x400>, ticks, db::deferred_all, db::null_lock, db::mask_shared_line>;
#else
using core = db::host<db::ufshci, disk, db::memory_bank<0x400>, ticks, db::deferred_all, db::null_lock, db::mask_line>;
#endif

void use(core& c) {
    static_cast<void>(c.on_hard_irq());
}
