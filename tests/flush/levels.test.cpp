// SPDX-License-Identifier: BSL-1.0
#include <doorbell/flush/levels.hpp>

#include "desk.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace flush_test;

TEST_CASE("strict sends one device flush for each request, one after the other", "[inv:F2]") {
    desk<db::strict> d;
    d.write();
    unsigned const a = d.flush(0);
    unsigned const b = d.flush(1);
    unsigned const c = d.flush(2);
    CHECK(d.flushes() == 1);
    d.end(1);
    CHECK(d.told(a) == answer::ok);
    CHECK(d.told(b) == answer::none);
    REQUIRE(d.flushes() == 2);
    d.end(2);
    d.end(3);
    CHECK(d.told(b) == answer::ok);
    CHECK(d.told(c) == answer::ok);
    CHECK(d.told(d.flush(0)) == answer::none); // clean, and sent all the same
    CHECK(d.flushes() == 4);
}

TEST_CASE("strict spares a flush only where the cache is known to be written through", "[inv:F7]") {
    desk<db::strict> d;
    d.settle();
    d.c.set_cache_mode(tag{0}, cache_mode::write_through);
    CHECK(d.told(d.flush(0)) == answer::ok);
    CHECK(d.flushes() == 0);
}

TEST_CASE("in strict nobody who comes back at once keeps another one waiting", "[inv:F2]") {
    desk<db::strict, db::flush_riders<4>> d;
    d.write();
    unsigned const high[] = {d.flush(0), d.flush(1), d.flush(2)};
    for (unsigned n = 1; n <= 6; ++n) {
        d.end(n);
        d.flush(0); // takes the lowest free place
    }
    for (unsigned const each : high) {
        CHECK(d.told(each) == answer::ok);
    }
}

TEST_CASE("riding answers a cohort with one device flush", "[inv:F1]") {
    desk<db::riding> d;
    d.write();
    for (unsigned s = 0; s < 4; ++s) {
        d.flush(s);
    }
    d.end(1);
    CHECK(d.flushes() == 1);
    for (unsigned r = 0; r < 4; ++r) {
        CHECK(d.told(r) == answer::ok);
    }
}
