// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: a handler may be running on another processor core; give the driver `void synchronize() noexcept`
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
    db::host<db::ufshci, disk, db::memory_bank<0x400>, ticks, db::count_budget<8>, db::null_lock, db::cores<1>>;
#else
using core = db::host<db::ufshci, disk, db::memory_bank<0x400>, ticks, db::count_budget<8>, db::null_lock>;
#endif

void use(core& c) {
    static_cast<void>(c.stop());
}
