// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: host does not know this option; the ones it takes are listed above class host in host.hpp
#include <doorbell/host.hpp>
#include <doorbell/registers/memory_bank.hpp>

namespace db = doorbell;

struct colour {};

struct painted {
    using family =
#ifdef DOORBELL_CONTROL
        db::line_family;
    static constexpr auto without_cause = db::irq_result::none;
#else
        colour;
#endif
};

struct disk {
    db::outcome response(db::tag) noexcept;
    void completed(db::claimed<db::any_context>, db::outcome) noexcept;
};

struct now {
    std::uint32_t operator()() const noexcept { return 0; }
};

using ticks = db::counter<now, 1'000>;

using core = db::host<db::ufshci, disk, db::memory_bank<0x400>, ticks, db::count_budget<8>, db::null_lock, painted>;

void use(core& c) {
    static_cast<void>(c.on_hard_irq());
}
