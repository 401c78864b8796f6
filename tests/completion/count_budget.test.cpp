// SPDX-License-Identifier: BSL-1.0
#include <doorbell/completion/count_budget.hpp>

#include <doorbell/testing/manual_clock.hpp>

#include <catch2/catch_test_macros.hpp>

#include <type_traits>

namespace {

using namespace doorbell;
using ticker = testing::manual_clock<>;

/// Completions that a run allows when it is asked after each of them.
template <unsigned Count>
constexpr unsigned allowed() {
    testing::manual_time<> time;
    ticker now{time};
    auto run = count_budget<Count>::template bound<ticker>::start(now, true);
    unsigned completions = 1;
    while (completions < 1000 and run.another()) {
        ++completions;
    }
    return completions;
}

static_assert(std::is_empty_v<count_budget<16>::bound<ticker>>);

} // namespace

TEST_CASE("A count budget allows exactly as many completions as it says", "[inv:B1]") {
    STATIC_CHECK(allowed<1>() == 1);
    STATIC_CHECK(allowed<2>() == 2);
    STATIC_CHECK(allowed<16>() == 16);
    STATIC_CHECK(count_budget<1>::completes_in_hard_handler);
}

TEST_CASE("Each run of a count budget begins anew", "[inv:B1]") {
    testing::manual_time<> time;
    ticker now{time};
    count_budget<2>::bound<ticker> budget;
    for (unsigned entry = 0; entry < 3; ++entry) {
        auto run = budget.start(now, true);
        CHECK(run.another());
        CHECK_FALSE(run.another());
    }
}

TEST_CASE("A count budget reads no clock and fits every clock", "[inv:B2]") {
    testing::manual_time<> time;
    testing::measured_manual_clock<> now{time, 0};
    count_budget<2>::bound<testing::measured_manual_clock<>> budget;
    CHECK(budget.fits(now));
    auto run = budget.start(now, true);
    CHECK(run.another());
    CHECK(time.reads() == 0);
}
