// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: an urgent handler must take raised<any_context> and be noexcept
#include <doorbell/host.hpp>
#include <doorbell/registers/memory_bank.hpp>

namespace db = doorbell;

struct disk {
    db::outcome response(db::tag) noexcept;
    void completed(db::claimed<db::any_context>, db::outcome) noexcept;
    void link_error(db::raised<db::thread_context>) noexcept;
};

struct now {
    std::uint32_t operator()() const noexcept { return 0; }
};

using ticks = db::counter<now, 1'000>;

#ifdef DOORBELL_CONTROL
using core = db::host<
    db::ufshci, disk, db::memory_bank<0x400>, ticks, db::count_budget<8>, db::null_lock,
    db::handlers<db::deferred<db::ufshci::errors, &disk::link_error>>>;
#else
using core = db::host<
    db::ufshci, disk, db::memory_bank<0x400>, ticks, db::count_budget<8>, db::null_lock,
    db::handlers<db::urgent<db::ufshci::errors, &disk::link_error>>>;
#endif

void use(core& c) {
    static_cast<void>(c.on_hard_irq());
}
