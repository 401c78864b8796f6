// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: a handler may be running on another processor core; give the driver `void synchronize() noexcept`
#include <doorbell/host.hpp>
#include <doorbell/registers/memory_bank.hpp>

namespace db = doorbell;

struct disk {
    db::outcome response(db::tag) noexcept;
    void completed(db::claimed<db::any_context>, db::outcome) noexcept;
#ifdef DOORBELL_CONTROL
    void synchronize() noexcept;
#else
    void synchronize();
#endif
};

struct now {
    std::uint32_t operator()() const noexcept { return 0; }
};

using ticks = db::counter<now, 1'000>;

using core = db::host<db::ufshci, disk, db::memory_bank<0x400>, ticks, db::count_budget<8>, db::null_lock>;

void use(core& c) {
    static_cast<void>(c.reset());
}
