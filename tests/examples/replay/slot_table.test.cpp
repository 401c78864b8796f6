// SPDX-License-Identifier: BSL-1.0
#include <replay/slot_table.hpp>

#include <catch2/catch_test_macros.hpp>

using replay::slot_table;

TEST_CASE("a request takes the lowest free slot and keeps it until it is released") {
    slot_table t;
    CHECK(t.take({.number = 1}) == 0);
    CHECK(t.take({.number = 2}) == 1);
    CHECK(t.take({.number = 3}) == 2);
    t.release(1);
    CHECK(t.take({.number = 4}) == 1);
    for (unsigned n = 3; n < slot_table::slots; ++n) {
        CHECK_FALSE(t.full());
        CHECK(t.take({.number = n + 10}) == n);
    }
    CHECK(t.full());
}

TEST_CASE("the device finishes in the order of ring plus latency") {
    slot_table t;
    for (std::uint64_t n = 0; n < 3; ++n) {
        CHECK(t.take({.number = n, .sent_at = 100}) == n);
    }
    t.rung(0b111, 1000);
    CHECK(t.next_finish() == slot_table::never); // nothing is known about their ends yet
    CHECK(t.set_end(1, 400, 1000, true));
    CHECK(t.set_end(0, 350, 1000, true));
    CHECK(t.next_finish() == 1250);
    CHECK(t.finish_next() == 0);
    CHECK(t.next_finish() == 1300);
    CHECK(t.has_finished(0));
    CHECK(t.set_end(2, 150, 1500, false)); // known too late: it ends now
    CHECK(t.next_finish() == 1300);
    CHECK(t.finish_next() == 1);
    CHECK(t.next_finish() == 1500);
    CHECK(t.finish_next() == 2);
    CHECK(t.next_finish() == slot_table::never);
    CHECK(t.finished() == 3);
    CHECK_FALSE(t[2].counted);
    t.complete(1);
    CHECK(t.finished() == 2);
    CHECK_FALSE(t.has_finished(1));
    CHECK_FALSE(t.set_end(99, 5, 5, true));
}

TEST_CASE("ringing a slot that is at the device, or empty, changes nothing") {
    slot_table t;
    CHECK(t.take({.number = 1, .sent_at = 0, .latency = 50}) == 0);
    t.rung(0b11, 10);
    CHECK(t.next_finish() == 60);
    t.rung(0b11, 30);
    CHECK(t.next_finish() == 60);
    CHECK(t[0].rung_at == 10);
}
