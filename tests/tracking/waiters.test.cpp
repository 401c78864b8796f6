// SPDX-License-Identifier: BSL-1.0
#include <doorbell/tracking/waiters.hpp>

#include <catch2/catch_test_macros.hpp>

namespace {

namespace db = doorbell;
using db::outcome;
using db::tag;
using waiters = db::waiters<8>;

} // namespace

TEST_CASE("U.D5: of two that wait only the one whose request ended is told", "[U.D5]") {
    waiters w;
    w.arm(tag{1});
    w.arm(tag{2});
    CHECK_FALSE(w.done(tag{1}));
    CHECK(w.result(tag{1}) == outcome::not_written);
    CHECK(w.finish(tag{2}, outcome{0x7}));
    CHECK(w.done(tag{2}));
    CHECK(w.result(tag{2}) == outcome{0x7});
    CHECK_FALSE(w.done(tag{1}));
}

TEST_CASE("U.C20: the late end of a request whose waiter has left is credited to nobody", "[U.C20]") {
    waiters w;
    w.arm(tag{0});
    w.leave(tag{0});
    w.arm(tag{1}); // somebody else waits meanwhile
    CHECK_FALSE(w.finish(tag{0}, outcome::success));
    CHECK_FALSE(w.done(tag{0}));
    CHECK_FALSE(w.done(tag{1}));
    w.arm(tag{0}); // nor is it credited to the next request of that tag
    CHECK_FALSE(w.done(tag{0}));
    CHECK(w.finish(tag{0}, outcome::aborted));
    CHECK(w.result(tag{0}) == outcome::aborted);
}

TEST_CASE("An end that nobody waits for, or a second one, changes nothing") {
    waiters w;
    CHECK_FALSE(w.finish(tag{3}, outcome::success));
    CHECK_FALSE(w.done(tag{3}));
    w.arm(tag{3});
    CHECK(w.finish(tag{3}, outcome::success)); // success is 0, and an end all the same
    CHECK(w.done(tag{3}));
    CHECK_FALSE(w.finish(tag{3}, outcome::reset));
    CHECK(w.result(tag{3}) == outcome::success);
}

TEST_CASE("Whoever arms a tag again begins anew") {
    waiters w;
    w.arm(tag{7});
    CHECK(w.finish(tag{7}, outcome::timed_out));
    w.arm(tag{7});
    CHECK_FALSE(w.done(tag{7}));
    CHECK(w.result(tag{7}) == outcome::not_written);
}
