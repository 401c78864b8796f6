// SPDX-License-Identifier: BSL-1.0
// One interrupt, from its first register access to the last callback: three generations of a kernel's path, C by hand
// and the composed core, on the same registers with the same callbacks.
#include "c/core.h"
#include "kernel_baselines.hpp"
#include "kit/batches.hpp"
#include "kit/disk.hpp"
#include "kit/registers.hpp"

#include <doorbell/host.hpp>

extern "C" {
C_CORE(bench_c_null_16_)
C_CORE(bench_c_spin_16_)
}

namespace {

namespace db = doorbell;

/// The driver of all: memory and callback are those of the C.
struct disk {
    [[nodiscard]] db::outcome response(db::tag t) const noexcept {
        std::uint32_t const volatile& word = data.list[t.index].word[2];
        return static_cast<db::outcome>(word & 0xFFU);
    }

    void completed(db::claimed<db::any_context> won, db::outcome result) noexcept {
        disk_completed(&data, won.index(), static_cast<std::uint32_t>(result));
    }

    c_disk data{};
};

disk drive;

/// The time stamp counter, taken for one nanosecond per tick: nothing here comes to the end of its budget.
struct read_counter {
    std::uint64_t operator()() const noexcept { return __builtin_ia32_rdtsc(); }
};

using counter = db::counter<read_counter, 1>;

struct complete {
    void operator()(unsigned slot) const noexcept {
        db::tag const each{slot};
        drive.completed(db::claimed<db::any_context>{each}, drive.response(each));
    }
};

/// All contenders hand in `tags` one by one; then the hardware finishes them together.
template <class Submit>
void hand_in(bench::registers& r, std::uint32_t tags, Submit submit) {
    for (std::uint32_t rest = tags; rest != 0; rest &= rest - 1) {
        submit(static_cast<unsigned>(__builtin_ctz(rest)));
    }
    r.finish(tags);
}

using budget = db::time_budget<20'000'000, db::every<16>>;

template <class Budget, class Lock, bool Counts, class... Options>
class core {
public:
    core() { (void)core_.start(db::tag_set<32>::all(), db::ufshci::transfer); }

    void prepare(std::uint32_t tags) {
        hand_in(registers, tags, [this](unsigned i) { (void)core_.submit(db::tag{i}); });
    }

    void run() {
        auto result = core_.on_hard_irq();
        benchmark::DoNotOptimize(result);
    }

    bench::registers registers{};

private:
    db::host<db::ufshci, disk, bench::bank<Counts>, counter, Budget, Lock, Options...> core_{
        drive, bench::bank<Counts>{registers}};
};

template <class Lock, bool Counts>
using core_in_order = core<budget, Lock, Counts>;
template <class Lock, bool Counts>
using core_without_budget = core<db::inline_all, Lock, Counts>;
template <class Lock, bool Counts>
using core_optimistic = core<budget, Lock, Counts, db::optimistic<64>>;

template <class Path>
class kernel {
public:
    void prepare(std::uint32_t tags) {
        hand_in(registers, tags, [this](unsigned i) { path_.submit(i); });
    }

    void run() {
        unsigned result = path_.handler();
        if constexpr (requires { path_.thread(); }) {
            if (result == kernel_baselines::irq_wake_thread) {
                path_.thread();
            }
        }
        benchmark::DoNotOptimize(result);
    }

    kernel() { path_.start(db::ufshci::transfer); }

    bench::registers registers{};

private:
    static Path make(bench::registers& r) {
        using bank = decltype(bank_of(static_cast<Path*>(nullptr)));
        if constexpr (requires { Path{bank{r}, {}, complete{}}; }) {
            return Path{bank{r}, {}, complete{}};
        } else {
            return Path{bank{r}, {}, complete{}, read_counter{}, 20'000'000, 1};
        }
    }

    template <template <class, class, class> class P, class Bank, class Lock>
    static Bank bank_of(P<Bank, Lock, complete>*);
    template <template <class, class, class, class> class P, class Bank, class Lock>
    static Bank bank_of(P<Bank, Lock, complete, read_counter>*);

    Path path_ = make(registers);
};

template <class Lock, bool Counts>
using hardirq = kernel<kernel_baselines::hardirq<bench::bank<Counts>, Lock, complete>>;
template <class Lock, bool Counts>
using threaded = kernel<kernel_baselines::threaded<bench::bank<Counts>, Lock, complete>>;
template <class Lock, bool Counts>
using budgeted = kernel<kernel_baselines::budgeted<bench::bank<Counts>, Lock, complete, read_counter>>;

/// The C does not count its accesses: it is known to make those of the core.
template <class Lock, bool>
class by_hand {
    static constexpr bool spins = std::same_as<Lock, db::irq_spin_lock>;

public:
    by_hand() {
        core_.disk = &drive.data;
        core_.registers = reinterpret_cast<unsigned char*>(const_cast<std::uint32_t*>(registers.word));
        (spins ? bench_c_spin_16_start : bench_c_null_16_start)(&core_, ~0U, db::ufshci::transfer);
    }

    void prepare(std::uint32_t tags) {
        hand_in(registers, tags, [this](unsigned i) {
            (void)(spins ? bench_c_spin_16_submit : bench_c_null_16_submit)(&core_, i);
        });
    }

    void run() {
        unsigned result = (spins ? bench_c_spin_16_irq : bench_c_null_16_irq)(&core_);
        benchmark::DoNotOptimize(result);
    }

    bench::registers registers{};

private:
    c_core core_{};
};

/// Register accesses of one interrupt, counted apart from the measurement.
template <class Counting>
std::pair<unsigned, unsigned> accesses(std::uint32_t tags) {
    Counting subject;
    subject.prepare(tags);
    subject.registers.reads = subject.registers.writes = 0;
    subject.run();
    return {subject.registers.reads, subject.registers.writes};
}

template <class Lock, template <class, bool> class Contender, template <class, bool> class CountedAs = Contender>
void enter(std::string const& name, std::string const& row) {
    for (unsigned const n : {1U, 2U, 4U, 8U, 16U, 32U}) {
        std::uint32_t const tags = bench::finished(n);
        auto const [reads, writes] = accesses<CountedAs<Lock, true>>(tags);
        bench::enter<Contender<Lock, false>>(
            name, row, n, [=](auto& subject) { subject.prepare(tags); }, [](auto& subject) { subject.run(); }, reads,
            writes);
    }
}

template <class Lock>
void enter_all(std::string const& row) {
    enter<Lock, by_hand, core_in_order>("C by hand", row);
    enter<Lock, core_in_order>("doorbell", row);
    enter<Lock, core_without_budget>("doorbell, no budget", row);
    enter<Lock, core_optimistic>("doorbell, optimistic", row);
    enter<Lock, hardirq>("kernel hardirq", row);
    enter<Lock, threaded>("kernel threaded", row);
    enter<Lock, budgeted>("kernel budgeted", row);
}

[[maybe_unused]] bool const entered = [] {
    enter_all<db::null_lock>("interrupt, no lock");
    enter_all<db::irq_spin_lock>("interrupt, spin lock");
    return true;
}();

} // namespace
