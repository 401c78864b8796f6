// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: this core has handlers that only a thread may run; name the loop that calls on_thread() meanwhile
#include <doorbell/host.hpp>
#include <doorbell/registers/memory_bank.hpp>

namespace db = doorbell;

struct disk {
    db::outcome response(db::tag) noexcept;
#ifdef DOORBELL_CONTROL
    void completed(db::claimed<db::any_context>, db::outcome) noexcept;
#else
    void completed(db::claimed<db::thread_context>, db::outcome) noexcept;
#endif
};

struct now {
    std::uint32_t operator()() const noexcept { return 0; }
};

using ticks = db::counter<now, 1'000>;

using core = db::host<db::ufshci, disk, db::memory_bank<0x400>, ticks, db::deferred_all, db::null_lock>;

void use(core& c) {
    (void)c.threads_unavailable();
}
