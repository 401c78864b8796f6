// SPDX-License-Identifier: BSL-1.0
#include <doorbell/testing/manual_clock.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

using namespace doorbell;
using namespace doorbell::testing;

TEST_CASE("manual time moves only when told") {
    manual_time<> time{100};
    manual_clock<> const clock{time};
    CHECK(clock.now() == 100);
    CHECK(clock.now() == 100);
    time.advance(5);
    CHECK(clock.now() == 105);
    time.step_back(10);
    CHECK(clock.now() == 95);
    time.set(7);
    CHECK(clock.now() == 7);
}

TEST_CASE("manual time counts the readings of its clocks and not its own") {
    manual_time<> time{};
    manual_clock<> const clock{time};
    manual_clock<> const copy = clock;
    CHECK(time.reads() == 0);
    static_cast<void>(clock.now());
    static_cast<void>(copy.now());
    static_cast<void>(time.peek());
    CHECK(time.reads() == 2);
    time.forget_reads();
    CHECK(time.reads() == 0);
}

TEST_CASE("manual time of 16 and 32 bits wraps") {
    manual_time<std::uint16_t> small{0xFFFF};
    small.advance(2);
    CHECK(small.peek() == 1);
    small.step_back(3);
    CHECK(small.peek() == 0xFFFE);
    manual_time<std::uint32_t> middle{0xFFFF'FFFFU};
    middle.advance(1);
    CHECK(middle.peek() == 0);
}

TEST_CASE("the length of a manual tick is part of the clock's type") {
    using clock = manual_clock<std::uint32_t, 1000>;
    STATIC_CHECK(fixed_rate<clock>);
    STATIC_CHECK(clock::resolution_ns == 1000);
    STATIC_CHECK(clock::ticks(20'999) == 20);
    STATIC_CHECK(manual_clock<std::uint16_t>::ticks(1'000'000) == 0x7FFF);
}

TEST_CASE("a measured manual clock knows its rate at run time, or not at all", "[inv:B2]") {
    manual_time<std::uint32_t> time{3};
    measured_manual_clock<std::uint32_t> const clock{time, 1'000'000};
    STATIC_CHECK(measured_rate<measured_manual_clock<std::uint32_t>>);
    CHECK(clock.now() == 3);
    CHECK(clock.resolution_ns() == 1000);
    CHECK(clock.ticks(20'999) == 20);
    measured_manual_clock<std::uint32_t> const unknown{time, 0};
    CHECK(unknown.resolution_ns() == ~std::uint64_t{0});
    CHECK(unknown.ticks(1'000'000'000) == 0);
}
