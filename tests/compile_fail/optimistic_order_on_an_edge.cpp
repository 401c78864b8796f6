// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: the optimistic order acknowledges a cause it has not read, and an edge does not come again
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
using core = db::host<
    db::ufshci, disk, db::memory_bank<0x400>, ticks, db::count_budget<8>, db::null_lock, db::optimistic<>,
    db::level_line>;
#else
using core = db::host<
    db::ufshci, disk, db::memory_bank<0x400>, ticks, db::count_budget<8>, db::null_lock, db::optimistic<>,
    db::edge_line<>>;
#endif

void use(core& c) {
    static_cast<void>(c.on_hard_irq());
}
