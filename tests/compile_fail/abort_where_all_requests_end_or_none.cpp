// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: this controller ends all of its requests or none, so one cannot be aborted or recovered
#include <doorbell/controllers/ahci.hpp>
#include <doorbell/host.hpp>
#include <doorbell/registers/memory_bank.hpp>

namespace db = doorbell;

struct disk {
    db::outcome response(db::tag) noexcept;
    void completed(db::claimed<db::any_context>, db::outcome) noexcept;
    bool end_on_device(db::tag) noexcept;
};

struct now {
    std::uint32_t operator()() const noexcept { return 0; }
};

using core = db::host<
    db::ahci, disk, db::sata::port_bank<db::memory_bank<0x1100>>, db::counter<now, 1'000>, db::count_budget<8>,
    db::null_lock, db::cores<1>>;

void use(core& c, db::ticket const& which) {
#ifdef DOORBELL_CONTROL
    static_cast<void>(c.expire_tags(core::tags{which.which}));
    static_cast<void>(c.reset());
#else
    static_cast<void>(c.abort(which));
#endif
}
