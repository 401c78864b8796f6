// SPDX-License-Identifier: BSL-1.0
#include <doorbell/completion/adaptive_budget.hpp>

#include <doorbell/completion/count_budget.hpp>
#include <doorbell/completion/first_of.hpp>
#include <doorbell/completion/loop.hpp>
#include <doorbell/core/tag_set.hpp>
#include <doorbell/testing/manual_clock.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>

namespace {

using namespace doorbell;
using doorbell::testing::manual_clock;
using doorbell::testing::manual_time;
using doorbell::testing::measured_manual_clock;

constexpr std::uint64_t budget_ns = 20'000;
using budget = adaptive_budget<budget_ns>;

struct outcome_of_run {
    unsigned completions;
    std::uint64_t elapsed;
    std::uint64_t reads;
    unsigned since_look; ///< completions since the clock was read last
};

/// A core that runs again and again; `cost()` is what the next completion takes.
template <class Budget = budget>
class core {
public:
    template <class Cost>
    outcome_of_run run(unsigned waiting, Cost cost) {
        auto const begin = time_.peek();
        time_.forget_reads();
        std::uint64_t reads = 0;
        outcome_of_run r{};
        auto const batch = waiting == 32 ? tag_set<32>::all() : tag_set<32>{(1U << waiting) - 1};
        (void)complete_within(bound_, clock_, batch, [&](tag) noexcept {
            if (time_.reads() != reads) {
                reads = time_.reads();
                r.since_look = 0;
            }
            time_.advance(cost());
            ++r.completions;
            ++r.since_look;
            return true;
        });
        r.elapsed = time_.peek() - begin;
        r.reads = time_.reads();
        time_.advance(1'000'000); // until the next interrupt
        return r;
    }

    [[nodiscard]] std::uint64_t learned() const { return bound_.learned(); }

private:
    manual_time<> time_{std::numeric_limits<std::uint64_t>::max() - 500'000'000}; // wraps on the way
    manual_clock<> clock_{time_};
    typename Budget::template bound<manual_clock<>> bound_{};
};

struct statistics {
    double late; ///< runs that took longer than the budget, of all
    double completions, reads;
    unsigned longest;
};

template <class Distribution>
statistics stationary(unsigned seed, double mean, unsigned runs, Distribution distribution) {
    std::mt19937_64 random{seed};
    core<> c;
    auto const cost = [&] { return static_cast<std::uint64_t>(distribution(random) * mean); };
    for (unsigned i = 0; i < 100; ++i) {
        (void)c.run(32, cost);
    }
    statistics s{};
    for (unsigned i = 0; i < runs; ++i) {
        auto const r = c.run(32, cost);
        s.late += r.elapsed > budget_ns ? 1 : 0;
        s.completions += r.completions;
        s.reads += static_cast<double>(r.reads);
        s.longest = std::max(s.longest, r.since_look);
    }
    s.late /= runs;
    s.reads /= s.completions;
    s.completions /= runs;
    return s;
}

} // namespace

TEST_CASE("With costs that vary by chance 99.9 % of the runs stay within an adaptive budget", "[inv:B1]") {
    constexpr unsigned runs = 100'000;
    std::uniform_real_distribution<> const uniform{0.0, 2.0};
    std::exponential_distribution<> const exponential{1.0};
    std::puts(
        "adaptive_budget<20 us>, batches of 32: late runs in 100,000, completions of a run, looks of a completion");
    unsigned seed = 4711;
    for (unsigned const part : {20U, 30U, 50U, 100U, 400U}) {
        double const mean = double{budget_ns} / part;
        for (bool const even : {true, false}) {
            ++seed;
            statistics const s =
                even ? stationary(seed, mean, runs, uniform) : stationary(seed, mean, runs, exponential);
            std::printf(
                "  seed %u: %-11s, mean 1/%-3u of the budget: %6.1f late, %5.2f completions, %5.3f looks\n", seed,
                even ? "uniform" : "exponential", part, s.late * 100'000, s.completions, s.reads);
            CHECK(s.late <= 0.001);
            CHECK(s.longest <= 8);
            CHECK(s.completions >= 5);
        }
    }
}

TEST_CASE("Cheap completions cost an adaptive budget one look for eight of them", "[inv:B1]") {
    core<> c;
    auto const cheap = [] { return std::uint64_t{50}; };
    for (unsigned i = 0; i < 50; ++i) {
        (void)c.run(32, cheap);
    }
    for (unsigned n = 1; n <= 32; ++n) {
        auto const r = c.run(n, cheap);
        CHECK(r.completions == n);
        CHECK(r.reads == (n == 1 ? 0 : (n + 7) / 8));
    }
}

TEST_CASE("After a tenfold step in cost at most one run overshoots an adaptive budget", "[inv:B1]") {
    std::puts("adaptive_budget<20 us>: elapsed ns of the runs after a tenfold step in cost");
    for (std::uint64_t const before : {20U, 50U, 100U, 200U, 400U, 1'000U}) {
        core<> c;
        for (unsigned i = 0; i < 200; ++i) {
            (void)c.run(32, [=] { return before; });
        }
        std::printf(
            "  from %4llu to %5llu:", static_cast<unsigned long long>(before),
            static_cast<unsigned long long>(before * 10));
        unsigned late = 0;
        for (unsigned i = 0; i < 20; ++i) {
            auto const r = c.run(32, [=] { return before * 10; });
            if (i < 5) {
                std::printf(" %6llu", static_cast<unsigned long long>(r.elapsed));
            }
            late += r.elapsed > budget_ns ? 1 : 0;
            CHECK(r.since_look <= 8);
            if (i >= 2) {
                CHECK(r.elapsed <= budget_ns);
            }
        }
        std::puts("");
        CHECK(late <= 1);
    }
}

TEST_CASE("After a step down an adaptive budget looks less often again", "[inv:B1]") {
    core<> c;
    for (unsigned i = 0; i < 50; ++i) {
        (void)c.run(32, [] { return std::uint64_t{1'000}; });
    }
    CHECK(c.run(32, [] { return std::uint64_t{1'000}; }).completions < 32);
    for (unsigned i = 0; i < 50; ++i) {
        (void)c.run(32, [] { return std::uint64_t{100}; });
    }
    CHECK(c.run(32, [] { return std::uint64_t{100}; }).reads == 4);
    CHECK(c.run(32, [] { return std::uint64_t{100}; }).completions == 32);
}

TEST_CASE("An adaptive budget completes at least one request, however dear the last ones were", "[inv:B1]") {
    core<> c;
    for (unsigned i = 0; i < 20; ++i) {
        auto const r = c.run(32, [] { return std::uint64_t{1'000'000}; });
        CHECK(r.completions == 1);
    }
}

TEST_CASE("A clock that stands still leaves the end to a count", "[inv:B3]") {
    core<first_of<count_budget<8>, budget>> c;
    for (unsigned i = 0; i < 20; ++i) {
        CHECK(c.run(32, [] { return std::uint64_t{0}; }).completions == 8);
    }
}

TEST_CASE("A step backward of the clock teaches an adaptive budget nothing", "[inv:B3]") {
    manual_time<> time{1'000'000};
    manual_clock<> clock{time};
    budget::bound<manual_clock<>> bound{};
    auto const before = bound.learned();
    auto run = bound.start(clock, true);
    time.step_back(500);
    CHECK(run.another());
    CHECK(bound.learned() == before);
}

TEST_CASE("An adaptive budget refuses a clock that is coarser than itself", "[inv:B2]") {
    STATIC_CHECK(budget::fits<manual_clock<std::uint32_t, 20'000>>);
    STATIC_CHECK_FALSE(budget::fits<manual_clock<std::uint32_t, 20'001>>);
    using ticker = measured_manual_clock<std::uint32_t>;
    manual_time<std::uint32_t> time;
    budget::bound<ticker> bound{};
    CHECK(bound.fits(ticker{time, 50'000}));
    CHECK_FALSE(bound.fits(ticker{time, 49'999}));
    CHECK_FALSE(bound.fits(ticker{time, 0}));
}

TEST_CASE("A short counter does not overflow what an adaptive budget learns", "[inv:B3]") {
    manual_time<std::uint16_t> time{65'000};
    manual_clock<std::uint16_t> clock{time};
    adaptive_budget<30'000>::bound<manual_clock<std::uint16_t>> bound{};
    unsigned done = 0;
    auto run = bound.start(clock, true);
    do {
        time.advance(1'000);
        ++done;
    } while (run.another());
    CHECK(done >= 3);
    CHECK(done <= 30);
}
