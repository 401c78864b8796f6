// SPDX-License-Identifier: BSL-1.0
#include <doorbell/flush/fixed_grace.hpp>

#include "desk.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace flush_test;

using grouped_desk = desk<db::grouped<db::fixed_grace<1'000>>>;

namespace {

/// Two streams flush by turns, so that both are expected.
template <class Desk>
void acquaint(Desk& d) {
    for (unsigned s = 0; s < 2; ++s) {
        d.write();
        unsigned const r = d.barrier(s);
        d.end(static_cast<unsigned>(d.flushes()));
        REQUIRE(d.told(r) == answer::ok);
    }
    d.handed.clear();
    d.at.clear();
}

} // namespace

TEST_CASE("grace begins with the oldest waiter and is not extended by later ones", "[inv:F5]") {
    grouped_desk d;
    acquaint(d);
    std::uint64_t const begin = d.time.peek();
    d.write();
    d.flush(0);
    CHECK(d.flushes() == 0);
    CHECK(d.due == begin + 1'000);
    d.pass(600);
    d.write();
    d.flush(1);
    CHECK(d.due == begin + 1'000);
    d.pass(399);
    CHECK(d.flushes() == 0);
    d.pass(1);
    REQUIRE(d.flushes() == 1);
    CHECK(d.at[0] == begin + 1'000);
    d.end(1);
    CHECK(d.told(2) == answer::ok);
    CHECK(d.told(3) == answer::ok);
}

TEST_CASE("a lone stream waits for nobody", "[inv:F5]") {
    grouped_desk d;
    for (unsigned n = 1; n <= 5; ++n) {
        d.write();
        d.flush(0);
        CHECK(d.flushes() == n);
        d.end(n);
    }
}

TEST_CASE("a stream that is left alone waits for nobody after two flushes", "[inv:F5]") {
    grouped_desk d;
    acquaint(d);
    unsigned held_back = 0;
    for (unsigned n = 1; n <= 4; ++n) {
        d.write();
        d.flush(0);
        if (d.flushes() != n) {
            ++held_back;
            d.pass(1'000);
        }
        d.end(n);
    }
    CHECK(held_back <= 2);
}

TEST_CASE("a barrier ends the grace", "[inv:F5]") {
    grouped_desk d;
    acquaint(d);
    d.write();
    unsigned const a = d.flush(0);
    CHECK(d.flushes() == 0);
    unsigned const b = d.barrier(1);
    REQUIRE(d.flushes() == 1);
    CHECK_FALSE(d.due);
    d.end(1);
    CHECK(d.told(a) == answer::ok);
    CHECK(d.told(b) == answer::ok);
}

TEST_CASE("a count ends the grace", "[inv:F5]") {
    desk<db::grouped<db::fixed_grace<1'000, 3>>> d;
    acquaint(d);
    d.write();
    d.flush(0);
    d.flush(1);
    CHECK(d.flushes() == 0);
    d.flush(2);
    CHECK(d.flushes() == 1);
}

TEST_CASE("suspend and stop end the grace", "[inv:F5]") {
    for (bool const for_ever : {false, true}) {
        grouped_desk d;
        acquaint(d);
        d.write();
        unsigned const a = d.flush(0);
        CHECK(d.flushes() == 0);
        for_ever ? d.stop() : d.suspend();
        REQUIRE(d.flushes() == 1);
        d.end(1);
        CHECK(d.told(a) == answer::ok);
        CHECK(d.quiesced);
    }
}

TEST_CASE("the worst wait is the flush in flight, the grace and the own flush", "[inv:F5]") {
    grouped_desk d;
    acquaint(d);
    d.write();
    d.barrier(0);
    d.write();
    std::uint64_t const asked = d.time.peek();
    d.flush(1);
    d.pass(5'000); // the flush in flight
    d.end(1);
    CHECK(d.flushes() == 1);
    CHECK(d.due == asked + 6'000);
    d.pass(1'000);
    REQUIRE(d.flushes() == 2);
    CHECK(d.at[1] == asked + 6'000);
}

TEST_CASE("a timer that is early, or a clock that is set back, changes nothing", "[inv:F5]") {
    grouped_desk d;
    acquaint(d);
    d.write();
    unsigned const a = d.flush(0);
    d.time.advance(500);
    CHECK(d.timer() == flush_status::accepted);
    CHECK(d.flushes() == 0);
    d.time.step_back(2'000);
    CHECK(d.timer() == flush_status::accepted);
    CHECK(d.flushes() == 0);
    unsigned const b = d.flush(1);
    d.time.advance(2'500);
    d.timer();
    REQUIRE(d.flushes() == 1);
    d.time.step_back(10'000);
    d.end(1);
    CHECK(d.told(a) == answer::ok);
    CHECK(d.told(b) == answer::ok);
}

TEST_CASE("a grace that passed without its timer ends with the next request", "[inv:F5]") {
    grouped_desk d;
    acquaint(d);
    d.write();
    d.flush(0);
    d.time.advance(5'000);
    d.flush(1);
    CHECK(d.flushes() == 1);
}

TEST_CASE("a group that fails leaves no deadline for the next", "[inv:F5]") {
    desk<db::grouped<db::fixed_grace<1'000>>, db::poisoned_until_reset> d;
    acquaint(d);
    d.write();
    d.barrier(0);
    d.write();
    d.flush(1);
    d.end(1, flush_end::failed);
    CHECK_FALSE(d.due);
    d.c.start_over(tag{0});
    d.pass(500);
    d.write();
    std::uint64_t const asked = d.time.peek();
    d.flush(0);
    CHECK(d.due == asked + 1'000);
}
