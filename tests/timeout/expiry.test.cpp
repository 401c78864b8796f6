// SPDX-License-Identifier: BSL-1.0
#include <doorbell/timeout/expiry.hpp>

#include "timed_rig.hpp"

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

namespace {

using namespace support;
using uniform = db::uniform_timeouts<std::uint32_t, 100>;
using mixed = db::mixed_timeouts<std::uint32_t, 100>;
using asked = db::mixed_timeouts<std::uint32_t, 100, 0, db::ask_driver>;
using asked_uniform = db::uniform_timeouts<std::uint32_t, 100, 0, db::ask_driver>;
using withheld = db::uniform_timeouts<std::uint32_t, 100, 0, db::quarantine_until_reset>;
using own = db::within<std::uint32_t>;
using db::outcome;
using db::timeout_action;

} // namespace

TEMPLATE_TEST_CASE(
    "What is late is ended on the device, in its slot, then given back, once", "[inv:X2][inv:X4][inv:T5]", uniform,
    mixed) {
    timed_rig<TestType> r;
    r.submit(10, 0b01);
    r.submit(20, 0b10);
    CHECK(r.driver.armed == 1);
    CHECK(r.driver.armed_for == moment{110});
    auto const nothing = r.expire(109);
    CHECK((nothing.ended | nothing.missed | nothing.stuck).empty());
    CHECK(r.log.take({"read", "write"}).empty()); // a wake for nothing touches no register
    CHECK(r.driver.armed_for == moment{110});

    auto const late = r.expire(110);
    CHECK(late.ended == db::tag_set<32>{0b01});
    CHECK_FALSE(late.needs_reset());
    CHECK(r.driver.ended[0] == 1);
    CHECK(r.log.take({"completed"}) == lines{"completed 0 101"});
    CHECK(r.hw.doorbell == 0b10);
    CHECK(r.driver.is_armed);
    CHECK(r.driver.armed_for == moment{120});
    CHECK(r.expire(110).ended.empty());
    CHECK(r.driver.ended[0] == 1);
    CHECK(r.expire(120).ended == db::tag_set<32>{0b10});
    CHECK_FALSE(r.driver.is_armed); // nobody is left
}

TEMPLATE_TEST_CASE(
    "Hardware is read before a timeout is declared, and what it has finished is a success", "[inv:X2]", uniform, mixed,
    withheld) {
    timed_rig<TestType> r;
    r.submit(0, 0b111);
    r.driver.responses[0] = outcome::success;
    r.driver.responses[2] = outcome::success;
    r.hw.doorbell &= ~0b101U; // and no interrupt
    auto const found = r.expire(100);
    CHECK(found.missed == db::tag_set<32>{0b101});
    CHECK(r.core.observer().counts().fault.missed == 2);
    CHECK(r.driver.ended[0] == 1);
    CHECK(r.driver.ended[2] == 1);
    CHECK((found.ended | found.stuck) == db::tag_set<32>{0b010});
}

TEST_CASE("Reading, claiming and taking the rest out is one lock section", "[inv:X2]") {
    timed_rig<withheld> r;
    r.submit(0, 0b11);
    r.driver.responses[0] = outcome::success;
    r.hw.doorbell &= ~1U;
    auto const found = r.expire(100);
    CHECK(found.missed == db::tag_set<32>{0b01});
    CHECK(found.stuck == db::tag_set<32>{0b10});
    // the walk begins; the step that reads; the end of the walk
    CHECK(r.log.take({"lock", "read", "unlock"}) == lines{"lock", "unlock", "lock", "read DBR", "unlock"});
    CHECK(r.core.quarantined() == db::tag_set<32>{0b10});
}

TEST_CASE("A request that begins while a walk is under way is not judged by it", "[inv:X3][inv:X4]") {
    timed_rig<uniform> r;
    r.submit(0, 0b11);
    r.finish(0b01);
    r.driver.on_completed = [&](db::tag t) {
        if (t.index == 0) {
            r.core.tick(100);
            CHECK(r.core.submit(t)); // from the callback of the claim that the walk made
        }
    };
    auto const found = r.expire(100);
    CHECK(found.missed == db::tag_set<32>{0b01});
    CHECK(found.ended == db::tag_set<32>{0b10});
    CHECK(r.core.outstanding() == db::tag_set<32>{0b01});
    CHECK(r.driver.armed_for == moment{200});
    CHECK(r.driver.is_armed);
}

TEST_CASE("What the device or the slot does not give up is withheld until reset", "[inv:T5]") {
    timed_rig<uniform> r;
    r.submit(0, 0b11);
    r.driver.ends = false;
    auto const found = r.expire(100);
    CHECK(found.stuck == db::tag_set<32>{0b11});
    CHECK(found.needs_reset());
    CHECK(r.core.quarantined() == db::tag_set<32>{0b11});
    CHECK(r.driver.ended[0] == 0);
    CHECK(r.expire(100'000).stuck.empty()); // once
    CHECK(r.core.submit(db::tag{0}).status() == db::submit_status::busy);
    CHECK(r.core.reset() == db::reset_status::done);
    CHECK(r.driver.ended_by_reset == 2);
}

TEST_CASE("A slot that is never cleared is withheld", "[inv:T5][inv:T7]") {
    timed_rig<uniform> r;
    r.clears = false;
    r.submit(0, 1);
    CHECK(r.expire(100).stuck == db::tag_set<32>{1});
    CHECK(r.driver.ended[0] == 0);
}

TEST_CASE("The driver can give more time, which is an arming of its own", "[inv:X4]") {
    timed_rig<asked> r;
    r.driver.on_timed_out = [](unsigned) { return db::timeout_verdict<std::uint32_t>{timeout_action::extend, 30}; };
    r.submit(0, 1);
    auto const first = r.expire(100);
    CHECK(first.extended == db::tag_set<32>{1});
    CHECK(r.core.outstanding() == db::tag_set<32>{1});
    CHECK(r.core.quarantined().empty());
    CHECK(r.driver.is_armed);
    CHECK(r.driver.armed_for == moment{130});
    CHECK(r.expire(129).extended.empty());
    CHECK(r.expire(130).extended == db::tag_set<32>{1});
    r.finish(1);
    (void)r.irq();
    CHECK(r.driver.ended[0] == 1);
    CHECK(r.expire(160).missed.empty());
    CHECK_FALSE(r.driver.is_armed);
}

TEST_CASE("Where all have the same time, more is that time again", "[inv:X4]") {
    timed_rig<asked_uniform> r;
    r.driver.on_timed_out = [](unsigned) { return db::timeout_verdict<std::uint32_t>{timeout_action::extend, 1}; };
    r.submit(0, 1);
    CHECK(r.expire(105).extended == db::tag_set<32>{1});
    CHECK(r.driver.armed_for == moment{205});
}

TEST_CASE("A request that finishes while its driver decides completes when it gets more time", "[inv:X2][inv:T2]") {
    timed_rig<asked> r;
    r.driver.on_timed_out = [&](unsigned) {
        r.finish(1);
        (void)r.irq(); // finds nothing that it may claim
        CHECK(r.driver.ended[0] == 0);
        return db::timeout_verdict<std::uint32_t>{timeout_action::extend, 30};
    };
    r.submit(0, 1);
    CHECK(r.expire(100).extended == db::tag_set<32>{1});
    CHECK(r.driver.ended[0] == 1);
    CHECK(r.core.outstanding().empty());
}

TEST_CASE("A reset while the driver decides ends the request, and its decision comes too late", "[inv:T2][inv:W1]") {
    timed_rig<asked> r;
    auto const action = GENERATE(timeout_action::extend, timeout_action::abort, timeout_action::reset);
    r.driver.on_timed_out = [&](unsigned) {
        CHECK(r.core.reset() == db::reset_status::done);
        return db::timeout_verdict<std::uint32_t>{action, 30};
    };
    r.submit(0, 1);
    (void)r.expire(100);
    CHECK(r.driver.ended[0] == 1);
    CHECK(r.core.outstanding().empty());
    CHECK(r.core.quarantined().empty());
}

TEST_CASE("A request that is done and never gets its response goes to reset at its deadline", "[inv:T11]") {
    timed_rig<uniform> r;
    r.submit(0, 0b11);
    r.hw.finish(0b11);
    (void)r.irq();
    CHECK(r.core.leftover() == db::tag_set<32>{0b11});
    r.driver.responses[1] = outcome::success; // written after all, and nobody looked since
    auto const found = r.expire(100);
    CHECK(found.ended == db::tag_set<32>{0b10});
    CHECK(found.stuck == db::tag_set<32>{0b01});
    CHECK(r.driver.ended[1] == 1);
    CHECK(r.driver.ended[0] == 0);
    CHECK(r.core.leftover().empty());
}

TEST_CASE("A request whose outcome is fixed is not judged, though its callback has not run", "[inv:X2][inv:T2]") {
    timed_rig<uniform, db::count_budget<1>> r;
    r.submit(0, 0b11);
    r.finish(0b11);
    CHECK(r.irq().wake_thread());
    CHECK(r.core.leftover() == db::tag_set<32>{0b10});
    auto const found = r.expire(100);
    CHECK((found.ended | found.stuck | found.missed).empty());
    (void)r.core.on_thread();
    CHECK(r.driver.ended[1] == 1);
    CHECK(r.log.take({"completed"}) == lines{"completed 0 0", "completed 1 0"});
}

TEST_CASE("Timer callbacks after stop, while gated and before start touch nothing", "[inv:X2][inv:D7][inv:P1]") {
    timed_rig<uniform> r;
    r.submit(0, 1);
    bool const gated = GENERATE(true, false);
    if (gated) {
        r.core.gate();
    } else {
        (void)r.core.stop();
    }
    r.log.forget();
    r.driver.armed = 0;
    auto const found = r.expire(5000);
    CHECK((found.ended | found.missed | found.stuck | found.extended).empty());
    CHECK(r.log.take({"read", "write", "completed"}).empty());
    CHECK(r.driver.armed == 0); // it rests
    CHECK(r.core.outstanding() == db::tag_set<32>{1});
    if (gated) {
        (void)r.core.ungate();
    } else {
        CHECK(r.core.start() == db::start_status::started);
    }
    CHECK(r.driver.armed == 1); // and comes by again
    CHECK(r.expire(5000).ended == db::tag_set<32>{1});
}

TEST_CASE("Once the controller is gone, expire reads nothing and ends everything", "[inv:D4]") {
    timed_rig<uniform> r;
    r.submit(0, 0b11);
    r.hw.gone = true;
    CHECK(r.irq().controller_gone());
    CHECK(r.core.outstanding() == db::tag_set<32>{0b11});
    r.log.forget();
    auto const found = r.expire(1);
    CHECK(found.ended == db::tag_set<32>{0b11});
    CHECK(r.log.take({"read", "write"}).empty());
    CHECK(r.driver.ended[0] == 1);
    CHECK(r.driver.ended[1] == 1);
}

TEST_CASE("extend takes a ticket: a lost race touches nothing", "[inv:X4][inv:T2]") {
    timed_rig<mixed> r;
    r.core.tick(0);
    auto const sent = r.core.submit(db::tag{3});
    auto const ticket = sent.ticket_for(db::tag{3});
    CHECK(r.driver.armed == 1);
    CHECK(r.core.extend(ticket, own{500}) == db::extend_status::extended);
    CHECK(r.expire(100).ended.empty());
    CHECK(r.driver.armed_for == moment{500});
    r.finish(8);
    (void)r.irq();
    unsigned const armed = r.driver.armed;
    CHECK(r.core.extend(ticket, own{1}) == db::extend_status::already_done);
    CHECK(r.driver.armed == armed);
    r.core.tick(200);
    CHECK(r.core.submit(db::tag{3}));
    CHECK(r.core.extend(ticket, own{1}) == db::extend_status::stale);
    CHECK(r.core.extend({db::tag{99}, 4}, own{1}) == db::extend_status::stale);
    CHECK(r.core.extend({db::tag{4}, 0}, own{1}) == db::extend_status::stale);
    CHECK(r.expire(299).ended.empty());
    CHECK(r.driver.armed_for == moment{300});
}

TEST_CASE("A caller that knows the time says it with the submission", "[inv:X1]") {
    timed_rig<mixed> r;
    CHECK(r.core.submit_at(1000, db::tag_set<32>{1}));
    CHECK(r.driver.armed_for == moment{1100});
    CHECK(r.core.submit_at(1010, db::tag_set<32>{2}, own{20}));
    CHECK(r.driver.armed_for == moment{1030});
    CHECK(r.core.submit_at(1011, db::tag_set<32>{}));
    CHECK(r.core.submit_within(db::tag_set<32>{4}, own{40}));
    CHECK(r.driver.armed_for == moment{1030});
    CHECK(r.core.submit_within(db::tag_set<32>{}, own{40}));
    CHECK(r.expire(1030).ended == db::tag_set<32>{2});
    CHECK(r.driver.armed_for == moment{1050});
}

TEST_CASE("A refused submission arms no timer and keeps no deadline", "[inv:X3]") {
    timed_rig<mixed> r;
    r.core.block();
    r.core.tick(10);
    CHECK(r.core.submit(db::tag{1}).status() == db::submit_status::blocked);
    CHECK(r.driver.armed == 0);
    r.core.unblock();
    r.submit(10, 2);
    r.core.tick(90);
    CHECK(r.core.submit_within(db::tag_set<32>{2}, own{500}).status() == db::submit_status::busy);
    CHECK(r.expire(110).ended == db::tag_set<32>{2});
}

TEST_CASE("A reserved tag has a deadline too, a short one if it says so", "[inv:X5]") {
    timed_rig<mixed> r;
    (void)r.core.stop();
    using options = db::start_options<db::tag_set<32>>;
    CHECK(
        r.core.start(options{.usable = db::tag_set<32>::all(), .reserved = db::tag_set<32>{1U << 31}, .causes = 1}) ==
        db::start_status::started);
    r.core.tick(0);
    CHECK(r.core.submit(db::tag_set<32>{0x7FFF'FFFF}));
    CHECK(r.core.submit(db::tag{31}).status() == db::submit_status::out_of_range);
    CHECK(r.core.submit_reserved(db::tag{31}, own{5}));
    CHECK(r.driver.armed_for == moment{5});
    CHECK(r.expire(5).ended == db::tag_set<32>{1U << 31});
    CHECK(r.core.submit_reserved(db::tag{31}));
    CHECK(r.expire(104).ended == db::tag_set<32>{0x7FFF'FFFF});
    CHECK(r.expire(105).ended == db::tag_set<32>{1U << 31});
}

TEST_CASE(
    "A control command that ended without its interrupt is no timeout, one that did not end is", "[inv:X2][inv:X4]") {
    using with_controls = db::uniform_timeouts<std::uint32_t, 1000, 0, db::abort_then_reset, 2>;
    timed_rig<with_controls> r;
    r.driver.on_handler = [&] { CHECK(r.core.end_control(0)); };
    r.core.tick(10);
    r.core.arm_control(0, 50);
    r.core.arm_control(1, 50);
    r.core.arm_control(2, 1); // there is no such number
    CHECK(r.driver.armed == 1);
    CHECK(r.driver.armed_for == moment{60});
    (void)r.expire(59);
    CHECK(r.driver.controls_late.empty());
    CHECK(r.driver.armed_for == moment{60});
    r.hw.status = db::ufshci::uic & ~(db::ufshci::uic - 1); // finished, and nobody was told
    r.log.forget();
    (void)r.expire(60);
    CHECK(r.driver.controls_late == std::vector<unsigned>{1});
    CHECK(r.hw.status == 0);
    CHECK_FALSE(r.driver.is_armed);
    (void)r.expire(70);
    CHECK(r.driver.controls_late.size() == 1);
    CHECK_FALSE(r.core.end_control(1));
    CHECK_FALSE(r.core.end_control(7));
}
