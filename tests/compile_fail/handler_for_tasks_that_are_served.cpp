// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: the driver has task_completed(), so the completion loop serves task management; do not bind a
// handler to its cause
#include <doorbell/host.hpp>
#include <doorbell/registers/memory_bank.hpp>

namespace db = doorbell;

struct disk {
    db::outcome response(db::tag) noexcept;
    void completed(db::claimed<db::any_context>, db::outcome) noexcept;
    db::outcome task_response(db::tag) noexcept;
    void task_completed(db::claimed<db::any_context>, db::outcome) noexcept;
    void done(db::raised<db::any_context>) noexcept;
};

struct now {
    std::uint32_t operator()() const noexcept { return 0; }
};

using ticks = db::counter<now, 1'000>;

#ifdef DOORBELL_CONTROL
using core = db::host<
    db::ufshci, disk, db::memory_bank<0x400>, ticks, db::count_budget<8>, db::null_lock,
    db::handlers<db::deferred<db::ufshci::errors, &disk::done>>>;
#else
using core = db::host<
    db::ufshci, disk, db::memory_bank<0x400>, ticks, db::count_budget<8>, db::null_lock,
    db::handlers<db::deferred<db::ufshci::tasks::cause, &disk::done>>>;
#endif

void use(core& c) {
    static_cast<void>(c.on_hard_irq());
}
