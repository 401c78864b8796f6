// SPDX-License-Identifier: BSL-1.0
#include <doorbell/time/chrono_clock.hpp>

#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <cstdint>
#include <ratio>

using doorbell::chrono_clock;

namespace {

template <class Period>
struct hand_set {
    using rep = long long;
    using period = Period;
    using duration = std::chrono::duration<rep, period>;
    using time_point = std::chrono::time_point<hand_set>;
    static constexpr bool is_steady = true;
    static inline rep value = 0;

    static time_point now() noexcept { return time_point{duration{value}}; }
};

} // namespace

TEST_CASE("a chrono clock shows the count of its clock") {
    using clock = hand_set<std::nano>;
    clock::value = 1234;
    CHECK(chrono_clock<clock>{}.now() == 1234);
    clock::value = -1;
    CHECK(chrono_clock<clock>{}.now() == ~std::uint64_t{0});
}

TEST_CASE("the period of a chrono clock makes resolution and ticks", "[inv:B2]") {
    STATIC_CHECK(chrono_clock<std::chrono::steady_clock>::resolution_ns == 1);
    STATIC_CHECK(chrono_clock<std::chrono::steady_clock>::ticks(20'000) == 20'000);
    STATIC_CHECK(chrono_clock<hand_set<std::milli>>::resolution_ns == 1'000'000);
    STATIC_CHECK(chrono_clock<hand_set<std::milli>>::ticks(2'999'999) == 2);
    STATIC_CHECK(chrono_clock<hand_set<std::ratio<1, 3'000'000'000>>>::resolution_ns == 1);
    STATIC_CHECK(chrono_clock<hand_set<std::ratio<1, 3'000'000'000>>>::ticks(10) == 30);
}

TEST_CASE("the steady clock does not run backward") {
    chrono_clock<std::chrono::steady_clock> const clock{};
    auto const first = clock.now();
    CHECK(clock.now() >= first);
}
