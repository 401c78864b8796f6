// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: with the line masked, urgent handlers would wait for the thread; write mask_cause
#include <doorbell/host.hpp>
#include <doorbell/registers/memory_bank.hpp>

namespace db = doorbell;

struct disk {
    db::outcome response(db::tag) noexcept;
    void completed(db::claimed<db::any_context>, db::outcome) noexcept;
    void mask_line() noexcept;
    void unmask_line() noexcept;
    void uic_done(db::raised<db::any_context>) noexcept;
};

struct now {
    std::uint32_t operator()() const noexcept { return 0; }
};

using ticks = db::counter<now, 1'000>;

using routes = db::handlers<db::urgent<db::ufshci::uic, &disk::uic_done>>;

#ifdef DOORBELL_CONTROL
using core = db::host<
    db::ufshci, disk, db::memory_bank<0x400>, ticks, db::deferred_all, db::null_lock, db::sole_line, routes,
    db::mask_cause>;
#else
using core = db::host<
    db::ufshci, disk, db::memory_bank<0x400>, ticks, db::deferred_all, db::null_lock, db::sole_line, routes,
    db::mask_line>;
#endif

void use(core& c) {
    static_cast<void>(c.on_hard_irq());
}
