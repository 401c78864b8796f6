// SPDX-License-Identifier: BSL-1.0
#include <replay/kernel_baselines.hpp>

#include <doorbell/lock/null_lock.hpp>
#include <doorbell/registers/mmio_bank.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

namespace at = doorbell::ufs::offset;

/// A controller that finishes what it is told to, and a list of what was done to it.
struct hardware {
    std::uint32_t is = 0;
    std::uint32_t ie = 0;
    std::uint32_t doorbell = 0;
    std::uint64_t now = 0;
    std::vector<std::string> steps{};
    std::vector<std::vector<unsigned>> later{}; ///< what finishes during the next completions

    void finish(unsigned slot) {
        doorbell &= ~(1U << slot);
        is |= 1U;
    }

    void completed(unsigned slot) {
        steps.push_back("complete " + std::to_string(slot));
        now += 10'000;
        if (not later.empty()) {
            for (unsigned const other : later.front()) {
                finish(other);
            }
            later.erase(later.begin());
        }
    }
};

struct bank {
    hardware* hw;

    std::uint32_t load(std::size_t offset) const noexcept {
        hw->steps.emplace_back(offset == at::is ? "read IS" : offset == at::ie ? "read IE" : "read DB");
        return offset == at::is ? hw->is : offset == at::ie ? hw->ie : hw->doorbell;
    }

    void store(std::size_t offset, std::uint32_t value) const noexcept {
        if (offset == at::is) {
            hw->steps.emplace_back("write IS");
            hw->is &= ~value;
        } else if (offset == at::ie) {
            hw->ie = value;
        } else if (offset == at::utriacr) {
            hw->steps.emplace_back("reset counter");
        } else {
            hw->steps.emplace_back("ring");
            hw->doorbell |= value;
        }
    }

    void before_doorbell() const noexcept {}

    void after_done() const noexcept {}

    void before_unlock() const noexcept {}
};

struct noted_lock {
    struct token {};

    static constexpr doorbell::lock_traits traits{.may_sleep = false, .masks_interrupts = true, .excludes_cores = true};
    hardware* hw;

    token acquire() const noexcept {
        hw->steps.emplace_back("lock");
        return {};
    }

    void release(token) const noexcept { hw->steps.emplace_back("unlock"); }
};

struct complete {
    hardware* hw;

    void operator()(unsigned slot) const noexcept { hw->completed(slot); }
};

struct nanoseconds {
    hardware* hw;

    std::uint64_t operator()() const noexcept { return hw->now; }
};

using steps = std::vector<std::string>;
using hardirq = kernel_baselines::hardirq<bank, noted_lock, complete>;
using threaded = kernel_baselines::threaded<bank, noted_lock, complete>;
using budgeted = kernel_baselines::budgeted<bank, noted_lock, complete, nanoseconds>;

template <class Loop>
void ring(hardware& hw, Loop& loop, unsigned slots) {
    loop.start(1);
    for (unsigned slot = 0; slot < slots; ++slot) {
        loop.submit(slot);
    }
    hw.steps.clear();
}

} // namespace

TEST_CASE("the hard handler's register sequence is the kernel's, completions are outside of the lock") {
    hardware hw;
    hardirq loop{bank{&hw}, noted_lock{&hw}, complete{&hw}};
    loop.start(1);
    loop.submit(0);
    CHECK(hw.steps == steps{"lock", "ring", "unlock"});
    loop.submit(1);
    hw.steps.clear();
    hw.finish(0);
    hw.finish(1);
    CHECK(loop.handler() == kernel_baselines::irq_handled);
    CHECK(
        hw.steps ==
        steps{"read IS", "read IE", "write IS", "lock", "read DB", "unlock", "complete 0", "complete 1", "read IS"});
    hw.steps.clear();
    CHECK(loop.handler() == kernel_baselines::irq_none);
    CHECK(hw.steps == steps{"read IS"});
}

TEST_CASE("what finishes meanwhile is found by the next round") {
    hardware hw;
    hardirq loop{bank{&hw}, noted_lock{&hw}, complete{&hw}};
    ring(hw, loop, 2);
    hw.later = {{1}};
    hw.finish(0);
    CHECK(loop.handler() == kernel_baselines::irq_handled);
    CHECK(
        hw.steps == steps{
                        "read IS", "read IE", "write IS", "lock", "read DB", "unlock", "complete 0", "read IS",
                        "read IE", "write IS", "lock", "read DB", "unlock", "complete 1", "read IS"});
}

TEST_CASE("with aggregation the counter is reset before completions are looked for") {
    hardware hw;
    hardirq loop{bank{&hw}, noted_lock{&hw}, complete{&hw}};
    loop.use_aggregation(true);
    ring(hw, loop, 1);
    hw.finish(0);
    CHECK(loop.handler() == kernel_baselines::irq_handled);
    CHECK(
        hw.steps ==
        steps{"read IS", "read IE", "write IS", "reset counter", "lock", "read DB", "unlock", "complete 0", "read IS"});
}

TEST_CASE("the threaded handler touches nothing, its thread does everything") {
    hardware hw;
    threaded loop{bank{&hw}, noted_lock{&hw}, complete{&hw}};
    ring(hw, loop, 1);
    hw.finish(0);
    CHECK(threaded::handler() == kernel_baselines::irq_wake_thread);
    CHECK(hw.steps.empty());
    loop.thread();
    CHECK(hw.steps == steps{"read IS", "read IE", "write IS", "lock", "read DB", "unlock", "complete 0", "read IS"});
}

TEST_CASE("the budgeted handler completes with the lock held and strands what its deadline leaves") {
    hardware hw;
    budgeted loop{bank{&hw}, noted_lock{&hw}, complete{&hw}, nanoseconds{&hw}, 20'000, 1};
    ring(hw, loop, 3);
    hw.now = 500;
    for (unsigned slot = 0; slot < 3; ++slot) {
        hw.finish(slot);
    }
    CHECK(loop.handler() == kernel_baselines::irq_wake_thread);
    CHECK(
        hw.steps ==
        steps{"read IS", "read IE", "write IS", "lock", "read DB", "complete 0", "complete 1", "unlock", "read IS"});
    hw.steps.clear();
    loop.thread();
    CHECK(hw.steps == steps{"read IS"}); // slot 2 is stranded
    loop.submit(0);
    hw.finish(0);
    hw.steps.clear();
    CHECK(loop.handler() == kernel_baselines::irq_handled);
    CHECK(hw.steps.at(5) == "complete 0");
    CHECK(hw.steps.at(6) == "complete 2"); // found with the next interrupt
}

TEST_CASE("results of two rounds that are merged by or wake nobody") {
    hardware hw;
    budgeted loop{bank{&hw}, noted_lock{&hw}, complete{&hw}, nanoseconds{&hw}, 15'000, 1};
    ring(hw, loop, 4);
    hw.finish(0);
    hw.later = {{1, 2}}; // the first round is in time, the second is not
    unsigned const result = loop.handler();
    CHECK(result == (kernel_baselines::irq_handled | kernel_baselines::irq_wake_thread));
    CHECK(result != kernel_baselines::irq_wake_thread);
}

TEST_CASE("a budget of less than a tick lasts until the next tick") {
    hardware hw;
    budgeted loop{bank{&hw}, noted_lock{&hw}, complete{&hw}, nanoseconds{&hw}, 20'000, 4'000'000};
    ring(hw, loop, 32);
    for (unsigned slot = 0; slot < 32; ++slot) {
        hw.finish(slot);
    }
    CHECK(loop.handler() == kernel_baselines::irq_handled); // 320 us, and nothing is left
    CHECK(hw.now == 320'000);
}

TEST_CASE("the loops run on real registers too") {
    static_assert(requires(kernel_baselines::hardirq<doorbell::mmio_bank, doorbell::null_lock, complete> loop) {
        { loop.handler() } -> std::same_as<unsigned>;
    });
    SUCCEED();
}
