// SPDX-License-Identifier: BSL-1.0
#include <doorbell/flush/arrivals.hpp>

#include <catch2/catch_test_macros.hpp>

using doorbell::detail::arrival_times;

TEST_CASE("classes of times are a quarter octave wide and have no gaps") {
    for (unsigned which = 1; which < arrival_times::classes; ++which) {
        CHECK(arrival_times::edge(which) > arrival_times::edge(which - 1));
    }
    for (std::uint64_t time : {0ULL, 1ULL, 3ULL, 4ULL, 5ULL, 83'000ULL, 17'500'000ULL, 1ULL << 33U}) {
        arrival_times one;
        one.add(time);
        std::uint64_t const edge = arrival_times::edge(one.occupied_after(0));
        CHECK(edge >= time);
        CHECK(edge - time <= time / 4);
    }
    arrival_times far;
    far.add(~std::uint64_t{0});
    CHECK(far.occupied_after(7) == arrival_times::classes - 1);
}

TEST_CASE("a round is a cycle for who comes in time, and more for who comes late") {
    arrival_times times;
    times.add(100);
    std::uint64_t const edge = arrival_times::edge(times.occupied_after(0));
    CHECK(times.round(1'000, 0) == 2 * 1'000); // misses the first flush
    CHECK(times.round(1'000, edge) == 1'000 + edge);
    CHECK(times.round(1'000, edge - 1) == 2 * (1'000 + edge - 1));
    times.add(1'000'000'000); // stays away: counts no more than some cycles
    CHECK(times.round(1'000, edge) == 17 * (1'000 + edge));
}

TEST_CASE("old times fade") {
    arrival_times times;
    for (int i = 0; i < 2'000; ++i) {
        times.add(5);
    }
    CHECK(times.count() <= 256);
    for (int i = 0; i < 2'000; ++i) {
        times.add(500'000);
    }
    CHECK(arrival_times::edge(times.occupied_after(10)) >= 500'000);
}
