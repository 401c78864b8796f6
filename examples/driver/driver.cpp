// SPDX-License-Identifier: BSL-1.0
// The driver of the README on a page of memory that stands in for the controller: the program plays the hardware, rings
// the interrupt and checks what came of it. On a real machine `base` is the address of the controller's registers.
#include "disk.hpp"

#include <sys/mman.h>

#include <cstdio>

namespace {

constexpr std::uintptr_t base = 0x1D84'0000;

constinit disk drive{};
constinit core ufs0{drive, db::mmio_bank{base}, db::cycle_counter{1'000'000'000}};

bool thread_is_wanted = false;

void interrupt() {
    if (ufs0.on_hard_irq().wake_thread()) {
        thread_is_wanted = true;
    }
}

void thread() {
    while (thread_is_wanted) {
        thread_is_wanted = ufs0.on_thread().again();
    }
}

std::uint32_t volatile& at(std::size_t offset) {
    return *reinterpret_cast<std::uint32_t volatile*>(base + offset);
}

/// The controller finishes every request it holds, then raises what it has to say.
void hardware(std::uint32_t causes) {
    for (db::tag const t : ufs0.outstanding()) {
        drive.list[t.index].word[2] = 0;
    }
    at(db::ufs::offset::utrldbr) = 0;
    at(db::ufs::offset::is) = causes;
    interrupt();
    at(db::ufs::offset::is) = 0;
}

} // namespace

void disk::prepare(db::tag t) noexcept {
    db::ufs::clear(list[t.index]);
}

db::outcome disk::response(db::tag t) noexcept {
    return db::ufs::response(list[t.index]);
}

void disk::completed(db::claimed<db::any_context> won, db::outcome) noexcept {
    ++completions;
    if (again[won.index()] != 0) {
        --again[won.index()];
        (void)self->submit(won.get());
    }
}

void disk::uic_done(db::raised<db::any_context>) noexcept {
    ++links;
}

void disk::link_error(db::raised<db::thread_context>) noexcept {
    ++errors;
}

void disk::synchronize() noexcept {} // everything here runs on one thread

int main() {
    void* const page = mmap(
        reinterpret_cast<void*>(base), 0x1000, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (page == MAP_FAILED) {
        std::perror("cannot map the stand-in for the registers");
        return 2;
    }
    at(db::ufs::offset::cap) = 31; // 32 slots
    drive.self = &ufs0;

    bool right = ufs0.start() == db::start_status::started;
    right = right and ufs0.submit(db::tag_set<32>::all()).status() == db::submit_status::accepted;
    drive.again[31] = 1;

    hardware(db::ufshci::transfer | db::ufs::cause::uccs | db::ufs::cause::ue);
    std::printf(
        "one interrupt:   %2u completed in the hard handler, %zu left, link commands %u\n", drive.completions,
        ufs0.leftover().size(), drive.links);
    right = right and drive.completions == 16 and drive.links == 1 and drive.errors == 0 and thread_is_wanted;

    thread();
    std::printf(
        "the thread:      %2u completed, %zu left, errors delivered %u\n", drive.completions, ufs0.leftover().size(),
        drive.errors);
    right = right and drive.completions == 32 and drive.errors == 1;

    hardware(db::ufshci::transfer);
    std::printf("one resubmitted: %2u completed, %zu outstanding after stop\n", drive.completions, ufs0.stop().size());
    right = right and drive.completions == 33 and ufs0.outstanding().empty();
    return right ? 0 : 1;
}
