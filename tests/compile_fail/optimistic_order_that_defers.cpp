// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: the optimistic order looks at the doorbell in the hard handler, which deferred_all does not
#include <doorbell/host.hpp>
#include <doorbell/registers/memory_bank.hpp>

namespace db = doorbell;

struct disk {
    db::outcome response(db::tag) noexcept;
    void completed(db::claimed<db::any_context>, db::outcome) noexcept;
};

struct now {
    std::uint32_t operator()() const noexcept { return 0; }
};

using ticks = db::counter<now, 1'000>;

#ifdef DOORBELL_CONTROL
using core =
    db::host<db::ufshci, disk, db::memory_bank<0x400>, ticks, db::count_budget<1>, db::null_lock, db::optimistic<>>;
#else
using core =
    db::host<db::ufshci, disk, db::memory_bank<0x400>, ticks, db::deferred_all, db::null_lock, db::optimistic<>>;
#endif

void use(core& c) {
    static_cast<void>(c.on_hard_irq());
}
