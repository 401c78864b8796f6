// SPDX-License-Identifier: BSL-1.0
#include <catch2/catch_test_macros.hpp>
#include <doorbell/testing/access_log.hpp>

using namespace doorbell::testing;

TEST_CASE("The log keeps the last lines, oldest first, and counts all") {
    access_log log(3);
    for (std::uint32_t i = 0; i < 5; ++i) {
        log.note({i, 0x20, i, access_kind::read});
    }
    REQUIRE(log.size() == 3);
    CHECK(log.total() == 5);
    CHECK(log[0].value == 2);
    CHECK(log[2].value == 4);
    log.clear();
    CHECK(log.size() == 0);
    log.note({9, 0x20, 9, access_kind::read});
    REQUIRE(log.size() == 1);
    CHECK(log[0].value == 9);
}

TEST_CASE("A log without room is off") {
    access_log log;
    CHECK_FALSE(log.enabled());
    log.note({});
    CHECK(log.size() == 0);
    CHECK(log.total() == 0);
}
