// SPDX-License-Identifier: BSL-1.0
#include <doorbell/completion/concepts.hpp>

#include <doorbell/completion/count_budget.hpp>
#include <doorbell/completion/first_of.hpp>
#include <doorbell/completion/time_budget.hpp>
#include <doorbell/completion/unbounded.hpp>
#include <doorbell/testing/manual_clock.hpp>

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace doorbell;
using clock = testing::manual_clock<>;
using measured = testing::measured_manual_clock<>;

struct run {
    bool another() noexcept;
};

struct run_that_may_throw {
    bool another();
};

struct run_that_counts {
    int another() noexcept;
};

static_assert(budget_run<run>);
static_assert(not budget_run<run_that_may_throw>);
static_assert(not budget_run<run_that_counts>);

template <class Run, class Fits = bool>
struct policy {
    static constexpr bool completes_in_hard_handler = true;

    template <class>
    struct bound {
        Fits fits(clock const&) noexcept;
        Run start(clock&, bool) noexcept;
    };
};

struct silent_about_the_hard_handler {
    template <class>
    struct bound {
        bool fits(clock const&) noexcept;
        run start(clock&, bool) noexcept;
    };
};

static_assert(budget_policy<policy<run>, clock>);
static_assert(not budget_policy<policy<run_that_may_throw>, clock>);
static_assert(not budget_policy<policy<run, int>, clock>);
static_assert(not budget_policy<policy<run>, int>, "a budget is asked about clocks only");
static_assert(not budget_policy<silent_about_the_hard_handler, clock>);

// Every shipped policy, with a clock of fixed and one of measured rate.
template <class Clock>
constexpr bool all_shipped = budget_policy<inline_all, Clock> and budget_policy<deferred_all, Clock> and
                             budget_policy<count_budget<16>, Clock> and budget_policy<time_budget<20'000>, Clock> and
                             budget_policy<time_budget<20'000, every<4>>, Clock> and
                             budget_policy<first_of<count_budget<16>, time_budget<20'000>>, Clock>;
static_assert(all_shipped<clock> and all_shipped<measured>);

} // namespace

TEST_CASE("A clock fits a budget unless it is known while compiling that it is too coarse", "[inv:B2]") {
    STATIC_CHECK(budget_fits<time_budget<20'000>, testing::manual_clock<std::uint32_t, 20'000>>);
    STATIC_CHECK_FALSE(budget_fits<time_budget<20'000>, testing::manual_clock<std::uint32_t, 20'001>>);
    STATIC_CHECK(budget_fits<time_budget<20'000>, measured>); // asked when the core starts
    STATIC_CHECK(budget_fits<count_budget<1>, testing::manual_clock<std::uint32_t, 1'000'000'000>>);
}
