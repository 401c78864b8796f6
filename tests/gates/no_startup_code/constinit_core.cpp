// SPDX-License-Identifier: BSL-1.0
// A driver's global core, with the collaborators that real machines have: all of it must lie ready in the data section.
#include <embedded.hpp>

#include <cstdint>

namespace {

namespace db = doorbell;

struct disk {
    db::outcome response(db::tag t) noexcept { return answers[t.index]; }

    void completed(db::claimed<db::any_context>, db::outcome) noexcept { ++completions; }

    void uic_done(db::raised<db::any_context>) noexcept { ++links; }

    void link_error(db::raised<db::thread_context>) noexcept { ++links; }

    void synchronize() noexcept {}

    db::outcome answers[32]{};
    unsigned completions = 0;
    unsigned links = 0;
};

using core = db::host<
    db::ufshci, disk, db::mmio_bank, db::cycle_counter, db::first_of<db::time_budget<20'000>, db::count_budget<16>>,
    db::irq_spin_lock,
    db::handlers<db::urgent<db::ufshci::uic, &disk::uic_done>, db::deferred<db::ufshci::errors, &disk::link_error>>>;

constinit disk drive{};
constinit core ufs0{drive, db::mmio_bank{0x1D84'0000}, db::cycle_counter{19'200'000}};

} // namespace

unsigned interrupt();
unsigned thread();

// Used, so that the compiler keeps both objects and every verb.
unsigned interrupt() {
    static_cast<void>(ufs0.start());
    static_cast<void>(ufs0.submit(db::tag{1}));
    return ufs0.on_hard_irq().wake_thread() ? 1U : 0U;
}

unsigned thread() {
    static_cast<void>(ufs0.stop());
    static_cast<void>(ufs0.reset());
    return ufs0.on_thread().again() or ufs0.poll().again() ? 1U : 0U;
}
