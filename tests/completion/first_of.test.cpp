// SPDX-License-Identifier: BSL-1.0
#include <doorbell/completion/first_of.hpp>

#include <doorbell/completion/count_budget.hpp>
#include <doorbell/completion/time_budget.hpp>
#include <doorbell/testing/manual_clock.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

namespace {

using namespace doorbell;
using doorbell::testing::manual_clock;
using doorbell::testing::manual_time;
using doorbell::testing::measured_manual_clock;

template <class Budget>
constexpr unsigned completions(std::uint64_t cost) {
    manual_time<> time;
    manual_clock<> now{time};
    typename Budget::template bound<manual_clock<>> budget;
    auto run = budget.start(now, true);
    unsigned done = 0;
    do {
        time.advance(cost);
        ++done;
    } while (done < 1000 and run.another());
    return done;
}

using both = first_of<count_budget<8>, time_budget<100>>;
using turned = first_of<time_budget<100>, count_budget<8>>;

} // namespace

TEST_CASE("The budget that is used up first ends the run, in either order", "[inv:B1]") {
    STATIC_CHECK(completions<both>(50) == 2);
    STATIC_CHECK(completions<turned>(50) == 2);
    STATIC_CHECK(completions<both>(1) == 8);
    STATIC_CHECK(completions<turned>(1) == 8);
    STATIC_CHECK(both::completes_in_hard_handler);
}

TEST_CASE("A frozen clock is caught by the count", "[inv:B3]") {
    STATIC_CHECK(completions<both>(0) == 8);
    STATIC_CHECK(completions<turned>(0) == 8);
}

TEST_CASE("Three budgets and a nested combination count each completion once", "[inv:B1]") {
    STATIC_CHECK(completions<first_of<count_budget<9>, count_budget<3>, time_budget<100>>>(1) == 3);
    STATIC_CHECK(completions<first_of<both, count_budget<5>>>(1) == 5);
}

TEST_CASE("The cheap budget that says no spares the clock", "[inv:B1]") {
    manual_time<> time;
    manual_clock<> now{time};
    first_of<count_budget<1>, time_budget<100>>::bound<manual_clock<>> budget;
    auto run = budget.start(now, true);
    time.forget_reads();
    CHECK_FALSE(run.another());
    CHECK(time.reads() == 0);
}

TEST_CASE("Every part of a combination judges the clock", "[inv:B2]") {
    STATIC_CHECK(both::fits<manual_clock<std::uint32_t, 100>>);
    STATIC_CHECK_FALSE(both::fits<manual_clock<std::uint32_t, 101>>);
    STATIC_CHECK_FALSE(turned::fits<manual_clock<std::uint32_t, 101>>);

    using ticker = measured_manual_clock<>;
    manual_time<> time;
    both::bound<ticker> budget;
    turned::bound<ticker> other;
    CHECK(budget.fits(ticker{time, 10'000'000}));
    CHECK_FALSE(budget.fits(ticker{time, 9'999'999}));
    CHECK_FALSE(other.fits(ticker{time, 9'999'999}));
}

TEST_CASE("Both of two time budgets learn the rate of the clock, also when the first does not fit", "[inv:B2]") {
    using ticker = measured_manual_clock<>;
    manual_time<> time;
    ticker now{time, 1'000'000'000};
    first_of<time_budget<50>, time_budget<1'000>>::bound<ticker> budget;
    REQUIRE(budget.fits(now));
    auto run = budget.start(now, true);
    time.advance(49);
    CHECK(run.another());
    time.advance(1);
    CHECK_FALSE(run.another());
}
