// SPDX-License-Identifier: BSL-1.0
#include <doorbell/time/conversion.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

using doorbell::longest_distance;
using doorbell::detail::divided_up;
using doorbell::detail::scaled;

namespace {

constexpr std::uint64_t second = 1'000'000'000;
constexpr std::uint64_t most64 = ~std::uint64_t{0};

} // namespace

TEST_CASE("half the range is the longest distance") {
    STATIC_CHECK(longest_distance<std::uint16_t> == 0x7FFF);
    STATIC_CHECK(longest_distance<std::uint32_t> == 0x7FFF'FFFFU);
    STATIC_CHECK(longest_distance<std::uint64_t> == 0x7FFF'FFFF'FFFF'FFFFU);
}

TEST_CASE("scaling is exact and rounds down") {
    STATIC_CHECK(scaled<std::uint64_t>(1'000, 24'000'000, second) == 24);
    STATIC_CHECK(scaled<std::uint64_t>(999, 24'000'000, second) == 23);
    STATIC_CHECK(scaled<std::uint64_t>(41, 24'000'000, second) == 0);
    STATIC_CHECK(scaled<std::uint64_t>(20'000, 3'000'000'000, second) == 60'000);
    STATIC_CHECK(scaled<std::uint64_t>(second * 3 + 1, 19'200'000, second) == 57'600'000);
    STATIC_CHECK(scaled<std::uint64_t>(0, 1'000, second) == 0);
    STATIC_CHECK(scaled<std::uint64_t>(most64, 0, second) == 0);
}

TEST_CASE("scaling agrees with 128-bit arithmetic") {
    __extension__ using wide = unsigned __int128;
    std::uint64_t random = 42;
    auto const next = [&random] { return random = random * 6364136223846793005U + 1442695040888963407U; };
    for (int round = 0; round != 2000; ++round) {
        std::uint64_t const ns = next() >> (next() % 64);
        std::uint64_t const hz = (next() >> (30 + next() % 34)) % 18'000'000'000U;
        wide const exact = static_cast<wide>(ns) * hz / second;
        auto const expected = [&](std::uint64_t most) {
            return exact < most ? static_cast<std::uint64_t>(exact) : most;
        };
        REQUIRE(scaled<std::uint64_t>(ns, hz, second) == expected(longest_distance<std::uint64_t>));
        REQUIRE(scaled<std::uint32_t>(ns, hz, second) == expected(longest_distance<std::uint32_t>));
        REQUIRE(scaled<std::uint16_t>(ns, hz, second) == expected(longest_distance<std::uint16_t>));
    }
}

TEST_CASE("what does not fit is cut to half the range and does not wrap", "[inv:B3]") {
    CHECK(scaled<std::uint16_t>(0x8000, 1, 1) == 0x7FFF);
    CHECK(scaled<std::uint16_t>(1, 0x2'0000, 2) == 0x7FFF);
    CHECK(scaled<std::uint16_t>(0x7FFF, 1, 1) == 0x7FFF);
    CHECK(scaled<std::uint16_t>(0x7FFE, 1, 1) == 0x7FFE);
    CHECK(scaled<std::uint32_t>(most64, 1, 1) == 0x7FFF'FFFFU);
    CHECK(scaled<std::uint64_t>(most64, 1, 1) == longest_distance<std::uint64_t>);
    CHECK(scaled<std::uint64_t>(most64, 18'000'000'000, second) == longest_distance<std::uint64_t>);
    CHECK(scaled<std::uint32_t>(1, 1ULL << 40U, 1) == 0x7FFF'FFFFU);
}

TEST_CASE("division that rounds up") {
    STATIC_CHECK(divided_up(0, 7) == 0);
    STATIC_CHECK(divided_up(1, 7) == 1);
    STATIC_CHECK(divided_up(7, 7) == 1);
    STATIC_CHECK(divided_up(8, 7) == 2);
    STATIC_CHECK(divided_up(most64, 1) == most64);
}
