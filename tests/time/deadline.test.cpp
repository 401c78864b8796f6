// SPDX-License-Identifier: BSL-1.0
#include <doorbell/time/deadline.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

using doorbell::deadline;
using doorbell::unlimited;

TEMPLATE_TEST_CASE(
    "a deadline expires at its moment on both sides of the wrap", "[inv:B3][U.B3]", std::uint16_t, std::uint32_t,
    std::uint64_t) {
    constexpr TestType last = std::numeric_limits<TestType>::max();
    TestType const starts[] = {
        0,
        1,
        1000,
        last / 2,
        static_cast<TestType>(last / 2 + 1),
        static_cast<TestType>(last - 20),
        static_cast<TestType>(last - 99),
        static_cast<TestType>(last - 100),
        last};
    for (TestType const start : starts) {
        auto const end = deadline<TestType>::after(start, 100);
        for (TestType ticks = 0; ticks != 300; ++ticks) {
            auto const now = static_cast<TestType>(start + ticks);
            REQUIRE(end.expired(now) == (ticks >= 100));
            REQUIRE(end.remaining(now) == (ticks >= 100 ? 0 : 100 - ticks));
        }
    }
}

TEST_CASE("a deadline across the wrap is neither early nor late", "[inv:B3][Q.B36]") {
    auto const end = deadline<std::uint32_t>::after(0xFFFF'FFF0U, 100);
    CHECK_FALSE(end.expired(0xFFFF'FFF0U));
    CHECK_FALSE(end.expired(0xFFFF'FFFFU));
    CHECK_FALSE(end.expired(0));
    CHECK_FALSE(end.expired(0x53));
    CHECK(end.expired(0x54));
    CHECK(end.value() == 0x54);
}

TEST_CASE("a deadline that falls on 0 is a deadline like any other", "[inv:B3][U.B2][Q.B35]") {
    auto const end = deadline<std::uint32_t>::after(0xFFFF'FFF6U, 10);
    CHECK(end.value() == 0);
    CHECK_FALSE(end.expired(0xFFFF'FFF6U));
    CHECK_FALSE(end.expired(0xFFFF'FFFFU));
    CHECK(end.expired(0));
    CHECK(end.expired(1));

    auto const budget = deadline<std::uint32_t>::after(static_cast<std::uint32_t>(0x1'0000'0000ULL - 20), 20);
    CHECK(budget.value() == 0);
    CHECK(budget.expired(0));
    CHECK_FALSE(budget.expired(0xFFFF'FFFFU));
}

TEST_CASE("waiting for a deadline across the wrap waits its whole length", "[inv:B3][Q.B37]") {
    std::uint32_t now = 0xFFFF'FFF0U;
    auto const end = deadline<std::uint32_t>::after(now, 5000);
    unsigned waited = 0;
    while (not end.expired(now)) {
        ++now;
        ++waited;
    }
    CHECK(waited == 5000);
}

TEST_CASE("a limit of 0x20 ticks of a 32-bit counter stops work of 8 ticks each after 4 items", "[inv:B3][U.B3]") {
    for (std::uint32_t const start : {0x0000'1000U, 0xFFFF'FFF0U, 0xFFFF'FFE0U, 0xFFFF'FFFFU}) {
        std::uint32_t now = start;
        auto const end = deadline<std::uint32_t>::after(now, 0x20);
        unsigned items = 0;
        do {
            ++items;
            now += 8;
        } while (not end.expired(now) and items != 100);
        CHECK(items == 4);
    }
}

TEMPLATE_TEST_CASE(
    "a small step backward expires nothing, however long the limit", "[inv:B3]", std::uint16_t, std::uint32_t,
    std::uint64_t) {
    constexpr TestType last = std::numeric_limits<TestType>::max();
    constexpr TestType back = last / 16;
    for (TestType const length : {TestType{1}, TestType{100}, deadline<TestType>::longest, last}) {
        for (TestType const start : {TestType{0}, TestType{5}, static_cast<TestType>(last / 2), last}) {
            auto const end = deadline<TestType>::after(start, length);
            REQUIRE_FALSE(end.expired(start));
            REQUIRE_FALSE(end.expired(static_cast<TestType>(start - 1)));
            REQUIRE_FALSE(end.expired(static_cast<TestType>(start - back)));
        }
    }
}

TEMPLATE_TEST_CASE(
    "a limit that does not fit is cut, not wrapped", "[inv:B3]", std::uint16_t, std::uint32_t, std::uint64_t) {
    constexpr TestType last = std::numeric_limits<TestType>::max();
    constexpr auto longest = deadline<TestType>::longest;
    CHECK(deadline<TestType>::after(7, last) == deadline<TestType>::after(7, longest));
    CHECK_FALSE(deadline<TestType>::after(7, last).expired(static_cast<TestType>(7 + longest - 1)));
    CHECK(deadline<TestType>::after(7, last).expired(static_cast<TestType>(7 + longest)));
}

TEST_CASE("a passed deadline still looks passed half a range later") {
    auto const end = deadline<std::uint16_t>::after(100, 50);
    CHECK(end.expired(150));
    CHECK(end.expired(static_cast<std::uint16_t>(150 + 0x7FFF)));
}

TEST_CASE("no limit is a type of its own and never expires", "[inv:B3][U.B2]") {
    STATIC_CHECK_FALSE(unlimited{}.expired(std::uint32_t{0}));
    STATIC_CHECK_FALSE(unlimited{}.expired(~std::uint64_t{0}));
    STATIC_CHECK_FALSE(std::is_convertible_v<int, unlimited>);
    STATIC_CHECK_FALSE(std::is_constructible_v<unlimited, deadline<std::uint32_t>>);
    STATIC_CHECK_FALSE(std::is_convertible_v<std::uint32_t, deadline<std::uint32_t>>);
    STATIC_CHECK(doorbell::time_limit<unlimited, std::uint16_t>);
    STATIC_CHECK_FALSE(doorbell::time_limit<int, std::uint16_t>);
}
