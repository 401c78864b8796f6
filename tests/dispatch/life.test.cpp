// SPDX-License-Identifier: BSL-1.0
#include <doorbell/dispatch/life.hpp>

#include "../support/rig.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

namespace {

using namespace support;
using db::start_status;
using db::tag;
using plain = rig<>;
using tags = plain::tags;

} // namespace

TEST_CASE("Before start every verb leaves the hardware alone", "[inv:D7]") {
    plain r;
    r.hw.finish(0);
    CHECK(r.irq() == db::irq_result::none);
    CHECK(r.core.submit(tag{1}).status() == db::submit_status::not_started);
    CHECK(r.core.submit(tags{0b110}).status() == db::submit_status::not_started);
    CHECK(r.core.submit(tags{}).status() == db::submit_status::not_started);
    CHECK(r.core.on_thread() == db::thread_result::idle);
    CHECK(r.core.poll() == db::thread_result::idle);
    (void)r.core.enable(1);
    r.core.disable(1);
    (void)r.core.resync();
    CHECK(r.core.stop().empty());
    CHECK(r.core.enabled() == 0);
    CHECK(r.log.take({"read", "write", "response", "completed"}) == lines{});
}

TEST_CASE(
    "start writes the enable register as wanted, in a lock section, and then looks once at what stood", "[inv:D8]") {
    rig<db::inline_all, plain_driver, db::statistics, links> r;
    CHECK(r.core.start() == start_status::started);
    std::uint32_t const wanted = db::ufshci::transfer | db::ufshci::uic | db::ufshci::errors;
    CHECK(
        r.log.take() == lines{
                            "read CAP", "lock", "write IE " + hex(wanted), "barrier before_unlock", "unlock", "read IS",
                            "lock", "unlock"});
    CHECK(r.core.enabled() == wanted);
    CHECK(decltype(r)::host_type::all_causes == wanted);
}

TEST_CASE("The slots that the controller has are the ones that can be used", "[inv:D7]") {
    plain r;
    r.hw.capability = 7;
    r.started();
    CHECK(r.core.submit(tag{7}));
    CHECK(r.core.submit(tag{8}).status() == db::submit_status::out_of_range);
    CHECK(r.core.submit(tag{32}).status() == db::submit_status::out_of_range);
    CHECK(r.core.submit(tags{0b1'0000'0001}).status() == db::submit_status::out_of_range);
}

TEST_CASE("Tags and causes may be named instead", "[inv:D7]") {
    plain r;
    CHECK(r.core.start(tags{0b11}, 0x5) == start_status::started);
    CHECK(r.hw.enable == 0x5);
    CHECK(r.core.submit(tag{2}).status() == db::submit_status::out_of_range);
    CHECK(r.core.submit(tag{1}));
}

TEST_CASE("A core that runs is not started again", "[inv:D7]") {
    plain r;
    r.started();
    r.in_flight(0b1);
    CHECK(r.core.start(tags{0b1}, 0) == start_status::already_started);
    CHECK(r.core.enabled() == 1);
    CHECK(r.log.take({"read", "write"}) == lines{});
}

TEST_CASE("A clock that proves too coarse leaves the core inert", "[inv:B2]") {
    surroundings<plain_driver> s;
    db::testing::manual_time<std::uint32_t> time;
    using measured = db::testing::measured_manual_clock<std::uint32_t>;
    db::host<db::ufshci, plain_driver, small_bank, measured, db::time_budget<20'000>, db::testing::checking_lock> core{
        s.driver, s.hw, measured{time, 1'000}, s.watch};
    CHECK(core.start(tags::all()) == start_status::clock_too_coarse);
    CHECK(core.enabled() == 0);
    CHECK(core.submit(tag{1}).status() == db::submit_status::not_started);
    s.hw.status = 1;
    CHECK(core.on_hard_irq() == db::irq_result::none);
    CHECK(s.log.take({"read", "write"}) == lines{});
}

TEST_CASE("A cause that stood before start is acknowledged and served by it", "[inv:D7]") {
    rig<db::inline_all, plain_driver, db::statistics, links> r;
    r.hw.status = db::ufshci::errors | db::ufshci::uic | 1;
    CHECK(r.core.start() == start_status::started);
    CHECK(r.hw.status == 0);
    CHECK(
        r.log.take({"urgent", "sleeping"}) ==
        lines{"urgent " + hex(db::ufshci::uic), "sleeping " + hex(db::ufshci::errors)});
}

TEST_CASE("enable, disable and resync write the whole wish and never read the register", "[inv:D8]") {
    plain r;
    r.started();
    (void)r.core.enable(0x30);
    CHECK(r.log.take() == lines{"lock", "write IE 31", "barrier before_unlock", "unlock"});
    r.core.disable(0x11);
    CHECK(r.log.take() == lines{"lock", "write IE 20", "barrier before_unlock", "unlock"});
    CHECK(r.core.enabled() == 0x20);
    r.hw.enable = 0xFFFF; // power was lost, or somebody else wrote
    (void)r.core.resync();
    CHECK(r.log.take() == lines{"lock", "write IE 20", "barrier before_unlock", "unlock"});
    CHECK(r.hw.enable == 0x20);
}

TEST_CASE(
    "stop masks, waits, completes what has finished with its real status, and touches nothing after", "[inv:D7]") {
    plain r;
    r.started();
    r.in_flight(0b111);
    r.driver.responses[0] = db::outcome{0x5};
    r.hw.finish(0b001);
    CHECK(r.core.stop() == tags{0b110});
    CHECK(
        r.log.take({"read", "write", "synchronize", "response", "completed"}) ==
        lines{"write IE 0", "synchronize", "read DBR", "response 0", "completed 0 5"});
    CHECK(r.hw.enable == 0);

    r.hw.finish(0b110);
    CHECK(r.irq() == db::irq_result::none);
    CHECK(r.core.on_thread() == db::thread_result::idle);
    CHECK(r.core.poll() == db::thread_result::idle);
    CHECK(r.core.submit(tag{5}).status() == db::submit_status::not_started);
    (void)r.core.enable(1);
    CHECK(r.core.stop() == tags{0b110});
    CHECK(r.log.take({"read", "write", "completed"}) == lines{});
}

TEST_CASE("stop waits without the lock, when interrupts find the core inert already", "[inv:D7]") {
    plain r;
    r.started();
    r.in_flight(0b1);
    r.driver.on_synchronize = [&r] {
        CHECK_FALSE(r.watch.held());
        CHECK(r.hw.enable == 0);
        r.hw.finish(0b1);
        CHECK(r.irq() == db::irq_result::none);
    };
    CHECK(r.core.stop().empty());
    CHECK(r.driver.ended[0] == 1);
}

TEST_CASE("Nobody enables a cause of a core that is being stopped", "[inv:D7]") {
    plain r;
    r.started();
    r.driver.on_synchronize = [&r] {
        (void)r.core.enable(0x10);
        (void)r.core.resync();
    };
    CHECK(r.core.stop().empty());
    CHECK(r.hw.enable == 0);
    CHECK(r.core.enabled() == 0);
}

TEST_CASE("stop completes the leftover and returns what has no response", "[inv:D7]") {
    rig<db::count_budget<1>> r;
    r.started();
    r.in_flight(0b111);
    r.driver.responses[1] = db::outcome::not_written;
    r.hw.finish(0b111);
    REQUIRE(r.irq().wake_thread());
    CHECK(r.core.stop() == tags{0b010});
    CHECK(r.driver.ended[0] == 1);
    CHECK(r.driver.ended[1] == 0);
    CHECK(r.driver.ended[2] == 1);
    r.driver.responses[1] = db::outcome::success;
    CHECK(r.core.on_thread() == db::thread_result::idle); // memory only
    CHECK(r.driver.ended[1] == 1);
}

TEST_CASE(
    "On an edge line enable serves what stood while its cause was masked: no edge tells of it", "[inv:D8][inv:D2]") {
    rig<db::inline_all, plain_driver, db::statistics, db::edge_line<>> r;
    r.started();
    r.in_flight(0b1);
    r.core.disable(db::ufshci::transfer);
    r.hw.finish(0b1);
    (void)r.core.enable(db::ufshci::transfer);
    CHECK(r.driver.ended[0] == 1);
    CHECK(r.hw.status == 0);
}

TEST_CASE("What hardware finished between stop and start is completed by start, without an edge", "[inv:D7]") {
    plain r;
    r.started();
    r.in_flight(0b1);
    CHECK(r.core.stop() == tags{0b1});
    r.hw.doorbell = 0;
    r.hw.status = 0;
    CHECK(r.core.start() == start_status::started);
    CHECK(r.driver.ended[0] == 1);
    CHECK(r.core.outstanding().empty());
}

TEST_CASE("A callback that stop runs may not submit any more", "[inv:D7]") {
    plain r;
    r.started();
    r.in_flight(0b1);
    r.hw.finish(0b1);
    db::submit_status answer = db::submit_status::accepted;
    r.driver.on_completed = [&](tag t) { answer = r.core.submit(t).status(); };
    CHECK(r.core.stop().empty());
    CHECK(answer == db::submit_status::not_started);
}

TEST_CASE("reset closes first, collects while the list runs, halts, and forces the rest", "[inv:T1]") {
    plain r;
    r.started();
    r.in_flight(0b111);
    r.hw.finish(0b010);
    CHECK(r.core.reset() == db::reset_status::done);
    CHECK(
        r.log.take({"read", "write", "synchronize", "completed"}) ==
        lines{
            "write IE 0", "synchronize", "read DBR", "completed 1 0", "read DBR", "write RSR 0", "write TMRSR 0",
            "write HCE 0", "read HCE", "completed 0 102", "completed 2 102"});
    CHECK(r.core.outstanding().empty());
    CHECK(r.core.leftover().empty());
}

TEST_CASE("While a reset is under way nobody takes a doorbell that reads 0 for a completion", "[inv:T1]") {
    plain r;
    r.started();
    r.in_flight(0b11);
    unsigned before_halt = 0;
    r.hw.after_access = [&](std::string const& line) {
        if (line == "write HCE 0") {
            REQUIRE(r.hw.doorbell == 0);
            static_cast<void>(r.core.poll());
            static_cast<void>(r.core.on_thread());
            static_cast<void>(r.irq());
            before_halt = r.driver.ended[0] + r.driver.ended[1];
            CHECK(r.core.outstanding() == tags{0b11});
        }
    };
    CHECK(r.core.reset() == db::reset_status::done);
    CHECK(before_halt == 0);
    CHECK(r.driver.ended[0] == 1);
    CHECK(r.driver.ended[1] == 1);
    CHECK(r.driver.ended_by_reset == 2);
}

TEST_CASE("While a reset is under way nothing is submitted and no cause enabled", "[inv:T1]") {
    plain r;
    r.started();
    r.driver.on_synchronize = [&r] {
        CHECK(r.core.submit(tag{3}).status() == db::submit_status::closing);
        (void)r.core.enable(0x10);
        CHECK(r.core.start() != start_status::started);
        CHECK(r.hw.enable == 0);
    };
    CHECK(r.core.reset() == db::reset_status::done);
    CHECK(r.core.submit(tag{3}).status() == db::submit_status::not_started);
}

TEST_CASE("A tag that had no response when the list stopped ends as reset, once", "[inv:T1]") {
    plain r;
    r.started();
    r.in_flight(0b1);
    r.driver.responses[0] = db::outcome::not_written;
    r.hw.finish(0b1);
    CHECK(r.core.reset() == db::reset_status::done);
    CHECK(r.log.take({"completed"}) == lines{"completed 0 102"});
}

TEST_CASE("A controller that does not stop gets nothing back: its tags are withheld until it does", "[inv:T1]") {
    plain r;
    r.started();
    r.in_flight(0b111);
    r.hw.finish(0b001);
    r.hw.stuck = true;
    CHECK(r.core.reset() == db::reset_status::controller_stuck);
    CHECK(r.driver.ended[0] == 1);
    CHECK(r.driver.ended_by_reset == 0);
    CHECK(r.core.outstanding() == tags{0b110});
    CHECK(r.core.submit(tag{1}).status() == db::submit_status::closing);
    CHECK(r.core.start() == start_status::reset_first);
    CHECK(r.core.submit(tag{1}).status() == db::submit_status::closing);
    static_cast<void>(r.core.on_thread());
    CHECK(r.core.outstanding() == tags{0b110});

    r.hw.stuck = false;
    CHECK(r.core.reset() == db::reset_status::done);
    CHECK(r.driver.ended_by_reset == 2);
    CHECK(r.core.outstanding().empty());
    CHECK(r.core.start() == start_status::started);
    CHECK(r.core.submit(tag{1}));
}

TEST_CASE("A controller that did not stop is not started, even when it holds nothing", "[inv:T1]") {
    plain r;
    r.started();
    r.hw.stuck = true;
    CHECK(r.core.reset() == db::reset_status::controller_stuck);
    CHECK(r.core.start() == start_status::reset_first);
    CHECK(r.core.enabled() == 0);
}

TEST_CASE("The wait for the controller to stop is bounded", "[inv:T1]") {
    plain r;
    r.started();
    r.hw.stuck = true;
    static_cast<void>(r.core.reset());
    CHECK(r.log.take({"read"}).size() <= db::ufshci::halt_looks + 2);
}

TEST_CASE("reset after the controller has gone ends every request and does not touch it", "[inv:D4]") {
    plain r;
    r.started();
    r.in_flight(0b11);
    r.hw.gone = true;
    REQUIRE(r.irq().controller_gone());
    r.log.forget();
    CHECK(r.core.start(tags::all()) == start_status::reset_first);
    CHECK(r.core.reset() == db::reset_status::done);
    CHECK(r.log.take({"read", "write"}) == lines{});
    CHECK(r.driver.ended_by_reset == 2);
    CHECK(r.core.submit(tag{0}).status() == db::submit_status::not_started);
}

TEST_CASE("reset ends every request also when nobody has noticed yet that the controller has gone", "[inv:D4]") {
    plain r;
    r.started();
    r.in_flight(0b11);
    r.hw.gone = true;
    CHECK(r.core.reset() == db::reset_status::done);
    CHECK(r.driver.ended_by_reset == 2);
    CHECK(r.core.observer().counts().fault.gone == 1);
}

TEST_CASE("A controller that does not answer is not started", "[inv:D4]") {
    plain r;
    r.hw.gone = true;
    CHECK(r.core.start(tags::all()) == start_status::controller_gone);
    CHECK(r.core.enabled() == 0);
    CHECK(r.core.submit(tag{0}).status() == db::submit_status::controller_gone);
    CHECK(r.core.observer().counts().fault.gone == 1);
}

TEST_CASE("After a reset the core can be started and used again", "[inv:T1]") {
    plain r;
    r.started();
    r.in_flight(0b1);
    REQUIRE(r.core.reset() == db::reset_status::done);
    r.hw.running = 1;
    r.started();
    r.in_flight(0b1);
    r.hw.finish(0b1);
    CHECK(r.irq() == db::irq_result::mine);
    CHECK(r.driver.ended[0] == 2);
    CHECK(r.driver.ended_by_reset == 1);
}

TEST_CASE("A callback that a reset runs may not submit, and is called without the lock", "[inv:T3]") {
    plain r;
    r.started();
    r.in_flight(0b11);
    r.hw.finish(0b01);
    unsigned refusals = 0;
    r.driver.on_completed = [&](tag t) {
        CHECK_FALSE(r.watch.held());
        refusals += r.core.submit(t) ? 0U : 1U;
    };
    CHECK(r.core.reset() == db::reset_status::done);
    CHECK(refusals == 2);
}

TEST_CASE("start tells what is left for the thread: nothing else would", "[inv:H1]") {
    plain r;
    r.started();
    CHECK(r.core.stop().empty());
    CHECK(r.core.start().left() == db::thread_result::idle);
    r.in_flight(0b11);
    CHECK(r.core.stop() == tags{0b11});
    r.hw.finish(0b11);
    r.driver.responses[0] = db::outcome::not_written;
    auto const answer = r.core.start();
    CHECK(answer == db::start_status::started);
    CHECK(answer.left().retry());
    CHECK(r.driver.ended[1] == 1);
    CHECK(r.core.leftover() == tags{0b01});
    r.driver.responses[0] = db::outcome::success;
    CHECK(r.core.on_thread() == db::thread_result::idle);
    CHECK(r.driver.ended[0] == 1);
    CHECK(r.core.start() == db::start_status::already_started);
    CHECK(r.core.start().left() == db::thread_result::idle);
}

TEST_CASE("A run whose callback stops the core parks the rest, and masks nothing in its registers", "[inv:D7]") {
    rig<db::count_budget<1>, plain_driver, db::statistics, db::mask_cause> r;
    r.started();
    r.in_flight(0b11);
    r.hw.finish(0b11);
    r.driver.on_completed = [&r](tag) {
        r.driver.on_completed = nullptr;
        CHECK(r.core.stop().empty());
        r.log.forget();
    };
    CHECK(r.irq().wake_thread());
    CHECK(r.log.take({"read", "write"}) == lines{});
    CHECK(r.core.on_thread() == db::thread_result::idle);
    CHECK(r.log.take({"read", "write"}) == lines{});
    CHECK(r.driver.ended[1] == 1);
}
