// SPDX-License-Identifier: BSL-1.0
#include <doorbell/flush/deferred_unsafe.hpp>

#include "desk.hpp"

#include <catch2/catch_test_macros.hpp>

#include <concepts>

using namespace flush_test;

using unsafe_desk = desk<db::deferred_unsafe<1'000>, db::flush_domains<2>>;

TEST_CASE("an early answer is a level of its own, asked for by name and by argument", "[inv:F4]") {
    using unsafe = unsafe_desk::coalescer_type;
    using safe = desk<>::coalescer_type;
    STATIC_CHECK(std::constructible_from<
                 unsafe, db::i_accept_the_loss_of_acknowledged_writes, db::testing::manual_clock<>,
                 db::testing::checking_lock>);
    STATIC_CHECK_FALSE(std::constructible_from<
                       safe, db::i_accept_the_loss_of_acknowledged_writes, db::testing::manual_clock<>,
                       db::testing::checking_lock>);
    STATIC_CHECK_FALSE(safe::level::answers_early);
}

TEST_CASE("its loss window is the period or a flush in flight, and the flush behind it", "[inv:F4]") {
    using unsafe = db::flush_coalescer<
        db::testing::manual_clock<>, db::null_lock, db::deferred_unsafe<1'000>, db::flush_retries<0>>;
    STATIC_CHECK(unsafe::loss_window(17) == 1'017);
    STATIC_CHECK(unsafe::loss_window(3'000) == 6'000);
    using twice = db::flush_coalescer<
        db::testing::manual_clock<>, db::null_lock, db::deferred_unsafe<1'000>, db::flush_retries<1>>;
    STATIC_CHECK(twice::loss_window(600) == 2'400);
    STATIC_CHECK(desk<>::coalescer_type::loss_window(600) == 0);
}

TEST_CASE("the period begins with the first early answer, and nothing extends it", "[inv:F4][inv:F5]") {
    unsafe_desk d;
    std::uint64_t const begin = d.time.peek();
    for (unsigned n = 0; n < 5; ++n) {
        d.write();
        CHECK(d.told(d.flush(n % 4)) == answer::ok);
        CHECK(d.flushes() == 0);
        CHECK(d.due == begin + 1'000);
        d.pass(200);
    }
    REQUIRE(d.flushes() == 1);
    CHECK(d.at[0] == begin + 1'000);
}

TEST_CASE(
    "what is answered early while a flush is in flight that does not cover it has a period of its own", "[inv:F4]") {
    unsafe_desk d;
    d.write();
    d.flush(0);
    d.pass(1'000);
    REQUIRE(d.flushes() == 1);
    d.flush(1); // covered by the flush in flight
    d.pass(100);
    d.write();
    std::uint64_t const asked = d.time.peek();
    CHECK(d.told(d.flush(1)) == answer::ok);
    d.pass(300);
    d.end(1);
    CHECK(d.flushes() == 1);
    CHECK(d.due == asked + 1'000);
    d.pass(2'000);
    REQUIRE(d.flushes() == 2);
    CHECK(d.at[1] == asked + 1'000);
    d.end(2);
    CHECK_FALSE(d.due);
}

TEST_CASE("a period that ended while a flush was in flight is over when that ends", "[inv:F4]") {
    unsafe_desk d;
    d.write();
    d.flush(0);
    d.pass(1'000);
    d.write();
    d.flush(0);
    d.time.advance(5'000);
    d.end(1);
    CHECK(d.flushes() == 2);
}

TEST_CASE("a late error sticks until each stream was told", "[inv:F4]") {
    unsafe_desk d;
    d.write();
    CHECK(d.told(d.flush(0)) == answer::ok);
    d.pass(1'000);
    d.end(1, flush_end::failed);
    CHECK(d.told(d.flush(0)) == answer::error);
    CHECK(d.told(d.flush(0)) == answer::ok);
    unsigned const b = d.barrier(1);
    d.end(2);
    CHECK(d.told(b) == answer::error);
}

TEST_CASE("a flush that never ran and is given up is an error too, and is tried again", "[inv:F4]") {
    desk<db::deferred_unsafe<1'000>, db::flush_retries<0>> d;
    d.write();
    d.flush(0);
    d.pass(1'000);
    d.end(1, flush_end::not_executed);
    CHECK(d.flushes() == 1);
    REQUIRE(d.due);
    CHECK(d.told(d.flush(0)) == answer::error);
    d.pass(1'000);
    CHECK(d.flushes() == 2);
}

TEST_CASE("an error is told before anything is promised", "[inv:F4]") {
    unsafe_desk d;
    d.c.write_completed(tag{0}, db::outcome::aborted);
    CHECK(d.told(d.flush(0)) == answer::error);
}

TEST_CASE("a barrier is answered when it is true", "[inv:F4]") {
    unsafe_desk d;
    d.write();
    d.flush(0);
    unsigned const b = d.barrier(1);
    CHECK(d.told(b) == answer::none);
    REQUIRE(d.flushes() == 1);
    d.end(1);
    CHECK(d.told(b) == answer::ok);
    CHECK_FALSE(d.due);
    CHECK(d.c.clean(tag{0}));
}

TEST_CASE("stop and suspend flush what was promised, and stop tells of an error", "[inv:F4]") {
    unsafe_desk d;
    d.write();
    d.flush(0);
    d.pass(1'000);
    d.end(1, flush_end::failed);
    d.suspend();
    CHECK(d.flushes() == 3); // the other domain is not known to be clean
    d.end(2);
    d.end(3);
    CHECK(d.quiesced);
    CHECK(d.last.lossy);
    d.stop();
    CHECK(d.last.lossy);
}

TEST_CASE("a promised flush that never ran because of a recovery is handed over when that ends", "[inv:F4]") {
    unsafe_desk d;
    d.write();
    CHECK(d.told(d.flush(0)) == answer::ok);
    d.pass(1'000);
    REQUIRE(d.flushes() == 1);
    d.c.hold();
    d.end(1, flush_end::not_executed);
    d.take(d.c.release());
    REQUIRE(d.flushes() == 2);
    d.end(2);
    CHECK(d.c.clean(tag{0}));
}

TEST_CASE("no timer is asked for while nothing may be handed over", "[inv:F4]") {
    unsafe_desk d;
    d.write();
    d.flush(0);
    d.c.hold();
    d.pass(2'000);
    CHECK(d.flushes() == 0);
    CHECK_FALSE(d.last.timed); // it would be over at once, again and again
    d.take(d.c.release());
    CHECK(d.flushes() == 1);
}
