// SPDX-License-Identifier: BSL-1.0
#include <doorbell/flush/trial.hpp>

#include <catch2/catch_test_macros.hpp>

using doorbell::detail::grace_trial;

namespace {

/// How many of so many flushes were held back, when a round takes so long without and with.
unsigned held_back(unsigned flushes, std::uint64_t without, std::uint64_t with) {
    grace_trial t;
    unsigned count = 0;
    for (unsigned i = 0; i < flushes; ++i) {
        std::uint64_t const round = t.waits() ? with : without;
        count += t.waits() ? 1U : 0U;
        t.passed(round);
        t.round(round);
        t.flushed();
    }
    return count;
}

} // namespace

TEST_CASE("a trial tries both, and stays with what is better but for a second look") {
    CHECK(held_back(10'000, 1'000, 500) > 9'000);
    CHECK(held_back(10'000, 1'000, 2'000) < 700);
    CHECK(held_back(10'000, 1'000, 990) < 700); // hardly better is not worth it
}

TEST_CASE("a round that began under the other rule does not count") {
    grace_trial t;
    for (unsigned i = 0; i < 16; ++i) {
        t.passed(10);
        t.round(1'000'000); // longer than the period is old
        t.flushed();
    }
    CHECK_FALSE(t.waits()); // it has learned nothing, and looks again
}
