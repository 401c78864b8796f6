// SPDX-License-Identifier: BSL-1.0
#include <catch2/catch_test_macros.hpp>
#include <doorbell/testing/timer_table.hpp>

using doorbell::testing::timer_table;

TEST_CASE("Timers fire in order of due time, equal ones in the order in which they were armed") {
    timer_table t;
    CHECK(t.next() == timer_table::never);
    t.arm(300, 20);
    t.arm(5, 10);
    t.arm(2, 20);
    t.arm(511, 10);
    CHECK(t.next() == 10);
    CHECK(t.take() == 5);
    CHECK(t.take() == 511);
    CHECK(t.take() == 300);
    CHECK(t.take() == 2);
    CHECK(t.next() == timer_table::never);
}

TEST_CASE("Arming again moves a timer, also when it was the first") {
    timer_table t;
    t.arm(1, 10);
    t.arm(2, 20);
    t.arm(1, 30);
    CHECK(t.next() == 20);
    t.arm(2, 5);
    CHECK(t.next() == 5);
    t.disarm(2);
    CHECK(t.next() == 30);
    CHECK(t.due(1) == 30);
    CHECK(t.due(2) == timer_table::never);
    CHECK(t.armed(1));
    CHECK_FALSE(t.armed(2));
}
