// SPDX-License-Identifier: BSL-1.0
#include <doorbell/time/cycle_counter.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

using doorbell::cycle_counter;

TEST_CASE("the cycle counter counts on") {
    cycle_counter const clock{1'000'000'000};
    auto const first = clock.now();
    unsigned tries = 0;
    while (clock.now() == first and tries != 1'000'000) {
        ++tries;
    }
    CHECK(static_cast<cycle_counter::rep>(clock.now() - first) > 0);
}

TEST_CASE("the rate given in hertz makes resolution and ticks", "[inv:B2]") {
    STATIC_CHECK(cycle_counter{3'000'000'000}.resolution_ns() == 1);
    STATIC_CHECK(cycle_counter{3'000'000'000}.ticks(20'000) == 60'000);
    STATIC_CHECK(cycle_counter{24'000'000}.resolution_ns() == 42);
    STATIC_CHECK(cycle_counter{24'000'000}.ticks(1'000) == 24);
    STATIC_CHECK(cycle_counter{1}.resolution_ns() == 1'000'000'000);
    STATIC_CHECK(cycle_counter{18'000'000'000}.ticks(1) == 18);
}

TEST_CASE("a cycle counter that was not told its rate is too coarse for everything", "[inv:B2]") {
    STATIC_CHECK(cycle_counter{}.resolution_ns() == ~std::uint64_t{0});
    STATIC_CHECK(cycle_counter{}.ticks(~std::uint64_t{0}) == 0);
}

TEST_CASE("a cycle counter sits in constant initialisation") {
    static constinit cycle_counter clock{1'000'000};
    CHECK(clock.ticks(2'000) == 2);
}
