// SPDX-License-Identifier: BSL-1.0
#include <doorbell/flush/coalescer.hpp>

#include "desk.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace flush_test;

using riding_desk = desk<db::flush_riders<8>>;
using mirror = desk<db::flush_domains<2>>;
using covering = desk<db::flush_domains<2>, db::flush_covers_all>;
using poisoning = desk<db::poisoned_until_reset>;

TEST_CASE("a request rides on a flush only if nothing was written since that was handed over", "[inv:F1]") {
    riding_desk d;
    d.write();
    unsigned const a = d.flush(0);
    REQUIRE(d.flushes() == 1);
    unsigned const b = d.flush(1); // covered: rides along
    d.write();
    unsigned const c = d.flush(2); // not covered
    CHECK(d.flushes() == 1);
    d.end(1);
    CHECK(d.told(a) == answer::ok);
    CHECK(d.told(b) == answer::ok);
    CHECK(d.told(c) == answer::none);
    REQUIRE(d.flushes() == 2);
    d.end(2);
    CHECK(d.told(c) == answer::ok);
}

TEST_CASE("a write that completes while a flush is in flight is not covered by it", "[inv:F1]") {
    riding_desk d;
    d.settle();
    auto const first = d.write();
    unsigned const a = d.flush(0);
    auto const second = d.write();
    d.end(1);
    CHECK(d.told(a) == answer::ok);
    CHECK(d.c.durable(tag{0}, first));
    CHECK_FALSE(d.c.durable(tag{0}, second));
    CHECK_FALSE(d.c.clean(tag{0}));
}

TEST_CASE("a repeated flush covers what was complete when it was repeated", "[inv:F1]") {
    riding_desk d;
    d.settle();
    d.write();
    d.flush(0);
    auto const later = d.write();
    d.end(1, flush_end::not_executed);
    REQUIRE(d.flushes() == 2);
    unsigned const b = d.flush(1); // nothing was written since the repetition
    CHECK(d.flushes() == 2);
    d.end(2);
    CHECK(d.told(b) == answer::ok);
    CHECK(d.c.durable(tag{0}, later));
}

TEST_CASE("one device flush is in flight, however many ask", "[inv:F2]") {
    riding_desk d;
    for (unsigned s = 0; s < 4; ++s) {
        d.write();
        d.flush(s);
    }
    CHECK(d.flushes() == 1);
    d.end(1);
    CHECK(d.flushes() == 2);
    CHECK(d.told(1) == answer::none);
    d.end(2);
    CHECK(d.flushes() == 2);
    CHECK(d.told(1) == answer::ok);
    CHECK(d.told(3) == answer::ok);
}

TEST_CASE("the riders of a flush are fixed when it is issued", "[inv:F2]") {
    riding_desk d;
    d.write();
    unsigned const a = d.flush(0);
    d.write();
    unsigned const b = d.flush(1);
    d.end(1, flush_end::not_executed); // the repetition takes nobody in
    d.end(2);
    CHECK(d.told(a) == answer::ok);
    CHECK(d.told(b) == answer::none);
    CHECK(d.flushes() == 3);
}

TEST_CASE("an answer to a flush that is over changes nothing", "[inv:F2]") {
    riding_desk d;
    d.write();
    d.flush(0);
    d.write();
    unsigned const b = d.flush(1);
    d.end(1);
    REQUIRE(d.flushes() == 2);
    CHECK(d.end(1) == flush_status::not_in_flight); // again
    CHECK(d.told(b) == answer::none);
    CHECK(d.end(1, flush_end::failed) == flush_status::not_in_flight);
    CHECK(d.time_out(1) == flush_status::not_in_flight);
    CHECK(d.end(2) == flush_status::accepted);
    CHECK(d.told(b) == answer::ok);
}

TEST_CASE("a failure is the failure of every rider", "[inv:F3]") {
    riding_desk d;
    d.write();
    for (unsigned s = 0; s < 4; ++s) {
        d.flush(s);
    }
    d.end(1, flush_end::failed);
    for (unsigned r = 0; r < 4; ++r) {
        CHECK(d.told(r) == answer::error);
    }
    CHECK(d.c.error(tag{0}) == flush_error::flush_failed);
}

TEST_CASE("a failed flush leaves the domain dirty, and a later success does not repair it", "[inv:F3]") {
    riding_desk d;
    d.settle();
    auto const doubtful = d.write();
    d.flush(0);
    d.end(1, flush_end::failed);
    CHECK_FALSE(d.c.clean(tag{0}));
    auto const later = d.write();
    unsigned const b = d.flush(0);
    REQUIRE(d.flushes() == 2);
    d.end(2);
    CHECK(d.told(b) == answer::ok); // this stream was told
    CHECK(d.c.durable(tag{0}, later));
    CHECK_FALSE(d.c.durable(tag{0}, doubtful));
}

TEST_CASE("only a status that proves that nothing ran is repeated, and only so often", "[inv:F3]") {
    desk<db::flush_retries<2>> d;
    d.write();
    unsigned const a = d.flush(0);
    d.end(1, flush_end::not_executed);
    d.end(2, flush_end::not_executed);
    REQUIRE(d.flushes() == 3);
    CHECK(d.told(a) == answer::none);
    d.end(3, flush_end::not_executed);
    CHECK(d.flushes() == 3);
    CHECK(d.told(a) == answer::error);
    // Nothing is in doubt: the next flush covers the same writes, and nobody else is owed an error.
    CHECK(d.c.error(tag{0}) == flush_error::none);
    unsigned const b = d.flush(1);
    d.end(4);
    CHECK(d.told(b) == answer::ok);
    CHECK(d.c.clean(tag{0}));
    d.write();
    d.flush(0);
    d.end(5, flush_end::failed);
    CHECK(d.flushes() == 5);
}

TEST_CASE("each stream is told of an error once", "[inv:F3]") {
    riding_desk d;
    d.write();
    unsigned const a = d.flush(0);
    d.end(1, flush_end::failed);
    CHECK(d.told(a) == answer::error);
    unsigned const b = d.flush(1); // another stream, which has not heard of it
    CHECK(d.flushes() == 2);       // and the device is asked all the same
    d.end(2);
    CHECK(d.told(b) == answer::error);
    d.write();
    unsigned const c = d.flush(1);
    unsigned const e = d.flush(0);
    d.end(3);
    CHECK(d.told(c) == answer::ok);
    CHECK(d.told(e) == answer::ok);
    unsigned const f = d.flush(2); // clean by now, and still owed
    CHECK(d.told(f) == answer::error);
}

TEST_CASE("those who wait when a flush fails are told too, since theirs was to cover the same writes", "[inv:F3]") {
    riding_desk d;
    d.write();
    d.flush(0);
    d.write();
    unsigned const b = d.flush(1);
    d.end(1, flush_end::failed);
    CHECK(d.told(b) == answer::none);
    d.end(2);
    CHECK(d.told(b) == answer::error);
}

TEST_CASE("a stream that opens inherits an error only if nobody was told", "[inv:F3]") {
    riding_desk d;
    d.settle();
    d.c.close(tag{3});
    d.c.write_completed(tag{0}, db::outcome::aborted);
    CHECK(d.c.open(tag{3}) == flush_status::accepted);
    unsigned const a = d.flush(3);
    d.end(1);
    CHECK(d.told(a) == answer::error);
    d.c.close(tag{3});
    CHECK(d.c.open(tag{3}) == flush_status::accepted);
    unsigned const b = d.flush(3);
    CHECK(d.told(b) == answer::ok);
}

TEST_CASE("a poisoned domain fails every request at once, until it starts over", "[inv:F3]") {
    poisoning d;
    d.write();
    unsigned const a = d.flush(0);
    d.write();
    unsigned const b = d.flush(1); // waits for the next one
    CHECK_FALSE(d.c.poisoned(tag{0}));
    d.end(1, flush_end::failed);
    CHECK(d.told(a) == answer::error);
    CHECK(d.told(b) == answer::error);
    CHECK(d.c.poisoned(tag{0}));
    CHECK(d.flushes() == 1);
    CHECK(d.told(d.flush(0)) == answer::error);
    CHECK(d.told(d.flush(0)) == answer::error);
    CHECK(d.flushes() == 1);
    CHECK(d.c.start_over(tag{0}) == flush_status::accepted);
    CHECK_FALSE(d.c.poisoned(tag{0}));
    unsigned const c = d.flush(0);
    d.end(2);
    CHECK(d.told(c) == answer::ok);
}

TEST_CASE("a flush whose time is over has failed, and a late success does not count", "[inv:X2][inv:F3]") {
    riding_desk d;
    auto const written = d.write();
    unsigned const a = d.flush(0);
    CHECK(d.time_out(1) == flush_status::accepted);
    CHECK(d.told(a) == answer::error);
    d.write();
    unsigned const b = d.flush(0);
    CHECK(d.flushes() == 1); // the device may still be at work
    CHECK(d.time_out(1) == flush_status::not_in_flight);
    CHECK(d.end(1) == flush_status::accepted); // it gives the flush back: "success"
    CHECK_FALSE(d.c.durable(tag{0}, written));
    CHECK_FALSE(d.c.clean(tag{0}));
    REQUIRE(d.flushes() == 2);
    d.end(2);
    CHECK(d.told(b) == answer::ok);
    CHECK_FALSE(d.c.durable(tag{0}, written));
}

TEST_CASE("a success that comes too late spares no flush", "[inv:X2][inv:F3]") {
    riding_desk d;
    d.write();
    d.flush(0);
    d.time_out(1);
    d.end(1);
    CHECK_FALSE(d.c.clean(tag{0}));
    unsigned const b = d.flush(0); // nothing was written since
    REQUIRE(d.flushes() == 2);
    d.end(2);
    CHECK(d.told(b) == answer::ok);
}

TEST_CASE("whichever of the end and its time-out is told first is the result", "[inv:X2]") {
    riding_desk d;
    d.write();
    unsigned const a = d.flush(0);
    d.end(1);
    CHECK(d.time_out(1) == flush_status::not_in_flight);
    CHECK(d.told(a) == answer::ok);
}

TEST_CASE("nobody shares a flush whose time is over", "[inv:F1][inv:X2]") {
    riding_desk d;
    d.write();
    d.flush(0);
    d.time_out(1);
    unsigned const b = d.flush(0); // nothing was written since, but nothing can be hoped for either
    d.end(1);
    CHECK(d.told(b) == answer::none);
    d.end(2);
    CHECK(d.told(b) == answer::ok);
}

TEST_CASE("each domain flushes for itself", "[inv:F6]") {
    mirror d;
    d.write(0);
    d.write(1);
    unsigned const a = d.flush(0, 0);
    unsigned const b = d.flush(0, 1);
    REQUIRE(d.flushes() == 2);
    CHECK(d.handed[0].which == tag{0});
    CHECK(d.handed[1].which == tag{1});
    d.end(1);
    CHECK(d.told(a) == answer::ok);
    CHECK(d.told(b) == answer::none);
    CHECK_FALSE(d.c.clean(tag{1}));
    d.end(2, flush_end::failed);
    CHECK(d.told(b) == answer::error);
    CHECK(d.c.error(tag{0}) == flush_error::none);
}

TEST_CASE("a request for several domains has its answer when the last has, and fails with any", "[inv:F6]") {
    mirror d;
    d.write(0);
    d.write(1);
    unsigned const a = d.flush_all(0);
    REQUIRE(d.flushes() == 2);
    d.end(1);
    CHECK(d.told(a) == answer::none);
    d.end(2);
    CHECK(d.told(a) == answer::ok);
    d.write(0);
    d.write(1);
    unsigned const b = d.flush_all(0);
    d.end(3, flush_end::failed);
    CHECK(d.told(b) == answer::none);
    d.end(4);
    CHECK(d.told(b) == answer::error);
}

TEST_CASE(
    "a flush that covers all is alone in flight, covers what was complete everywhere, and fails for all", "[inv:F6]") {
    covering d;
    d.write(0);
    d.write(1);
    unsigned const a = d.flush(0, 0);
    unsigned const b = d.flush(1, 1); // domain 1 was looked at too: it rides
    CHECK(d.flushes() == 1);
    auto const later = d.write(1);
    unsigned const c = d.flush(2, 1); // this one is not covered
    CHECK(d.flushes() == 1);
    d.end(1);
    CHECK(d.told(a) == answer::ok);
    CHECK(d.told(b) == answer::ok);
    CHECK(d.told(c) == answer::none);
    CHECK(d.c.clean(tag{0}));
    CHECK_FALSE(d.c.durable(tag{1}, later));
    REQUIRE(d.flushes() == 2);
    d.write(0);
    d.end(2, flush_end::failed);
    CHECK(d.told(c) == answer::error);
    CHECK(d.c.error(tag{1}) == flush_error::flush_failed);
}

TEST_CASE("nothing is spared before it is known that nothing is left", "[inv:F7]") {
    riding_desk d;
    unsigned const a = d.flush(0); // nobody knows what was written before
    CHECK(d.flushes() == 1);
    d.end(1);
    CHECK(d.told(a) == answer::ok);
    unsigned const b = d.flush(0);
    CHECK(d.told(b) == answer::ok);
    CHECK(d.flushes() == 1);
    d.c.unknown_completed(tag{0});
    d.flush(0);
    CHECK(d.flushes() == 2);
}

TEST_CASE("a write that went through needs no flush", "[inv:F7]") {
    riding_desk d;
    d.settle();
    auto const place = d.c.write_completed(tag{0}, db::outcome::success, db::write_kind::through);
    CHECK(d.c.durable(tag{0}, place));
    CHECK(d.told(d.flush(0)) == answer::ok);
    CHECK(d.flushes() == 0);
}

TEST_CASE("a cache that is known to be written through needs no flush, for what was written since", "[inv:F7]") {
    riding_desk d;
    d.write();
    d.c.set_cache_mode(tag{0}, cache_mode::write_through);
    unsigned const a = d.flush(0); // what was there before may still be in it
    REQUIRE(d.flushes() == 1);
    d.end(1);
    CHECK(d.told(a) == answer::ok);
    auto const place = d.write();
    CHECK(d.c.durable(tag{0}, place));
    CHECK(d.told(d.flush(0)) == answer::ok);
    CHECK(d.flushes() == 1);
    d.c.set_cache_mode(tag{0}, cache_mode::write_back);
    CHECK(d.told(d.flush(0)) == answer::ok); // it was written through
    d.write();
    d.flush(0);
    CHECK(d.flushes() == 2);
}

TEST_CASE("a reset forgets what was known of the cache", "[inv:F7][inv:F8]") {
    riding_desk d;
    d.settle();
    d.c.set_cache_mode(tag{0}, cache_mode::write_through);
    d.write();
    d.reset(cache_fate::lost);
    CHECK(d.c.error(tag{0}) == flush_error::none); // it was on the medium
    d.write();
    d.flush(0);
    CHECK(d.flushes() == 1);
}

TEST_CASE("a reset that loses the cache is an error for everybody, until told otherwise", "[inv:F8]") {
    riding_desk d;
    d.settle();
    auto const lost = d.write();
    d.reset(cache_fate::lost);
    CHECK(d.c.error(tag{0}) == flush_error::writes_lost);
    unsigned const a = d.flush(0);
    unsigned const b = d.flush(1);
    d.end(1);
    CHECK(d.told(a) == answer::error);
    CHECK(d.told(b) == answer::error);
    CHECK_FALSE(d.c.durable(tag{0}, lost));
    CHECK(d.c.start_over(tag{0}) == flush_status::accepted);
    CHECK(d.told(d.flush(2)) == answer::ok);
}

TEST_CASE("a reset of a clean domain loses nothing", "[inv:F8]") {
    riding_desk d;
    d.settle();
    d.reset(cache_fate::lost);
    CHECK(d.c.error(tag{0}) == flush_error::none);
    CHECK(d.told(d.flush(0)) == answer::ok);
}

TEST_CASE("a reset that keeps the cache ends the flush in flight and nothing else", "[inv:F8]") {
    riding_desk d;
    d.write();
    unsigned const a = d.flush(0);
    d.write();
    d.reset(cache_fate::kept);
    CHECK(d.told(a) == answer::error);
    CHECK(d.end(1) == flush_status::not_in_flight);
    d.c.start_over(tag{0});
    unsigned const b = d.flush(0);
    d.end(2);
    CHECK(d.told(b) == answer::ok);
}

TEST_CASE("a unit attention of a reset is a loss, whatever was to be flushed", "[inv:F8]") {
    riding_desk d;
    d.settle();
    d.write();
    unsigned const a = d.flush(0);
    auto const later = d.write();
    d.end(1, flush_end::reset);
    CHECK(d.told(a) == answer::error);
    CHECK(d.flushes() == 1);
    d.flush(0);
    d.end(2);
    CHECK_FALSE(d.c.durable(tag{0}, later));
    CHECK(d.c.error(tag{0}) == flush_error::writes_lost);
}

TEST_CASE("a failed write fails the next flush of each stream, by policy", "[inv:F8]") {
    riding_desk d;
    d.settle();
    d.c.write_completed(tag{0}, db::outcome::aborted);
    unsigned const a = d.flush(0);
    d.end(1);
    CHECK(d.told(a) == answer::error);
    CHECK(d.told(d.flush(0)) == answer::ok);
    CHECK(d.told(d.flush(1)) == answer::error);

    desk<db::failed_write_is_told> told;
    told.settle();
    told.c.write_completed(tag{0}, db::outcome::aborted);
    unsigned const b = told.flush(0);
    CHECK(told.flushes() == 1); // it may have written a part
    told.end(1);
    CHECK(told.told(b) == answer::ok);
}

TEST_CASE("suspend flushes once what may be in the cache, and then refuses", "[inv:F5][inv:F8]") {
    riding_desk d;
    d.write();
    CHECK(d.suspend() == flush_status::accepted);
    CHECK(d.flushes() == 1);
    CHECK_FALSE(d.quiesced);
    CHECK(d.c.flush(tag{0}, tag{0}, tag{0}).status == flush_status::suspended);
    d.end(1);
    CHECK(d.quiesced);
    CHECK_FALSE(d.last.lossy);
    CHECK(d.flushes() == 1);
    CHECK(d.suspend() == flush_status::already);
    d.reset(cache_fate::lost); // power was off
    CHECK(d.resume() == flush_status::accepted);
    CHECK(d.resume() == flush_status::already);
    CHECK(d.told(d.flush(0)) == answer::ok);
}

TEST_CASE("stop tells of an error that nobody was told of", "[inv:F8]") {
    riding_desk d;
    d.settle();
    d.write();
    d.stop();
    CHECK(d.flushes() == 1);
    d.end(1, flush_end::failed);
    CHECK(d.quiesced);
    CHECK(d.last.lossy);
}

TEST_CASE(
    "stop waits for the flush in flight, and for one more where something was written since", "[inv:F2][inv:F8]") {
    riding_desk d;
    d.write();
    unsigned const a = d.flush(0);
    d.write();
    d.stop();
    CHECK(d.flushes() == 1);
    d.end(1);
    CHECK(d.told(a) == answer::ok);
    CHECK_FALSE(d.quiesced);
    REQUIRE(d.flushes() == 2);
    d.end(2);
    CHECK(d.quiesced);
    CHECK_FALSE(d.last.lossy);
}

TEST_CASE("stop of a clean device touches nothing", "[inv:F7]") {
    riding_desk d;
    d.settle();
    d.stop();
    CHECK(d.quiesced);
    CHECK(d.flushes() == 0);
    riding_desk e;
    e.settle();
    e.suspend();
    e.quiesced = false;
    e.stop();
    CHECK(e.quiesced);
    CHECK(e.resume() == flush_status::stopped);
}

TEST_CASE("while the device is recovered nothing is handed over, and nobody is lost", "[inv:F2][inv:F8]") {
    riding_desk d;
    d.write();
    unsigned const a = d.flush(0);
    d.c.hold();
    d.end(1, flush_end::not_executed); // not repeated now: it waits
    CHECK(d.told(a) == answer::none);
    d.write();
    unsigned const b = d.flush(1);
    CHECK(d.told(b) == answer::none);
    CHECK(d.flushes() == 1);
    d.reset(cache_fate::kept); // no flush was in flight: nothing is in doubt
    CHECK(d.flushes() == 1);
    d.take(d.c.release());
    REQUIRE(d.flushes() == 2);
    d.end(2);
    CHECK(d.told(a) == answer::ok);
    CHECK(d.told(b) == answer::ok);
}

TEST_CASE("suspend waits for the end of a recovery", "[inv:F8]") {
    riding_desk d;
    d.write();
    d.c.hold();
    d.suspend();
    CHECK(d.flushes() == 0);
    CHECK_FALSE(d.quiesced);
    d.take(d.c.release());
    REQUIRE(d.flushes() == 1);
    d.end(1);
    CHECK(d.quiesced);
}

TEST_CASE("what makes no sense is refused and changes nothing") {
    mirror d;
    d.write();
    unsigned const a = d.flush(0);
    CHECK(d.c.flush(tag{0}, tag{0}, tag{0}).status == flush_status::busy);
    CHECK(d.c.flush(tag{32}, tag{0}, tag{0}).status == flush_status::no_place);
    CHECK(d.c.flush(tag{1}, tag{4}, tag{0}).status == flush_status::no_stream);
    CHECK(d.c.flush(tag{1}, tag{0}, tag{2}).status == flush_status::no_domain);
    CHECK(d.c.flush(tag{1}, tag{0}, mirror::coalescer_type::domains{}).status == flush_status::no_domain);
    CHECK(d.c.flush_ended({tag{0}, 77}, flush_end::done).status == flush_status::not_in_flight);
    CHECK(d.c.flush_ended({tag{1}, 1}, flush_end::done).status == flush_status::not_in_flight);
    CHECK(d.c.flush_ended({tag{9}, 1}, flush_end::done).status == flush_status::not_in_flight);
    CHECK(d.c.flush_timed_out({tag{9}, 1}).status == flush_status::not_in_flight);
    CHECK(d.c.write_completed(tag{2}) == 0);
    CHECK(d.c.unknown_completed(tag{2}) == 0);
    CHECK(d.c.set_cache_mode(tag{2}, cache_mode::write_through) == flush_status::no_domain);
    CHECK(d.c.start_over(tag{2}) == flush_status::no_domain);
    CHECK_FALSE(d.c.clean(tag{2}));
    CHECK_FALSE(d.c.durable(tag{2}, 1));
    CHECK_FALSE(d.c.durable(tag{0}, 0));
    CHECK_FALSE(d.c.poisoned(tag{2}));
    CHECK(d.c.error(tag{2}) == flush_error::none);
    CHECK(d.c.open(tag{4}) == flush_status::no_stream);
    CHECK(d.c.open(tag{0}) == flush_status::already);
    CHECK(d.c.close(tag{0}) == flush_status::busy);
    CHECK(d.c.close(tag{4}) == flush_status::no_stream);
    CHECK(d.resume() == flush_status::already);
    CHECK(d.flushes() == 1);
    d.end(1);
    CHECK(d.told(a) == answer::ok);
    CHECK(d.c.close(tag{0}) == flush_status::accepted);
    CHECK(d.c.close(tag{0}) == flush_status::no_stream);
    CHECK(d.c.flush(tag{0}, tag{0}, tag{0}).status == flush_status::no_stream);
}

TEST_CASE("stop twice is said to be so", "[inv:F2]") {
    riding_desk d;
    d.write();
    CHECK(d.stop() == flush_status::accepted);
    CHECK(d.stop() == flush_status::already);
    CHECK(d.flushes() == 1);
    d.end(1);
    CHECK(d.stop() == flush_status::already);
    CHECK(d.c.flush(tag{0}, tag{0}, tag{0}).status == flush_status::stopped);
}

TEST_CASE("when all places are taken a request is refused, and the others are answered") {
    desk<db::flush_riders<2>> d;
    d.write();
    unsigned const a = d.flush(0);
    unsigned const b = d.flush(1);
    CHECK(d.c.flush(tag{2}, tag{2}, tag{0}).status == flush_status::no_place);
    d.end(1);
    CHECK(d.told(a) == answer::ok);
    CHECK(d.told(b) == answer::ok);
}

TEST_CASE("a request is one lock section, and a completed write none", "[inv:F1]") {
    riding_desk d;
    auto const sections = [&](auto event) {
        d.watch.forget_acquisitions();
        event();
        return d.watch.acquisitions();
    };
    CHECK(sections([&] { d.write(); }) == (__atomic_always_lock_free(8, nullptr) ? 0 : 1));
    CHECK(sections([&] { d.flush(0); }) == 1);
    CHECK(sections([&] { d.flush(1); }) == 1); // it rides: no device access
    CHECK(d.flushes() == 1);
    CHECK(sections([&] { d.end(1); }) == 1);
    CHECK(sections([&] { d.c.write_completed(tag{0}, db::outcome::aborted); }) == 1);
    CHECK(d.time.reads() == 0); // this level has no use for the time
}

namespace {

using plain = db::flush_coalescer<db::testing::manual_clock<>, db::null_lock, db::flush_domains<2>>;
db::testing::manual_time<> standing{0};
constinit plain global{standing};

} // namespace

TEST_CASE("a coalescer is constant-initialised", "[inv:W2]") {
    CHECK(global.open(tag{0}) == flush_status::accepted);
    CHECK_FALSE(global.clean(tag{0}));
    CHECK(plain::loss_window(1'000'000'000) == 0);
}

TEST_CASE("the flush before power is taken is handed over again if a recovery kept it from running", "[inv:F5]") {
    desk<> d;
    d.write();
    d.suspend();
    REQUIRE(d.flushes() == 1);
    d.c.hold();
    d.end(1, flush_end::not_executed);
    CHECK_FALSE(d.quiesced);
    d.take(d.c.release());
    REQUIRE(d.flushes() == 2);
    CHECK_FALSE(d.quiesced);
    d.end(2);
    CHECK(d.quiesced);
    CHECK_FALSE(d.last.lossy);
}
