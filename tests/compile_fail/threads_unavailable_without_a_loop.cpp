// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: this core has handlers that only a thread may run; name the loop that calls on_thread() meanwhile
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

using core = db::host<
    db::ufshci, disk, db::memory_bank<0x400>, ticks, db::count_budget<8>, db::null_lock,
    db::handlers<db::deferred<db::ufshci::errors, &disk::link_error>>>;

void idle();

void use(core& c) {
#ifdef DOORBELL_CONTROL
    (void)c.threads_unavailable<db::drained_by<&idle>>();
#else
    (void)c.threads_unavailable();
#endif
}
