// SPDX-License-Identifier: BSL-1.0
#include <doorbell/completion/time_budget.hpp>

#include <doorbell/testing/manual_clock.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <limits>

namespace {

using namespace doorbell;
using doorbell::testing::manual_clock;
using doorbell::testing::manual_time;
using doorbell::testing::measured_manual_clock;

struct usage {
    unsigned completions;
    std::uint64_t reads;
    friend constexpr bool operator==(usage const&, usage const&) = default;
};

/// A run of at most `waiting` completions that take `cost` ticks each, on a counter that starts at `begin`.
template <class Budget, class Rep>
constexpr usage spend(Rep begin, Rep cost, unsigned waiting) {
    manual_time<Rep> time{begin};
    manual_clock<Rep> now{time};
    typename Budget::template bound<manual_clock<Rep>> budget;
    auto run = budget.start(now, waiting > 1);
    unsigned completions = 0;
    for (;;) {
        time.advance(cost);
        ++completions;
        if (completions == waiting or not run.another()) {
            return {completions, time.reads()};
        }
    }
}

template <class Rep>
constexpr Rep last = std::numeric_limits<Rep>::max();

} // namespace

TEST_CASE("A time budget ends after the first completion that reaches its time", "[inv:B1]") {
    STATIC_CHECK(spend<time_budget<100>, std::uint64_t>(0, 30, 32) == usage{4, 5}); // 30 60 90 120
    STATIC_CHECK(spend<time_budget<100>, std::uint64_t>(0, 50, 32) == usage{2, 3}); // exactly on time is out of time
    STATIC_CHECK(spend<time_budget<100>, std::uint64_t>(0, 99, 32) == usage{2, 3});
}

TEST_CASE("A time budget completes at least one request, however late it is", "[inv:B1]") {
    STATIC_CHECK(spend<time_budget<100>, std::uint64_t>(0, 100'000, 32) == usage{1, 2});
}

TEST_CASE("With a stride the clock is read once per stride, and the overshoot is one stride", "[inv:B1]") {
    STATIC_CHECK(spend<time_budget<100, every<4>>, std::uint64_t>(0, 30, 32) == usage{4, 2});
    STATIC_CHECK(spend<time_budget<100, every<4>>, std::uint64_t>(0, 20, 32) == usage{8, 3});
    STATIC_CHECK(spend<time_budget<100, every<4>>, std::uint64_t>(0, 1000, 32) == usage{4, 2});
    STATIC_CHECK(spend<time_budget<100, every<1>>, std::uint64_t>(0, 20, 32) == usage{5, 6});
}

TEST_CASE("A run that nothing waits behind reads no clock", "[inv:B1]") {
    STATIC_CHECK(spend<time_budget<100>, std::uint64_t>(0, 5, 1) == usage{1, 0});
}

TEMPLATE_TEST_CASE(
    "A time budget is right over the wrap of its counter", "[inv:B3]", std::uint16_t, std::uint32_t, std::uint64_t) {
    using rep = TestType;
    for (rep before = 0; before < 130; ++before) {
        auto const begin = static_cast<rep>(last<rep> - before);
        REQUIRE(spend<time_budget<100>, rep>(begin, 30, 32) == usage{4, 5});
        REQUIRE(spend<time_budget<100>, rep>(begin, 1, 32) == usage{32, 32});
    }
}

TEMPLATE_TEST_CASE(
    "A small step backward of the clock ends nothing", "[inv:B3]", std::uint16_t, std::uint32_t, std::uint64_t) {
    using rep = TestType;
    for (rep const begin : {rep{0}, rep{5}, rep{1000}, last<rep>}) {
        manual_time<rep> time{begin};
        manual_clock<rep> now{time};
        typename time_budget<100>::template bound<manual_clock<rep>> budget;
        auto run = budget.start(now, true);
        time.step_back(50);
        CHECK(run.another());
        time.advance(149);
        CHECK(run.another());
        time.advance(1);
        CHECK_FALSE(run.another());
    }
}

TEST_CASE("A budget longer than the counter can tell is cut, and does not expire at once", "[inv:B3]") {
    using short_clock = manual_clock<std::uint16_t>;
    manual_time<std::uint16_t> time;
    short_clock now{time};
    time_budget<60'000>::bound<short_clock> budget;
    auto run = budget.start(now, true);
    time.advance(20'000);
    CHECK(run.another());
    time.advance(12'767);
    CHECK_FALSE(run.another()); // half the range: early, never too late
}

TEST_CASE("A clock of fixed rate that is coarser than the budget is known while compiling", "[inv:B2]") {
    STATIC_CHECK(time_budget<20'000>::fits<manual_clock<std::uint32_t, 20'000>>);
    STATIC_CHECK_FALSE(time_budget<20'000>::fits<manual_clock<std::uint32_t, 20'001>>);
    STATIC_CHECK_FALSE(time_budget<1>::fits<manual_clock<std::uint64_t, 4'000'000>>);
}

TEST_CASE("A clock of measured rate is asked when the core starts", "[inv:B2]") {
    using ticker = measured_manual_clock<std::uint32_t>;
    manual_time<std::uint32_t> time;
    time_budget<20'000>::bound<ticker> budget;
    STATIC_CHECK(time_budget<20'000>::fits<ticker>);
    CHECK(budget.fits(ticker{time, 50'000}));       // 20 us exactly
    CHECK_FALSE(budget.fits(ticker{time, 49'999})); // a little more
    CHECK_FALSE(budget.fits(ticker{time, 100}));    // a tick of an operating system
    CHECK_FALSE(budget.fits(ticker{time, 0}));      // does not know its rate yet
}

TEST_CASE("A run on a clock of measured rate counts in that clock's ticks", "[inv:B2]") {
    using ticker = measured_manual_clock<std::uint32_t>;
    manual_time<std::uint32_t> time;
    ticker now{time, 1'000'000};
    time_budget<20'000>::bound<ticker> budget;
    REQUIRE(budget.fits(now));
    auto run = budget.start(now, true);
    time.advance(19);
    CHECK(run.another());
    time.advance(1);
    CHECK_FALSE(run.another());
}
