// SPDX-License-Identifier: BSL-1.0
// What happens while the lock is held, and for how long: the same for one finished request and for 32, for callbacks
// that take no time and for callbacks of 10 us. A kernel path that completes under its lock stands beside it.
#include "kernel_baselines.hpp"

#include <doorbell/host.hpp>
#include <doorbell/testing/checking_lock.hpp>
#include <doorbell/testing/manual_clock.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace {

namespace db = doorbell;
namespace offset = doorbell::ufs::offset;
using db::testing::checking_lock;
using db::testing::lock_watch;
using ticker = db::testing::manual_clock<>;

constexpr std::uint64_t access_ns = 300;

/// Virtual time passes in register accesses and in callbacks; sections of the lock are measured by it.
struct world {
    db::testing::manual_time<> time{};
    std::uint32_t status = 0, doorbell = 0;
    unsigned accesses = 0;      ///< since the lock was taken
    std::uint64_t taken_at = 0; ///< when
    unsigned most_accesses = 0, sections = 0;
    std::uint64_t longest = 0;
    std::uint64_t callback_ns = 0;
    unsigned done = 0;

    lock_watch lock{lock_watch::hooks{
        .self = this,
        .acquired =
            [](void* self) {
                auto& w = *static_cast<world*>(self);
                ++w.sections;
                w.accesses = 0;
                w.taken_at = w.time.peek();
            },
        .released =
            [](void* self) {
                auto& w = *static_cast<world*>(self);
                w.most_accesses = std::max(w.most_accesses, w.accesses);
                w.longest = std::max(w.longest, w.time.peek() - w.taken_at);
            }}};

    void forget() noexcept {
        most_accesses = sections = 0;
        longest = 0;
    }

    void access() noexcept {
        ++accesses;
        time.advance(access_ns);
    }

    void complete() noexcept {
        ++done;
        time.advance(callback_ns);
    }

    void finish_all() noexcept {
        doorbell = 0;
        status |= db::ufshci::transfer;
    }
};

class bank {
public:
    explicit bank(world& w) noexcept : world_{&w} {}

    [[nodiscard]] std::uint32_t load(std::size_t at) const noexcept {
        world_->access();
        return at == offset::is ? world_->status : at == offset::utrldbr ? world_->doorbell : ~0U;
    }

    void store(std::size_t at, std::uint32_t value) const noexcept {
        world_->access();
        if (at == offset::is) {
            world_->status &= ~value;
        } else if (at == offset::utrldbr) {
            world_->doorbell |= value;
        }
    }

    void before_doorbell() const noexcept {}

    void after_done() const noexcept {}

    void before_unlock() const noexcept {}

private:
    world* world_;
};

struct disk {
    static db::outcome response(db::tag) noexcept { return db::outcome::success; }

    void completed(db::claimed<db::any_context>, db::outcome) noexcept { here->complete(); }

    world* here;
};

struct held {
    unsigned accesses;
    std::uint64_t ns;
    unsigned sections;
};

held core_holds(unsigned finished, std::uint64_t callback_ns) {
    world w;
    w.callback_ns = callback_ns;
    disk drive{&w};
    db::host<db::ufshci, disk, bank, ticker, db::inline_all, checking_lock> core{
        drive, bank{w}, ticker{w.time}, checking_lock{w.lock}};
    (void)core.start(db::tag_set<32>::all(), db::ufshci::transfer);
    (void)core.submit(finished == 32 ? db::tag_set<32>::all() : db::tag_set<32>{(1U << finished) - 1});
    w.finish_all();
    w.forget();
    (void)core.on_hard_irq();
    CHECK(w.done == finished);
    CHECK(w.lock.errors() == 0);
    return {w.most_accesses, w.longest, w.sections};
}

struct completes {
    void operator()(unsigned) const noexcept { here->complete(); }

    world* here;
};

struct now {
    std::uint64_t operator()() const noexcept { return here->time.peek(); }

    world* here;
};

held budgeted_holds(unsigned finished, std::uint64_t callback_ns) {
    world w;
    w.callback_ns = callback_ns;
    kernel_baselines::budgeted<bank, checking_lock, completes, now> path{bank{w}, checking_lock{w.lock}, completes{&w},
                                                                         now{&w}, 1'000'000'000,         1};
    for (unsigned i = 0; i < finished; ++i) {
        path.submit(i);
    }
    w.finish_all();
    w.forget();
    (void)path.handler();
    return {w.most_accesses, w.longest, w.sections};
}

} // namespace

TEST_CASE("The lock is held for one register access, however many finished and whatever callbacks take", "[counts]") {
    std::puts("longest lock section of an interrupt: register accesses, ns of virtual time (300 ns an access)");
    std::puts("finished  callback        core    completing under the lock");
    for (unsigned const finished : {1U, 32U}) {
        for (std::uint64_t const callback_ns : {std::uint64_t{0}, std::uint64_t{10'000}}) {
            held const core = core_holds(finished, callback_ns);
            held const kernel = budgeted_holds(finished, callback_ns);
            std::printf(
                "%8u  %5llu ns  %2u %6llu    %2u %6llu\n", finished, static_cast<unsigned long long>(callback_ns),
                core.accesses, static_cast<unsigned long long>(core.ns), kernel.accesses,
                static_cast<unsigned long long>(kernel.ns));
            CHECK(core.accesses == 1);
            CHECK(core.ns == access_ns);
            CHECK(core.sections == 1);
            CHECK(kernel.ns == access_ns + finished * callback_ns);
        }
    }
}
