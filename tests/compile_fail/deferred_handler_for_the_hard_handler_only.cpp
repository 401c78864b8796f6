// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: a deferred handler must take raised<thread_context> or raised<any_context> and be noexcept
#include <doorbell/host.hpp>
#include <doorbell/registers/memory_bank.hpp>

namespace db = doorbell;

struct disk {
    db::outcome response(db::tag) noexcept;
    void completed(db::claimed<db::any_context>, db::outcome) noexcept;
#ifdef DOORBELL_CONTROL
    void link_error(db::raised<db::any_context>) noexcept;
#else
    void link_error(db::raised<db::hard_context>) noexcept;
#endif
};

struct now {
    std::uint32_t operator()() const noexcept { return 0; }
};

using ticks = db::counter<now, 1'000>;

using core = db::host<
    db::ufshci, disk, db::memory_bank<0x400>, ticks, db::count_budget<8>, db::null_lock,
    db::handlers<db::deferred<db::ufshci::errors, &disk::link_error>>>;

void use(core& c) {
    static_cast<void>(c.on_hard_irq());
}
