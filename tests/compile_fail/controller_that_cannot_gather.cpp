// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: this controller cannot gather completions; write each_completion
#include <doorbell/host.hpp>
#include <doorbell/registers/memory_bank.hpp>

namespace db = doorbell;

struct simple : db::ufshci {
#ifdef DOORBELL_CONTROL
    using db::ufshci::gather;
#else
    template <class Bank>
    static void gather(Bank&, unsigned, unsigned) = delete;
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

using core =
    db::host<simple, disk, db::memory_bank<0x400>, ticks, db::count_budget<8>, db::null_lock, db::gathered<8, 2>>;

void use(core& c) {
    static_cast<void>(c.on_hard_irq());
}
