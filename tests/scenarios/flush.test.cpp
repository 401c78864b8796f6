// SPDX-License-Identifier: BSL-1.0
// Faults of real flush code as replays of events: what was written, asked, handed over, answered, and cut.
#include "../flush/desk.hpp"

#include <doorbell/flush/fixed_grace.hpp>
#include <doorbell/flush/sequence.hpp>
#include <doorbell/testing/storage_device.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <vector>

using namespace flush_test;

namespace {

using plain = desk<>;
using mirrored = desk<db::flush_domains<2>>;
using poison = desk<db::poisoned_until_reset>;
constexpr std::uint64_t period = 1'000'000'000;
using patch = desk<db::deferred_unsafe<period>, db::flush_domains<2>>;

/// A desk with a disk behind it: writes and flushes reach its cache, and the power can be cut.
template <class... Options>
class machine : public desk<Options...> {
public:
    /// Write number n of block n; a write of the file system carries its number as its stamp.
    db::write_generation put(std::uint64_t n) {
        disk.write(n, n);
        return this->write();
    }

    /// The flush in flight ends, as the disk has it.
    void finish(flush_end how = flush_end::done) {
        begin();
        disk.flush_end(tokens.at(ended), how == flush_end::done);
        this->end(static_cast<unsigned>(++ended), how);
        begin();
    }

    /// What was handed over by now begins now.
    void begin() {
        while (tokens.size() < this->flushes()) {
            tokens.push_back(disk.flush_begin());
        }
    }

    /// The power fails. The block holds what was written to it.
    [[nodiscard]] bool survives(std::uint64_t n) const { return disk.durable(n) == n; }

    db::testing::storage_device disk{16};
    std::vector<std::uint64_t> tokens{};
    std::size_t ended = 0;
};

} // namespace

TEST_CASE("U.E1 an early answer breaks the order that file systems build on", "[U.E1]") {
    // What is not asked for by name answers only when it is true.
    machine<> safe;
    safe.put(1);
    unsigned const a = safe.flush(0);
    safe.begin();
    CHECK(safe.told(a) == answer::none);
    CHECK_FALSE(safe.survives(1));
    safe.finish();
    CHECK(safe.told(a) == answer::ok);
    CHECK(safe.survives(1));

    machine<db::strict> strict;
    strict.put(1);
    CHECK(strict.told(strict.flush(0)) == answer::none);
    CHECK(strict.c.loss_window(17'500'000) == 0);

    machine<db::deferred_unsafe<period>> unsafe; // by name and by argument, with its window
    unsafe.put(1);
    CHECK(unsafe.told(unsafe.flush(0)) == answer::ok);
    CHECK_FALSE(unsafe.survives(1));
    CHECK(unsafe.c.loss_window(17'500'000) >= period);
}

TEST_CASE("U.E2 what was answered early is flushed once before the device goes, on every path", "[U.E2]") {
    enum class path : std::uint8_t { stop, suspend, planned_reset };
    for (path const p : {path::stop, path::suspend, path::planned_reset}) {
        machine<db::deferred_unsafe<period>> d;
        d.pass(10);
        d.put(1);
        d.flush(0);
        d.pass(10);
        p == path::stop ? d.stop() : d.suspend();
        REQUIRE(d.flushes() == 1);
        CHECK_FALSE(d.quiesced);
        d.finish();
        CHECK(d.quiesced);
        CHECK_FALSE(d.last.lossy);
        if (p == path::planned_reset) {
            (void)d.disk.cut();
            d.reset(cache_fate::lost);
            d.resume();
            CHECK(d.told(d.flush(0)) == answer::ok);
        }
        d.pass(2 * period); // no second one from the timer
        CHECK(d.flushes() == 1);
        CHECK(d.survives(1));
    }
}

TEST_CASE("U.E2 a reset that nobody planned is told, not forgotten", "[U.E2]") {
    machine<db::deferred_unsafe<period>> d;
    d.put(1);
    d.flush(0);
    (void)d.disk.cut();
    d.reset(cache_fate::lost);
    CHECK(d.told(d.flush(0)) == answer::error);
}

TEST_CASE("U.E3 each logical unit gets a real flush", "[U.E3]") {
    patch d;
    d.pass(5);
    d.write(0);
    d.flush(0, 0);
    d.pass(1);
    d.write(1);
    d.flush(0, 1);
    d.pass(2 * period);
    REQUIRE(d.flushes() == 2);
    CHECK(d.handed[0].which == tag{0});
    CHECK(d.handed[1].which == tag{1});
    CHECK(d.at[1] == d.at[0] + 1);
}

TEST_CASE("U.E4 the error of a deferred flush surfaces with the next one", "[U.E4]") {
    patch d;
    for (unsigned n = 0; n < 10; ++n) {
        d.write();
        CHECK(d.told(d.flush(n % 2)) == answer::ok);
    }
    d.pass(period);
    d.end(1, flush_end::failed);
    CHECK(d.told(d.flush(0)) == answer::error);
    CHECK(d.told(d.flush(1)) == answer::error);
}

TEST_CASE("U.E6 the window does not begin anew with each flush", "[U.E6]") {
    patch d;
    std::uint64_t last = d.time.peek();
    for (unsigned n = 0; n < 100; ++n) {
        d.write();
        d.flush(0);
        d.pass(period / 10);
        if (d.flushes() > 0 and not d.last.issue.empty()) {
            CHECK(d.at.back() - last <= period + period / 10);
            last = d.at.back();
            d.end(static_cast<unsigned>(d.flushes()));
        }
    }
    CHECK(d.flushes() >= 9);
}

TEST_CASE("Q.B01 data is not handed over before its preflush has succeeded", "[Q.B01]") {
    machine<> d;
    d.put(0);
    db::flush_sequence request{{.preflush = true}, true};
    REQUIRE(request.next() == db::flush_step::preflush);
    unsigned const pre = d.flush(0);
    CHECK(request.next() == db::flush_step::preflush); // the write is not due yet
    d.finish();
    REQUIRE(d.told(pre) == answer::ok);
    CHECK(request.ended(true) == db::flush_step::write);
    CHECK(d.survives(0));
    d.put(1);
    CHECK(request.ended(true) == db::flush_step::succeeded);

    db::flush_sequence other{{.preflush = true}, true};
    unsigned const bad = d.flush(0);
    d.finish(flush_end::failed);
    CHECK(d.told(bad) == answer::error);
    CHECK(other.ended(false) == db::flush_step::failed);
}

TEST_CASE("Q.B02 a write that finishes after the flush was handed over needs another one", "[Q.B02]") {
    machine<> d;
    unsigned const a = d.flush(0);
    d.begin();
    auto const zero = d.put(1); // submitted before, complete only now
    CHECK_FALSE(d.c.durable(tag{0}, zero));
    d.finish();
    CHECK(d.told(a) == answer::ok);
    CHECK_FALSE(d.c.durable(tag{0}, zero));
    CHECK_FALSE(d.survives(1));
    unsigned const b = d.flush(0);
    REQUIRE(d.flushes() == 2);
    d.finish();
    CHECK(d.told(b) == answer::ok);
    CHECK(d.c.durable(tag{0}, zero));
    CHECK(d.survives(1));
}

TEST_CASE("Q.B03 a flush of all devices is complete with the last", "[Q.B03]") {
    mirrored d;
    d.write(0);
    d.write(1);
    unsigned const a = d.flush_all(0);
    REQUIRE(d.flushes() == 2);
    d.end(1);
    CHECK(d.told(a) == answer::none);
    d.end(2);
    CHECK(d.told(a) == answer::ok);
}

TEST_CASE("Q.B04 never two flushes at a time, however the end of one meets the next requests", "[Q.B04]") {
    plain d;
    d.write();
    unsigned const a = d.flush(0);
    d.write();
    // The device has ended flush 1. In the middle of that, as far as the caller is concerned, others come.
    auto const w = d.c.flush_ended(d.handed[0], flush_end::done);
    CHECK(w.issue.empty());
    unsigned const b = d.flush(1);
    REQUIRE(d.flushes() == 2);
    d.write();
    unsigned const c = d.flush(2);
    CHECK(d.flushes() == 2);
    d.take(w); // now the answer to a is delivered
    CHECK(d.told(a) == answer::ok);
    CHECK(d.told(b) == answer::none);
    d.end(2);
    CHECK(d.told(b) == answer::ok);
    CHECK(d.told(c) == answer::none);
    REQUIRE(d.flushes() == 3);
    d.end(3);
    CHECK(d.told(c) == answer::ok);
}

TEST_CASE("Q.B06 the failure of one half of a mirror is not hidden", "[Q.B06]") {
    mirrored d;
    d.write(0);
    d.write(1);
    unsigned const a = d.flush_all(0);
    unsigned const b = d.flush_all(1);
    d.end(1);
    d.end(2, flush_end::failed);
    CHECK(d.told(a) == answer::error);
    CHECK(d.told(b) == answer::error);
}

TEST_CASE("Q.B07 a failed flush leaves the cache dirty", "[Q.B07]") {
    for (unsigned const second : {0U, 1U}) {
        plain d;
        d.write();
        unsigned const a = d.flush(0);
        d.end(1, flush_end::failed);
        CHECK(d.told(a) == answer::error);
        unsigned const b = d.flush(second);
        REQUIRE(d.flushes() == 2);
        d.end(2);
        CHECK(d.told(b) == (second == 0 ? answer::ok : answer::error)); // once per stream
    }
}

TEST_CASE("Q.B08 followers fail with their leader", "[Q.B08]") {
    plain d;
    d.write();
    unsigned const riders[] = {d.flush(0), d.flush(1), d.flush(2)};
    CHECK(d.flushes() == 1);
    d.end(1, flush_end::failed);
    for (unsigned const each : riders) {
        CHECK(d.told(each) == answer::error);
    }
}

TEST_CASE("Q.B09 what was appended during a flush is not flushed by it", "[Q.B09]") {
    machine<> d;
    d.put(1);
    unsigned const a = d.flush(0);
    d.begin();
    d.put(2);
    d.finish();
    CHECK(d.told(a) == answer::ok);
    unsigned const b = d.flush(1);
    REQUIRE(d.flushes() == 2);
    CHECK(d.told(b) == answer::none);
    CHECK_FALSE(d.survives(2));
    d.finish();
    CHECK(d.told(b) == answer::ok);
    CHECK(d.survives(2));
}

TEST_CASE("Q.B11 deferring does not skip the error", "[Q.B11]") {
    patch d;
    d.c.write_completed(tag{0}, db::outcome::aborted);
    CHECK(d.told(d.flush(0)) == answer::error);

    desk<db::grouped<db::fixed_grace<1'000>>> grouped;
    grouped.settle();
    grouped.c.write_completed(tag{0}, db::outcome::aborted);
    unsigned const a = grouped.flush(0);
    grouped.pass(1'000);
    grouped.end(1);
    CHECK(grouped.told(a) == answer::error);
}

TEST_CASE("Q.B12 a failed flush is never a success", "[Q.B12]") {
    for (auto const how : {flush_end::failed, flush_end::reset}) {
        plain d;
        d.write();
        unsigned const a = d.flush(0);
        d.end(1, how);
        CHECK(d.told(a) == answer::error);
    }
    plain never;
    never.write();
    unsigned const a = never.flush(0);
    for (unsigned n = 1; n <= 4; ++n) {
        never.end(n, flush_end::not_executed);
    }
    CHECK(never.told(a) == answer::error);
    CHECK(never.flushes() == 4);
}

TEST_CASE("Q.B13 an error of write-back reaches everybody once, or everybody always", "[Q.B13]") {
    plain once;
    once.settle();
    once.c.write_completed(tag{0}, db::outcome::aborted);
    for (unsigned const stream : {0U, 1U}) {
        unsigned const first = once.flush(stream);
        once.end(static_cast<unsigned>(once.flushes()));
        CHECK(once.told(first) == answer::error);
        unsigned const second = once.flush(stream);
        CHECK(once.told(second) == answer::ok);
    }

    plain unseen; // a stream that opens later
    unseen.settle();
    CHECK(unseen.c.close(tag{0}) == flush_status::accepted);
    unseen.c.write_completed(tag{0}, db::outcome::aborted);
    CHECK(unseen.c.open(tag{0}) == flush_status::accepted);
    unsigned const a = unseen.flush(0);
    unseen.end(1);
    CHECK(unseen.told(a) == answer::error);

    poison always;
    always.settle();
    always.c.write_completed(tag{0}, db::outcome::aborted);
    CHECK(always.told(always.flush(0)) == answer::error);
    CHECK(always.told(always.flush(0)) == answer::error);
    CHECK(always.flushes() == 0);
}

TEST_CASE("Q.B15 what was read of the cache before a reset does not count after it", "[Q.B15]") {
    plain d;
    d.settle();
    d.c.set_cache_mode(tag{0}, cache_mode::write_through); // read while the device starts
    d.reset(cache_fate::kept);                             // ready: its cache is on
    d.write();
    d.flush(0);
    CHECK(d.flushes() == 1);
    d.end(1);
    d.c.set_cache_mode(tag{0}, cache_mode::write_back); // read again
    d.write();
    d.flush(0);
    CHECK(d.flushes() == 2);
}

TEST_CASE("Q.B16 the first flush reaches the device", "[Q.B16]") {
    plain d;
    unsigned const a = d.flush(0);
    CHECK(d.flushes() == 1);
    CHECK(d.told(a) == answer::none);
}

TEST_CASE("Q.B19f what is asked after a failure was taken in fails too", "[Q.B19f]") {
    poison d;
    d.write();
    d.flush(0);
    auto const w = d.c.flush_ended(d.handed[0], flush_end::failed);
    // Between the error and its delivery: the latch was set where the error was taken.
    CHECK(d.c.poisoned(tag{0}));
    d.write();
    CHECK(d.told(d.flush(1)) == answer::error);
    d.take(w);
    CHECK(d.told(0) == answer::error);
}

TEST_CASE("Q.B21f the deferral of one laptop's driver, made honest", "[Q.B21f]") {
    SECTION("(i) an early answer, then an error: the next flush has it") {
        patch d;
        d.write();
        CHECK(d.told(d.flush(0)) == answer::ok);
        d.pass(period);
        d.end(1, flush_end::failed);
        CHECK(d.told(d.flush(0)) == answer::error);
    }
    SECTION("(ii) an early answer, then suspend: a flush before power goes") {
        patch d;
        d.write();
        d.flush(0);
        d.suspend();
        CHECK(d.flushes() == 2);
        CHECK_FALSE(d.quiesced);
    }
    SECTION("(iii) an early answer, then a cut: what is lost is within the window") {
        machine<db::deferred_unsafe<period>> d;
        constexpr std::uint64_t flush = 17'500'000;
        std::vector<std::uint64_t> acknowledged(16);
        for (std::uint64_t n = 1; n < 16; ++n) {
            d.put(n);
            CHECK(d.told(d.flush(0)) == answer::ok);
            acknowledged[n] = d.time.peek();
            d.pass(period / 5);
            d.begin();
            if (d.flushes() > d.ended) {
                d.pass(flush);
                d.finish();
            }
        }
        for (std::uint64_t n = 1; n < 16; ++n) {
            bool const old = d.time.peek() - acknowledged[n] > d.c.loss_window(flush);
            CHECK((d.survives(n) or not old));
        }
        CHECK(d.survives(1));
    }
    SECTION("(iv) namespaces have clocks of their own") {
        patch d;
        d.write(0);
        d.flush(0, 0);
        d.pass(period / 2);
        d.write(1);
        d.flush(0, 1);
        d.pass(period);
        REQUIRE(d.flushes() == 2);
        CHECK(d.at[1] - d.at[0] == period / 2);
    }
    SECTION("(v) flushes twice a period: the device's comes a period after the first") {
        patch d;
        std::uint64_t const begin = d.time.peek();
        for (unsigned n = 0; n < 4; ++n) {
            d.write();
            d.flush(0);
            d.pass(period / 2);
        }
        CHECK(d.at.at(0) == begin + period);
    }
}

TEST_CASE("Q.B23f a fast sync does not overlook the error of the data", "[Q.B23f]") {
    plain d;
    d.settle();
    d.c.write_completed(tag{0}, db::outcome::timed_out);
    unsigned const a = d.flush(0);
    d.end(1);
    CHECK(d.told(a) == answer::error);
}
