// SPDX-License-Identifier: BSL-1.0
#include <doorbell/deferral/giveback.hpp>

#include "../support/rig.hpp"

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

namespace {

using namespace support;
using db::endpoint_activity;
using db::outcome;

/// A driver whose callbacks may run in a bottom half. Tags from 16 on are a stream's.
struct later_driver : plain_driver {
    unsigned scheduled = 0;
    db::endpoint disk{};
    db::endpoint stream{db::giveback_priority::high};

    void schedule_giveback() noexcept {
        note("schedule");
        ++scheduled;
    }

    db::endpoint& endpoint_of(db::tag t) noexcept { return t.index < 16 ? disk : stream; }

    bool end_on_device(db::tag) noexcept { return true; }
};

/// The two cores differ in this one type.
template <class Giveback, class Budget = db::inline_all>
using later_rig = rig<Budget, later_driver, db::statistics, Giveback>;

struct host_of_thread_only_driver {
    // Its callback may sleep; the bottom half is where it may.
    struct driver {
        db::outcome response(db::tag) noexcept { return outcome::success; }

        void completed(db::claimed<db::thread_context>, db::outcome) noexcept { ++completions; }

        void schedule_giveback() noexcept {}

        unsigned completions = 0;
    };
};

} // namespace

TEST_CASE(
    "The hard handler queues its batch in one section, and the bottom half runs the callbacks", "[inv:G1][inv:T3]") {
    later_rig<db::in_bottom_half<db::inline_all>> r;
    r.started();
    r.in_flight(0b111);
    r.hw.finish(0b101);
    auto const result = r.irq();
    CHECK(result.handled());
    CHECK_FALSE(result.wake_thread());
    CHECK(
        r.log.take({"lock", "response", "completed", "unlock", "schedule"}) ==
        lines{"lock", "unlock", "response 0", "response 2", "lock", "unlock", "schedule"});
    CHECK(r.core.outstanding() == db::tag_set<32>{0b010});
    CHECK(r.core.submit(db::tag{0}).status() == db::submit_status::busy); // its callback has not run
    CHECK_FALSE(r.core.run_bottom_half().again());
    CHECK(r.log.take({"completed"}) == lines{"completed 0 0", "completed 2 0"});
    CHECK(r.core.submit(db::tag{0}));
}

TEMPLATE_TEST_CASE(
    "A core that gives back later and one that does it in place differ in one type", "[inv:G1][inv:W1]", db::in_place,
    db::in_bottom_half<db::inline_all>, db::in_bottom_half<db::count_budget<1>>) {
    later_rig<TestType> r;
    r.started();
    for (unsigned round = 0; round < 3; ++round) {
        r.in_flight(0xFFFF'FFFF);
        r.hw.finish(0x0F0F'0F0F);
        (void)r.irq();
        r.hw.finish(0xF0F0'F0F0);
        (void)r.core.on_thread();
        if constexpr (TestType::defers) {
            while (r.core.run_bottom_half().again()) {
            }
        }
        for (unsigned t = 0; t < 32; ++t) {
            CHECK(r.driver.ended[t] == round + 1);
        }
    }
}

TEST_CASE("A batch goes in order within an endpoint, the stream first", "[inv:G1]") {
    later_rig<db::in_bottom_half<db::count_budget<1>>> r;
    r.started();
    r.in_flight(0x0007'0003);
    r.hw.finish(0x0003'0003);
    (void)r.irq();
    CHECK(r.core.run_bottom_half().again());
    CHECK(r.log.take({"completed"}) == lines{"completed 16 0", "completed 0 0"});
    r.hw.finish(0x0004'0000);
    (void)r.irq();
    CHECK(r.driver.scheduled == 1); // the run asked for itself
    CHECK(r.core.run_bottom_half().again());
    CHECK(r.log.take({"completed"}) == lines{"completed 17 0", "completed 1 0"});
    CHECK_FALSE(r.core.run_bottom_half().again());
    CHECK(r.log.take({"completed"}) == lines{"completed 18 0"});
}

TEST_CASE(
    "A callback in the bottom half submits its tag again; what finishes meanwhile is the next run's",
    "[inv:G2][inv:G3]") {
    later_rig<db::in_bottom_half<db::inline_all>> r;
    r.started();
    r.in_flight(1);
    r.driver.on_completed = [&](db::tag t) {
        CHECK(r.core.submit(t));
        CHECK(r.core.activity(r.driver.disk) == endpoint_activity::completing);
        r.hw.finish(1);
        (void)r.irq();
    };
    r.hw.finish(1);
    (void)r.irq();
    for (unsigned n = 1; n < 5; ++n) {
        CHECK(r.core.activity(r.driver.disk) == endpoint_activity::waiting);
        CHECK(r.core.run_bottom_half().again());
        CHECK(r.driver.ended[0] == n);
    }
}

TEST_CASE(
    "Aborting what is queued answers already done, and its callback runs once with the real status",
    "[inv:G3][inv:T2]") {
    later_rig<db::in_bottom_half<db::inline_all>> r;
    r.started();
    auto const sent = r.core.submit(db::tag{0});
    r.driver.responses[0] = outcome{7};
    r.hw.finish(1);
    (void)r.irq();
    CHECK(r.core.abort(sent.ticket_for(db::tag{0})) == db::abort_status::already_done);
    CHECK(r.driver.ended[0] == 0);
    r.log.forget();
    (void)r.core.run_bottom_half();
    CHECK(r.log.take({"completed"}) == lines{"completed 0 7"});
    CHECK(r.core.abort(sent.ticket_for(db::tag{0})) == db::abort_status::already_done);
}

TEST_CASE("Stop, reset and drain wait for the callbacks that are queued", "[inv:G4][inv:D7][inv:T2]") {
    later_rig<db::in_bottom_half<db::count_budget<1>>> r;
    r.started();
    r.in_flight(0b11);
    r.hw.finish(0b11);
    (void)r.irq();
    CHECK(r.driver.ended[0] == 0);
    switch (GENERATE(0, 1, 2)) {
    case 0:
        CHECK(r.core.stop().empty());
        break;
    case 1:
        CHECK(r.core.reset() == db::reset_status::done);
        break;
    default:
        CHECK(r.core.drain(db::unlimited{}) == db::wait_status::done);
    }
    CHECK(r.driver.ended[0] == 1);
    CHECK(r.driver.ended[1] == 1);
    CHECK(r.driver.ended_by_reset == 0);
    CHECK(r.core.activity(r.driver.disk) == endpoint_activity::quiet);
}

TEST_CASE("A response that is missing lags as ever, and is queued once it is there", "[inv:G1][inv:T11]") {
    later_rig<db::in_bottom_half<db::inline_all>> r;
    r.started();
    r.in_flight(1);
    r.driver.responses[0] = outcome::not_written;
    r.hw.finish(1);
    CHECK(r.irq().wake_thread());
    CHECK(r.driver.scheduled == 0);
    CHECK(r.core.on_thread().retry());
    r.driver.responses[0] = outcome::success;
    (void)r.core.on_thread();
    CHECK(r.driver.scheduled == 1);
    (void)r.core.run_bottom_half();
    CHECK(r.driver.ended[0] == 1);
}

TEST_CASE("Callbacks that may sleep are allowed where the hard handler only queues them", "[inv:G1][inv:D6]") {
    journal log;
    small_device hw{log};
    host_of_thread_only_driver::driver driver;
    db::testing::manual_time<> time{0};
    db::testing::lock_watch watch;
    db::host<
        db::ufshci, host_of_thread_only_driver::driver, small_bank, db::testing::manual_clock<>, db::inline_all,
        db::testing::checking_lock, db::in_bottom_half<db::inline_all>>
        core{driver, small_bank{hw}, time, watch};
    REQUIRE(core.start() == db::start_status::started);
    REQUIRE(core.submit(db::tag{0}));
    hw.finish(1);
    (void)core.on_hard_irq();
    CHECK(driver.completions == 0);
    (void)core.run_bottom_half();
    CHECK(driver.completions == 1);
}
