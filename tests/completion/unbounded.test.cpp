// SPDX-License-Identifier: BSL-1.0
#include <doorbell/completion/unbounded.hpp>

#include <doorbell/testing/manual_clock.hpp>

#include <catch2/catch_test_macros.hpp>

#include <type_traits>

namespace {

using namespace doorbell;
using ticker = testing::manual_clock<>;
using all = inline_all::bound<ticker>;
using none = deferred_all::bound<ticker>;

} // namespace

TEST_CASE("No limit is a type of its own, and its run never ends", "[inv:B3]") {
    testing::manual_time<> time;
    ticker now{time};
    auto run = all::start(now, true);
    for (unsigned i = 0; i < 1000; ++i) {
        time.advance(1'000'000'000'000);
        REQUIRE(run.another());
    }
    CHECK(time.reads() == 0);
    STATIC_CHECK(inline_all::completes_in_hard_handler);
    STATIC_CHECK_FALSE(std::is_same_v<inline_all, deferred_all>);
}

TEST_CASE("deferred_all completes nothing in the hard handler", "[inv:B1]") {
    testing::manual_time<> time;
    ticker now{time};
    STATIC_CHECK_FALSE(deferred_all::completes_in_hard_handler);
    CHECK_FALSE(none::start(now, true).another());
    CHECK(time.reads() == 0);
}

TEST_CASE("Budgets without a limit keep nothing and fit every clock", "[inv:B2]") {
    testing::manual_time<> time;
    testing::measured_manual_clock<> unknown{time, 0};
    STATIC_CHECK(std::is_empty_v<all>);
    STATIC_CHECK(std::is_empty_v<none>);
    CHECK(inline_all::bound<testing::measured_manual_clock<>>::fits(unknown));
    CHECK(deferred_all::bound<testing::measured_manual_clock<>>::fits(unknown));
}
