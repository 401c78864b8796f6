// SPDX-License-Identifier: BSL-1.0
#include <replay/duration.hpp>

#include <catch2/catch_test_macros.hpp>

using replay::parse_duration;

TEST_CASE("times are written with a unit, or as nanoseconds") {
    CHECK(parse_duration("0") == 0U);
    CHECK(parse_duration("250") == 250U);
    CHECK(parse_duration("1ns") == 1U);
    CHECK(parse_duration("20us") == 20'000U);
    CHECK(parse_duration("20 us") == 20'000U);
    CHECK(parse_duration("1.5us") == 1'500U);
    CHECK(parse_duration("4ms") == 4'000'000U);
    CHECK(parse_duration("0.25s") == 250'000'000U);
    CHECK(parse_duration("10s") == 10'000'000'000U);
}

TEST_CASE("what is no time is refused") {
    for (char const* text :
         {"", "us", "-1", "1.5", "1.5ns", "1,5us", "20u", "20 us ", "20usec", "11s", "1.us", ".5us",
          "99999999999999999999", "0x10", "1.0000000001s"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_duration(text));
    }
}
