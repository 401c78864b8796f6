// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: completed() takes claimed<thread_context>, but this budget completes in the hard handler; write
// deferred_all
#include <doorbell/host.hpp>
#include <doorbell/registers/memory_bank.hpp>

namespace db = doorbell;

struct disk {
    db::outcome response(db::tag) noexcept;
    void completed(db::claimed<db::thread_context>, db::outcome) noexcept;
};

struct now {
    std::uint32_t operator()() const noexcept { return 0; }
};

using ticks = db::counter<now, 1'000>;

#ifdef DOORBELL_CONTROL
using core = db::host<db::ufshci, disk, db::memory_bank<0x400>, ticks, db::deferred_all, db::null_lock>;
#else
using core = db::host<db::ufshci, disk, db::memory_bank<0x400>, ticks, db::inline_all, db::null_lock>;
#endif

void use(core& c) {
    static_cast<void>(c.on_hard_irq());
}
