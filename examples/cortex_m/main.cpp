// SPDX-License-Identifier: BSL-1.0
// The composed core as firmware of a small microcontroller: PRIMASK is the lock, SysTick the clock, the main loop the
// thread. 60,000 requests at a depth of 32, with a budget that callbacks often exceed.
#include "board.hpp"
#include "device.hpp"
#include "firmware.hpp"

#include <doorbell/host.hpp>

#include <cstdint>

namespace {

namespace db = doorbell;

constexpr std::uint32_t wanted = 60'000;

struct driver {
    software_device& device;
    db::tag_set<32> in_use{};
    std::uint32_t issued = 0, completed_count = 0, doubled = 0, wrong = 0, in_hard_handler = 0;
    bool hard = false; ///< the hard handler runs

    void prepare(db::tag t) noexcept {
        device.list[t.index] = {.request = issued++};
        in_use.insert(t);
    }

    [[nodiscard]] db::outcome response(db::tag t) const noexcept { return device.list[t.index].status; }

    void completed(db::claimed<db::any_context> won, db::outcome) noexcept {
        software_device::descriptor const& each = device.list[won.index()];
        wrong += each.answer == software_device::answer_to(each.request) ? 0U : 1U;
        // What a file system would do with it: 10 us.
        board::systick const clock{};
        for (std::uint32_t const begin = clock.now(); clock.now() - begin < board::systick::ticks(10'000);) {
        }
        auto const before = db::cpu_interrupts::mask(); // the sets are the submitter's too
        doubled += in_use.contains(won.get()) ? 0U : 1U;
        in_use.erase(won.get());
        ++completed_count;
        in_hard_handler += hard ? 1U : 0U;
        db::cpu_interrupts::restore(before);
    }
};

using core = db::host<
    db::ufshci, driver, device_bank, board::systick, db::time_budget<20'000>, db::interrupt_lock, db::cores<1>>;

constinit software_device device{};
constinit driver disk{device};
constinit core ufs{disk, device_bank{&device}};

std::uint32_t interrupts = 0, handovers = 0, longest = 0;
bool volatile wake = false;

} // namespace

void firmware::on_timer() {
    board::end_of_timer_interrupt();
    device.work();
}

void firmware::on_ufs() {
    board::systick const clock{};
    std::uint32_t const begin = clock.now();
    ++interrupts;
    disk.hard = true;
    if (ufs.on_hard_irq().wake_thread()) {
        wake = true;
        ++handovers;
    }
    disk.hard = false;
    std::uint32_t const took = clock.now() - begin;
    longest = took > longest ? took : longest;
    if (device.line()) { // a level stays pending
        board::pend_interrupt(board::ufs_interrupt);
    }
}

void firmware::run() {
    board::start_systick();
    board::enable_interrupt(board::ufs_interrupt, 0x80);
    board::enable_interrupt(board::timer_interrupt, 0x40); // preempts the controller's
    bool right = ufs.start() == db::start_status::started;
    board::start_timer(500);

    std::uint32_t wraps = 0;
    std::uint32_t last = 0;
    std::uint32_t turns_in_vain = 0;
    while (disk.completed_count < wanted and turns_in_vain < 10'000'000) {
        if (wake) {
            wake = false;
            while (ufs.on_thread().again()) {
            }
        }
        auto const before = db::cpu_interrupts::mask();
        auto free = ~disk.in_use;
        db::cpu_interrupts::restore(before);
        db::tag_set<32> some{};
        for (db::tag const each : free) {
            if (disk.issued + static_cast<std::uint32_t>(some.size()) < wanted) {
                some.insert(each);
            }
        }
        turns_in_vain = some.empty() ? turns_in_vain + 1 : 0;
        if (not some.empty() and not ufs.submit(some)) {
            right = false;
            break;
        }
        std::uint32_t const now = board::systick{}.now();
        wraps += now < last ? 1U : 0U;
        last = now;
    }
    right = right and ufs.outstanding().empty() and ufs.leftover().empty() and ufs.stop().empty();
    std::uint32_t const lost = disk.issued - disk.completed_count;
    right = right and disk.completed_count == wanted and lost == 0 and disk.doubled == 0 and disk.wrong == 0;
    right = right and handovers != 0 and disk.in_hard_handler != 0 and disk.in_hard_handler != wanted and wraps != 0;

    auto const line = [](char const* name, std::uint32_t value) {
        board::print(name);
        board::print(value);
        board::print("\n");
    };
    line("requests                 ", disk.completed_count);
    line("lost                     ", lost);
    line("doubled                  ", disk.doubled);
    line("wrong answers            ", disk.wrong);
    line("interrupts               ", interrupts);
    line("hand-overs to main loop  ", handovers);
    line("completed in handler     ", disk.in_hard_handler);
    line("register accesses        ", device.accesses);
    line("longest handler, ns      ", static_cast<std::uint32_t>(std::uint64_t{longest} * 40 / 256));
    line("wraps of the counter     ", wraps);
    line("stack, bytes             ", used_stack());
    board::leave(right);
}
