// SPDX-License-Identifier: BSL-1.0
// Register reads and writes of requests that complete through a ring: the core beside a loop that polls the same ring
// and has nothing else to do, in the manner of user-space drivers.
#include <doorbell/controllers/ufshci_queue.hpp>
#include <doorbell/host.hpp>

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace {

namespace db = doorbell;

constexpr unsigned slots = 32;
constexpr std::uint32_t depth = slots + 1;
constexpr std::uint32_t entry_bytes = 32;
constexpr std::size_t submission = 0x1000;
constexpr std::size_t completion = 0x1020;
constexpr std::size_t interrupts = 0x1040;
constexpr std::size_t tail_of_submission = submission + 0x4;
constexpr std::size_t head_of_completion = completion;
constexpr std::size_t tail_of_completion = completion + 0x4;

/// One pair of rings, which counts who comes. Everything submitted finishes when it is told to.
struct device {
    std::array<db::ufs::completion_entry, depth> entries{};
    std::array<unsigned, depth> submitted{};
    std::uint32_t sqtp = 0, fetched = 0, cqhp = 0, cqtp = 0, cqis = 0, cqie = 0;
    unsigned reads = 0, writes = 0;

    std::uint32_t load(std::size_t at) noexcept {
        ++reads;
        return at == tail_of_completion ? cqtp : at == interrupts ? cqis : at == interrupts + 4 ? cqie : 0;
    }

    void store(std::size_t at, std::uint32_t value) noexcept {
        ++writes;
        if (at == tail_of_submission) {
            sqtp = value;
        } else if (at == head_of_completion) {
            cqhp = value;
        } else if (at == interrupts) {
            cqis &= ~value;
        } else if (at == interrupts + 4) {
            cqie = value;
        }
    }

    void finish_all() noexcept {
        for (; fetched * entry_bytes != sqtp; fetched = (fetched + 1) % depth) {
            entries[cqtp / entry_bytes] = {{submitted[fetched], 0, 0, 0, 0, 0, 0, 0}};
            cqtp = (cqtp + entry_bytes) % (depth * entry_bytes);
            cqis = 1;
        }
    }
};

struct bank {
    device* registers;

    [[nodiscard]] std::uint32_t load(std::size_t at) const noexcept { return registers->load(at); }

    void store(std::size_t at, std::uint32_t value) const noexcept { registers->store(at, value); }

    void before_doorbell() const noexcept {}

    void after_done() const noexcept {}

    void before_unlock() const noexcept {}
};

struct tag_of {
    db::tag operator()(db::ufs::completion_entry const& entry) const noexcept { return {entry.word[0]}; }
};

using queue_state = db::ufs::queue_state<slots>;

struct disk {
    device& hardware;
    queue_state& queue;
    unsigned done = 0;

    void prepare(db::tag t) const noexcept { hardware.submitted[queue.next_submission()] = t.index; }

    [[nodiscard]] db::outcome response(db::tag t) const noexcept { return queue.response(t); }

    void completed(db::claimed<db::any_context>, db::outcome) noexcept { ++done; }
};

/// The loop: one read of the tail, and one write of the head where entries were taken.
struct ring_loop {
    device& hardware;
    std::uint32_t head = 0, tail = 0;
    unsigned done = 0;

    void submit(unsigned which) noexcept {
        hardware.submitted[tail] = which;
        tail = (tail + 1) % depth;
        hardware.store(tail_of_submission, tail * entry_bytes);
    }

    void poll() noexcept {
        std::uint32_t const end = hardware.load(tail_of_completion) / entry_bytes;
        std::uint32_t const before = head;
        for (; head != end; head = (head + 1) % depth) {
            done += hardware.entries[head].status() == db::outcome::success ? 1U : 0U;
        }
        if (head != before) {
            hardware.store(head_of_completion, head * entry_bytes);
        }
    }
};

struct stopped_clock {
    std::uint64_t operator()() const noexcept { return 0; }
};

struct figures {
    unsigned reads, writes, done;

    bool operator==(figures const&) const = default;
};

figures of_core(unsigned requests, bool by_interrupt) {
    device d;
    queue_state queue{
        {.sqd = submission, .cqd = completion, .cqis = interrupts, .completions = d.entries.data(), .depth = depth}};
    disk drive{d, queue};
    db::host<
        db::ufshci_queue<slots, tag_of>, disk, db::ufs::queue_bank<bank, slots>, db::counter<stopped_clock, 1>,
        db::inline_all, db::irq_spin_lock>
        core{drive, {bank{&d}, queue}};
    (void)core.start();
    d.reads = d.writes = 0;
    for (unsigned i = 0; i < requests; ++i) {
        (void)core.submit(db::tag{i});
    }
    d.finish_all();
    if (by_interrupt) {
        (void)core.on_hard_irq();
    } else {
        (void)core.poll();
    }
    return {d.reads, d.writes, drive.done};
}

figures of_loop(unsigned requests) {
    device d;
    ring_loop loop{d};
    for (unsigned i = 0; i < requests; ++i) {
        loop.submit(i);
    }
    d.finish_all();
    loop.poll();
    return {d.reads, d.writes, loop.done};
}

} // namespace

TEST_CASE("A poll of a ring touches the registers that a ring loop touches", "[inv:T10]") {
    std::printf("finished   core: reads writes   ring loop: reads writes   interrupt: reads writes\n");
    for (unsigned const n : {1U, 2U, 4U, 8U, 16U, 32U}) {
        figures const core = of_core(n, false);
        figures const loop = of_loop(n);
        figures const interrupt = of_core(n, true);
        std::printf(
            "%8u %12.2f %6.2f %16.2f %6.2f %16.2f %6.2f\n", n, 1.0 * core.reads / n, 1.0 * core.writes / n,
            1.0 * loop.reads / n, 1.0 * loop.writes / n, 1.0 * interrupt.reads / n, 1.0 * interrupt.writes / n);
        CHECK(core == loop);
        CHECK(core.done == n);
        // An interrupt also reads its cause and acknowledges it.
        CHECK(interrupt == figures{loop.reads + 1, loop.writes + 1, n});
    }
}

TEST_CASE("A look at an idle ring writes nothing", "[inv:T10]") {
    CHECK(of_core(0, false) == figures{1, 0, 0});
    CHECK(of_loop(0) == figures{1, 0, 0});
}
