// SPDX-License-Identifier: BSL-1.0
// Includes all that a driver can include and runs a core without a standard library, on plain memory that stands in for
// the controller. Returns 0, or the number of the check that failed.
#include <embedded.hpp>

#include <cstddef>
#include <cstdint>

int run();

namespace {

namespace db = doorbell;

std::uint32_t volatile page[0x400];

std::uint32_t volatile& at(std::size_t offset) {
    return page[offset / 4];
}

// No privilege to mask interrupts in this process: it only counts.
struct counted_mask {
    using token = unsigned;
    static constexpr bool effective = true;

    token mask() noexcept { return depth++; }

    void restore(token before) noexcept { depth = before; }

    unsigned depth = 0;
};

struct ticks {
    std::uint32_t operator()() const noexcept { return now++; }

    static inline std::uint32_t now = 0;
};

struct disk {
    db::outcome response(db::tag t) noexcept { return answers[t.index]; }

    void completed(db::claimed<db::any_context> won, db::outcome o) noexcept {
        ++completions;
        failures += o == db::outcome::success ? 0 : 1;
        answers[won.index()] = db::outcome::not_written;
    }

    void uic_done(db::raised<db::any_context>) noexcept { ++links; }

    void link_error(db::raised<db::thread_context>) noexcept { ++errors; }

    void synchronize() noexcept {}

    db::outcome answers[32]{};
    unsigned completions = 0;
    unsigned failures = 0;
    unsigned links = 0;
    unsigned errors = 0;
};

using core = db::host<
    db::ufshci, disk, db::mmio_bank, db::counter<ticks, 1000>,
    db::first_of<db::time_budget<1'000'000>, db::count_budget<8>>, db::basic_irq_spin_lock<counted_mask>,
    db::handlers<db::urgent<db::ufshci::uic, &disk::uic_done>, db::deferred<db::ufshci::errors, &disk::link_error>>>;

} // namespace

int run() {
    // 1: tags and their sets, in one word and in several
    unsigned sum = 0;
    for (auto const t : db::tag_set<32>{db::tag{3}} | db::tag_set<32>{db::tag{31}}) {
        sum += t.index;
    }
    for (auto const t : db::tag_set<200>{db::tag{100}} | db::tag_set<200>{db::tag{199}}) {
        sum += t.index;
    }
    if (sum != 3 + 31 + 100 + 199) {
        return 1;
    }

    disk drive;
    core ufs{drive, db::mmio_bank{reinterpret_cast<std::uintptr_t>(&page[0])}};

    // 2: starts, and submits everything with one doorbell write
    at(db::ufs::offset::cap) = 31;
    if (ufs.start() != db::start_status::started) {
        return 2;
    }
    if (ufs.submit(db::tag_set<32>::all()).status() != db::submit_status::accepted) {
        return 3;
    }
    if (at(db::ufs::offset::utrldbr) != 0xFFFF'FFFF) {
        return 4;
    }

    // 5: everything finishes; the hard handler completes what the budget allows and leaves the rest to the thread
    at(db::ufs::offset::utrldbr) = 0;
    at(db::ufs::offset::is) = db::ufshci::transfer | db::ufs::cause::uccs | db::ufs::cause::ue;
    auto const result = ufs.on_hard_irq();
    at(db::ufs::offset::is) = 0;
    if (not result.handled() or not result.wake_thread() or drive.completions != 8 or drive.links != 1) {
        return 5;
    }
    while (ufs.on_thread().again()) {
    }
    if (drive.completions != 32 or drive.failures != 0 or drive.errors != 1 or not ufs.stop().empty()) {
        return 6;
    }
    return 0;
}
