// SPDX-License-Identifier: BSL-1.0
#include <doorbell/time/counter.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

using namespace doorbell;

namespace {

template <class Rep>
struct reader {
    static inline Rep value = 0;

    Rep operator()() const noexcept { return value; }
};

struct reader_with_state {
    std::uint32_t state = 0;

    std::uint32_t operator()() const noexcept { return state; }
};

struct throwing_reader {
    std::uint32_t operator()() const { return 0; }
};

} // namespace

TEST_CASE("a counter shows what its reader reads") {
    using clock = counter<reader<std::uint16_t>, 1>;
    reader<std::uint16_t>::value = 0xFFFF;
    CHECK(clock{}.now() == 0xFFFF);
    STATIC_CHECK(time_source<clock>);
    STATIC_CHECK(sizeof(clock) == 1);
}

TEST_CASE("the length of a tick is rounded up, the number of ticks down", "[inv:B2]") {
    using mhz24 = counter<reader<std::uint32_t>, 1000, 24>; // 41.67 ns
    STATIC_CHECK(mhz24::resolution_ns == 42);
    STATIC_CHECK(mhz24::ticks(1'000) == 24);
    STATIC_CHECK(mhz24::ticks(41) == 0);
    STATIC_CHECK(mhz24::ticks(42) == 1);
    using ghz3 = counter<reader<std::uint64_t>, 1, 3>;
    STATIC_CHECK(ghz3::resolution_ns == 1);
    STATIC_CHECK(ghz3::ticks(20'000) == 60'000);
    using slow = counter<reader<std::uint16_t>, 4'000'000>; // a system tick of 4 ms
    STATIC_CHECK(slow::resolution_ns == 4'000'000);
    STATIC_CHECK(slow::ticks(20'000) == 0);
}

TEST_CASE("more ticks than the counter can tell apart are cut to half its range") {
    STATIC_CHECK(counter<reader<std::uint16_t>, 1>::ticks(1'000'000'000) == 0x7FFF);
    STATIC_CHECK(counter<reader<std::uint32_t>, 1>::ticks(~std::uint64_t{0}) == 0x7FFF'FFFFU);
}

TEST_CASE("a reader has no state, does not throw and reads a counter") {
    STATIC_CHECK(counter_reader<reader<std::uint64_t>>);
    STATIC_CHECK_FALSE(counter_reader<reader<int>>);
    STATIC_CHECK_FALSE(counter_reader<reader_with_state>);
    STATIC_CHECK_FALSE(counter_reader<throwing_reader>);
}
