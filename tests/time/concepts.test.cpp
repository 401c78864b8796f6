// SPDX-License-Identifier: BSL-1.0
#include <doorbell/time/concepts.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

using namespace doorbell;

namespace {

struct fixed {
    using rep = std::uint32_t;
    static constexpr std::uint64_t resolution_ns = 40;

    static rep now() noexcept { return 0; }

    static constexpr rep ticks(std::uint64_t ns) noexcept { return static_cast<rep>(ns / 40); }
};

struct measured {
    using rep = std::uint64_t;

    static rep now() noexcept { return 0; }

    [[nodiscard]] std::uint64_t resolution_ns() const noexcept { return 10; }

    [[nodiscard]] rep ticks(std::uint64_t ns) const noexcept { return ns / 10; }
};

struct without_rate {
    using rep = std::uint16_t;

    static rep now() noexcept { return 0; }
};

struct signed_clock {
    using rep = std::int64_t;

    static rep now() noexcept { return 0; }
};

struct throwing_clock {
    using rep = std::uint64_t;

    static rep now() { return 0; }
};

struct tick_of_nothing : fixed {
    static constexpr std::uint64_t resolution_ns = 0;
};

} // namespace

TEST_CASE("a time source reads an unsigned counter of 16, 32 or 64 bits without throwing") {
    STATIC_CHECK(time_source<fixed>);
    STATIC_CHECK(time_source<measured>);
    STATIC_CHECK(time_source<without_rate>);
    STATIC_CHECK_FALSE(time_source<signed_clock>);
    STATIC_CHECK_FALSE(time_source<throwing_clock>);
    STATIC_CHECK_FALSE(counter_rep<std::uint8_t>);
    STATIC_CHECK_FALSE(counter_rep<bool>);
}

TEST_CASE("a rate is fixed or measured, never both") {
    STATIC_CHECK(fixed_rate<fixed>);
    STATIC_CHECK_FALSE(measured_rate<fixed>);
    STATIC_CHECK(measured_rate<measured>);
    STATIC_CHECK_FALSE(fixed_rate<measured>);
    STATIC_CHECK_FALSE(fixed_rate<without_rate>);
    STATIC_CHECK_FALSE(measured_rate<without_rate>);
    STATIC_CHECK_FALSE(fixed_rate<tick_of_nothing>);
}

TEST_CASE("the resolution is asked for in one way for both") {
    STATIC_CHECK(resolution_ns_of(fixed{}) == 40);
    CHECK(resolution_ns_of(measured{}) == 10);
}
