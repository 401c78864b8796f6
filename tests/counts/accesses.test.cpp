// SPDX-License-Identifier: BSL-1.0
// Register reads and writes of one request, from its submission to its callback: the core beside three generations of a
// kernel's interrupt path. 1 to 32 requests are handed in one by one and finish together, with one interrupt.
#include "kernel_baselines.hpp"

#include <doorbell/host.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <cstdio>
#include <string>

namespace {

namespace db = doorbell;
namespace offset = doorbell::ufs::offset;

/// As much of the controller as these paths touch; it counts who comes.
struct device {
    std::uint32_t status = 0, enable = 0, doorbell = 0;
    unsigned reads = 0, writes = 0;

    std::uint32_t load(std::size_t at) noexcept {
        ++reads;
        return at == offset::is ? status : at == offset::ie ? enable : at == offset::utrldbr ? doorbell : 31;
    }

    void store(std::size_t at, std::uint32_t value) noexcept {
        ++writes;
        if (at == offset::is) {
            status &= ~value;
        } else if (at == offset::ie) {
            enable = value;
        } else if (at == offset::utrldbr) {
            doorbell |= value;
        }
    }

    void finish_all() noexcept {
        doorbell = 0;
        status |= db::ufshci::transfer;
    }
};

class bank {
public:
    explicit bank(device& d) noexcept : device_{&d} {}

    [[nodiscard]] std::uint32_t load(std::size_t at) const noexcept { return device_->load(at); }

    void store(std::size_t at, std::uint32_t value) const noexcept { device_->store(at, value); }

    void before_doorbell() const noexcept {}

    void after_done() const noexcept {}

    void before_unlock() const noexcept {}

private:
    device* device_;
};

struct disk {
    static db::outcome response(db::tag) noexcept { return db::outcome::success; }

    void completed(db::claimed<db::any_context>, db::outcome) noexcept { ++done; }

    unsigned done = 0;
};

struct count_done {
    void operator()(unsigned) const noexcept { ++*done; }

    unsigned* done;
};

struct stopped_clock {
    std::uint64_t operator()() const noexcept { return 0; }
};

using still_clock = db::counter<stopped_clock, 1>;

struct figures {
    unsigned reads, writes, done;
};

template <class... Options>
figures of_core(unsigned requests) {
    device d;
    disk drive;
    db::host<db::ufshci, disk, bank, still_clock, db::time_budget<20'000>, db::irq_spin_lock, Options...> core{
        drive, bank{d}};
    (void)core.start(db::tag_set<32>::all(), db::ufshci::transfer);
    d.reads = d.writes = 0;
    for (unsigned i = 0; i < requests; ++i) {
        (void)core.submit(db::tag{i});
    }
    d.finish_all();
    (void)core.on_hard_irq();
    return {d.reads, d.writes, drive.done};
}

template <class Path>
figures of_kernel(unsigned requests, auto... more) {
    device d;
    unsigned done = 0;
    Path path{bank{d}, db::irq_spin_lock{}, count_done{&done}, more...};
    path.start(db::ufshci::transfer);
    d.reads = d.writes = 0;
    for (unsigned i = 0; i < requests; ++i) {
        path.submit(i);
    }
    d.finish_all();
    if (path.handler() == kernel_baselines::irq_wake_thread) {
        if constexpr (requires { path.thread(); }) {
            path.thread();
        }
    }
    return {d.reads, d.writes, done};
}

using hardirq = kernel_baselines::hardirq<bank, db::irq_spin_lock, count_done>;
using threaded = kernel_baselines::threaded<bank, db::irq_spin_lock, count_done>;
using budgeted = kernel_baselines::budgeted<bank, db::irq_spin_lock, count_done, stopped_clock>;

constexpr unsigned rows[] = {1, 2, 4, 8, 16, 32};

} // namespace

TEST_CASE("One request costs two reads and two writes of registers, where each kernel needs four and two", "[counts]") {
    figures const core = of_core<>(1);
    CHECK(core.reads == 2);
    CHECK(core.writes == 2);
    CHECK(core.done == 1);
    for (figures const kernel :
         {of_kernel<hardirq>(1), of_kernel<threaded>(1),
          of_kernel<budgeted>(1, stopped_clock{}, std::uint64_t{20'000}, std::uint64_t{1})}) {
        CHECK(kernel.reads == 4);
        CHECK(kernel.writes == 2);
        CHECK(kernel.done == 1);
    }
}

TEST_CASE("The optimistic order reads once, and twice in every 64th interrupt", "[counts]") {
    device d;
    disk drive;
    db::host<db::ufshci, disk, bank, still_clock, db::time_budget<20'000>, db::irq_spin_lock, db::optimistic<64>> core{
        drive, bank{d}};
    (void)core.start(db::tag_set<32>::all(), db::ufshci::transfer);
    d.reads = d.writes = 0;
    for (unsigned i = 0; i < 64 * 10; ++i) {
        (void)core.submit(db::tag{i % 32});
        d.finish_all();
        CHECK(core.on_hard_irq().handled());
    }
    CHECK(drive.done == 64 * 10);
    CHECK(d.reads == 65 * 10);
    CHECK(d.writes == 2 * 64 * 10);
}

TEST_CASE("With any number of requests the core touches registers no more often than any kernel path", "[counts]") {
    std::puts("reads and writes of registers for each request");
    std::puts("finished        core  optimistic     hardirq    threaded    budgeted");
    for (unsigned const n : rows) {
        figures const paths[] = {
            of_core<>(n), of_core<db::optimistic<64>>(n), of_kernel<hardirq>(n), of_kernel<threaded>(n),
            of_kernel<budgeted>(n, stopped_clock{}, std::uint64_t{20'000}, std::uint64_t{1})};
        std::printf("%8u", n);
        for (figures const& path : paths) {
            std::printf("  %5.2f%5.2f", double(path.reads) / n, double(path.writes) / n);
            CHECK(path.done == n);
            CHECK(paths[1].reads <= path.reads);
            CHECK(paths[0].writes <= path.writes);
            CHECK(paths[1].writes <= path.writes);
        }
        std::puts("");
        CHECK(paths[0].reads == 2); // whatever has finished; every kernel path reads four times
        CHECK(paths[1].reads == 1);
    }
}
