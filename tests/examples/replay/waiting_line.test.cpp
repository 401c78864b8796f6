// SPDX-License-Identifier: BSL-1.0
#include <replay/waiting_line.hpp>

#include <catch2/catch_test_macros.hpp>

TEST_CASE("requests wait in order, and learn of their end meanwhile") {
    replay::waiting_line line;
    CHECK(line.empty());
    line.push({.number = 1, .sent_at = 100});
    line.push({.number = 2, .sent_at = 200});
    line.set_end(2, 250, false);
    line.set_end(9, 999, false);
    CHECK(line.size() == 2);
    auto const first = line.pop();
    CHECK(first.number == 1);
    CHECK(first.latency == replay::slot_table::never);
    CHECK(first.counted);
    auto const second = line.pop();
    CHECK(second.number == 2);
    CHECK(second.latency == 50);
    CHECK_FALSE(second.counted);
    CHECK(line.empty());
}

TEST_CASE("a line longer than anything in flight is hopeless") {
    replay::waiting_line line;
    for (std::uint64_t n = 0; n <= 2 * 16 * 4096; ++n) {
        CHECK_FALSE(line.hopeless());
        line.push({.number = n});
    }
    CHECK(line.hopeless());
}
