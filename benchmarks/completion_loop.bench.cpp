// SPDX-License-Identifier: BSL-1.0
// The completion loop, from "what finished?" to the last callback: 1, 8 and 32 finished of 32, beside the shortest loop
// that runs the same callbacks. The range-v3 contender stands in a file of its own, since it is slow to compile.
#include "kit/batches.hpp"
#include "kit/disk.hpp"

#include <doorbell/completion/adaptive_budget.hpp>
#include <doorbell/completion/loop.hpp>
#include <doorbell/completion/time_budget.hpp>
#include <doorbell/completion/unbounded.hpp>
#include <doorbell/lock/null_lock.hpp>
#include <doorbell/lock/spin_lock.hpp>
#include <doorbell/time/chrono_clock.hpp>
#include <doorbell/time/cycle_counter.hpp>
#include <doorbell/tracking/tracker.hpp>

namespace {

namespace db = doorbell;
using tags = db::tag_set<32>;

template <unsigned Nanoseconds>
bench::disk<Nanoseconds> drive;

/// What to complete, already claimed: nothing but the loop is measured.
struct word {
    std::uint32_t bits = 0;
};

template <unsigned Nanoseconds>
void bare_loop(std::uint32_t bits) {
    auto& disk = drive<Nanoseconds>;
    while (bits != 0) {
        db::tag const each{static_cast<unsigned>(__builtin_ctz(bits))};
        bits &= bits - 1;
        disk.completed(db::claimed<db::any_context>{each}, disk.response(each));
    }
}

/// The loop of a driver that walks a bitmap by asking for the next set bit from a position on, out of line as kernels
/// have it.
[[gnu::noinline]] unsigned find_next_bit(std::uint32_t const* map, unsigned size, unsigned from) {
    std::uint32_t const rest = from < size ? *map & (0xFFFF'FFFFU << from) : 0;
    return rest == 0 ? size : static_cast<unsigned>(__builtin_ctz(rest));
}

template <unsigned Nanoseconds>
void next_bit_loop(std::uint32_t bits) {
    auto& disk = drive<Nanoseconds>;
    for (unsigned i = find_next_bit(&bits, 32, 0); i < 32; i = find_next_bit(&bits, 32, i + 1)) {
        db::tag const each{i};
        disk.completed(db::claimed<db::any_context>{each}, disk.response(each));
    }
}

/// A clock for the contender: the rate is near enough, since nothing here comes to the end of its budget.
template <class Clock>
[[nodiscard]] Clock make_clock() {
    if constexpr (db::measured_rate<Clock>) {
        return Clock{2'000'000'000};
    } else {
        return Clock{};
    }
}

/// A tracker with everything outstanding and a doorbell that tells what finished: claim, lock, clock and loop count.
template <class Lock, class Budget, class Clock>
class source {
public:
    source() {
        all_outstanding_.open(tags::all());
        (void)all_outstanding_.submit(tags::all(), [](tags) noexcept {});
        (void)budget_.fits(clock_);
    }

    void prepare(std::uint32_t finished) {
        requests_ = all_outstanding_;
        doorbell_ = ~finished;
    }

    template <unsigned Nanoseconds>
    [[gnu::noinline]] std::uint32_t run() {
        auto& disk = drive<Nanoseconds>;
        auto const found = requests_.claim([this]() noexcept { return tags{doorbell_}; });
        auto const rest = db::complete_within(budget_, clock_, found.batch, [&](db::tag each) noexcept {
            auto const result = disk.response(each);
            if (not is_final(result)) [[unlikely]] {
                return false;
            }
            disk.completed(db::claimed<db::any_context>{each}, result);
            return true;
        });
        return (rest.unasked | rest.lagging).raw();
    }

private:
    using requests = db::tracker<32, Lock>;

    requests requests_{};
    std::uint32_t volatile doorbell_ = 0;
    typename Budget::template bound<Clock> budget_{};
    Clock clock_ = make_clock<Clock>();
    requests all_outstanding_{};
};

template <unsigned Nanoseconds, class Loop>
void enter_loop(std::string const& contender, std::string const& row, unsigned finished, Loop loop) {
    bench::enter<word>(
        contender, row, finished, [=](word& w) { w.bits = bench::finished(finished); },
        [=](word& w) {
            std::uint32_t bits = w.bits;
            benchmark::DoNotOptimize(bits);
            loop(bits);
        });
}

template <unsigned Nanoseconds, class Lock, class Budget, class Clock>
void enter_source(std::string const& contender, std::string const& row, unsigned finished) {
    using subject = source<Lock, Budget, Clock>;
    bench::enter<subject>(
        contender, row, finished, [=](subject& s) { s.prepare(bench::finished(finished)); },
        [](subject& s) {
            std::uint32_t rest = s.template run<Nanoseconds>();
            benchmark::DoNotOptimize(rest);
        });
}

template <unsigned Nanoseconds>
void enter_all() {
    using budget = db::time_budget<1'000'000, db::every<16>>;
    using budget_each = db::time_budget<1'000'000>;
    std::string const row = "callback of about " + std::to_string(Nanoseconds) + " ns";
    for (unsigned const n : {1U, 8U, 32U}) {
        enter_loop<Nanoseconds>("bare loop", row, n, bare_loop<Nanoseconds>);
        enter_loop<Nanoseconds>("find next bit", row, n, next_bit_loop<Nanoseconds>);
        enter_source<Nanoseconds, db::null_lock, db::inline_all, db::cycle_counter>("no budget, null", row, n);
        enter_source<Nanoseconds, db::null_lock, budget, db::cycle_counter>("every<16>, null", row, n);
        enter_source<Nanoseconds, db::spin_lock, budget, db::cycle_counter>("every<16>, spin", row, n);
        enter_source<Nanoseconds, db::null_lock, db::adaptive_budget<1'000'000>, db::cycle_counter>(
            "adaptive, null", row, n);
        enter_source<Nanoseconds, db::null_lock, budget_each, db::cycle_counter>("every<1>, null", row, n);
        enter_source<Nanoseconds, db::null_lock, budget_each, db::chrono_clock<std::chrono::steady_clock>>(
            "every<1>, steady_clock", row, n);
    }
}

[[maybe_unused]] bool const entered = [] {
    enter_all<0>();
    enter_all<50>();
    enter_all<500>();
    return true;
}();

} // namespace
