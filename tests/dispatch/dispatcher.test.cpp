// SPDX-License-Identifier: BSL-1.0
#include <doorbell/dispatch/dispatcher.hpp>

#include "../support/rig.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

namespace {

using namespace support;
using db::irq_result;
using db::tag;

constexpr std::uint32_t transfer = db::ufshci::transfer;
constexpr std::uint32_t uic = db::ufs::cause::uccs;
constexpr std::uint32_t hibernated = db::ufs::cause::uhes;
constexpr std::uint32_t link_error = db::ufs::cause::ue;
constexpr std::uint32_t tasks = db::ufshci::tasks::cause; // bound to nobody in these tests

using plain = rig<>;
using linked = rig<db::inline_all, plain_driver, db::statistics, links>;
template <class... Options>
using inline_rig = rig<db::inline_all, plain_driver, db::statistics, Options...>;

} // namespace

TEST_CASE("The snapshot is acknowledged before the doorbell is read", "[inv:D1]") {
    plain r;
    r.started();
    r.in_flight(0b1000);
    r.hw.finish(0b1000);
    CHECK(r.irq() == irq_result::mine);
    CHECK(
        r.log.take() == lines{
                            "read IS", "write IS 1", "lock", "read DBR", "barrier after_done", "unlock", "response 3",
                            "completed 3 0"});
}

TEST_CASE("A request that finishes between the read of the causes and the acknowledgement is not lost", "[inv:D1]") {
    plain r;
    r.started();
    r.in_flight(0b11);
    r.hw.finish(0b01);
    r.hw.after_access = [&r](std::string const& line) {
        if (line == "read IS") {
            r.hw.finish(0b10);
            r.hw.after_access = nullptr;
        }
    };
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.driver.ended[0] == 1);
    CHECK(r.driver.ended[1] == 1); // its cause went with the first, so this run must find it
    CHECK(r.hw.status == 0);
}

TEST_CASE("A request that finishes after the doorbell was read raises its cause anew", "[inv:D1]") {
    plain r;
    r.started();
    r.in_flight(0b11);
    r.hw.finish(0b01);
    r.hw.after_access = [&r](std::string const& line) {
        if (line == "read DBR") {
            r.hw.finish(0b10);
            r.hw.after_access = nullptr;
        }
    };
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.driver.ended[1] == 0);
    CHECK(r.hw.status == transfer);
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.driver.ended[1] == 1);
}

TEST_CASE("A cause that is raised after the snapshot stays for the next entry", "[inv:D1]") {
    linked r;
    r.started();
    r.hw.status = transfer;
    r.hw.after_access = [&r](std::string const& line) {
        if (line == "read IS") {
            r.hw.status |= uic;
            r.hw.after_access = nullptr;
        }
    };
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.hw.status == uic);
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.log.take({"urgent"}) == lines{"urgent " + hex(uic)});
}

TEST_CASE("A masked cause is not acknowledged: somebody may poll it", "[inv:D1]") {
    plain r;
    r.started();
    r.hw.status = transfer | uic;
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.log.take({"write"}) == lines{"write IS 1"});
    CHECK(r.hw.status == uic);
}

TEST_CASE("With the whole snapshot as policy a masked cause is acknowledged, too", "[inv:D1]") {
    inline_rig<db::acknowledge_snapshot> r;
    r.started();
    r.hw.status = transfer | uic;
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.log.take({"write"}) == lines{"write IS " + hex(transfer | uic)});

    r.hw.status = uic; // nothing that is enabled
    CHECK(r.irq() == irq_result::none);
    CHECK(r.log.take({"write"}) == lines{"write IS " + hex(uic)});

    r.hw.status = 0;
    CHECK(r.irq() == irq_result::none);
    CHECK(r.log.take({"write"}) == lines{});
}

TEST_CASE("An entry costs two reads and one write, and the enable register is not read", "[inv:D8]") {
    linked r;
    r.started();
    r.in_flight(0xFF);
    for (std::uint32_t const slots : {0x01U, 0x06U, 0xF8U}) {
        r.hw.finish(slots);
        static_cast<void>(r.irq());
        CHECK(r.log.take({"read", "write"}) == lines{"read IS", "write IS 1", "read DBR"});
    }
}

TEST_CASE("An enabled cause that nobody handles is acknowledged and counted", "[inv:D2]") {
    plain r;
    r.started();
    (void)r.core.enable(tasks);
    r.hw.status = tasks;
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.hw.status == 0); // no storm
    CHECK(r.core.observer().counts().fault.unhandled == 1);
    CHECK(r.core.on_thread() == db::thread_result::idle);
}

TEST_CASE("An unhandled cause beside others costs them nothing", "[inv:D2]") {
    linked s;
    s.started();
    (void)s.core.enable(tasks);
    s.in_flight(1);
    s.hw.finish(1);
    s.hw.status |= tasks | uic | link_error;
    CHECK(s.irq() == (irq_result::mine | irq_result::wake));
    CHECK(s.hw.status == 0);
    CHECK(s.driver.ended[0] == 1);
    CHECK(s.log.take({"urgent"}) == lines{"urgent " + hex(uic)});
    CHECK(s.core.observer().counts().fault.unhandled == 1);
    CHECK(s.core.on_thread() == db::thread_result::idle);
    CHECK(s.log.take({"sleeping"}) == lines{"sleeping " + hex(link_error)});
}

TEST_CASE("A deferred cause is recorded and delivered to the thread once", "[inv:D2]") {
    linked r;
    r.started();
    r.hw.status = link_error;
    CHECK(r.irq() == (irq_result::mine | irq_result::wake));
    CHECK(r.log.take({"sleeping"}) == lines{});
    CHECK(r.core.on_thread() == db::thread_result::idle);
    CHECK(r.log.take({"sleeping"}) == lines{"sleeping " + hex(link_error)});
    CHECK(r.core.on_thread() == db::thread_result::idle);
    CHECK(r.log.take({"sleeping"}) == lines{});
}

TEST_CASE("Deferred causes of several entries add up until the thread takes them", "[inv:D2]") {
    linked r;
    r.started();
    for (std::uint32_t const cause : {db::ufs::cause::ue, db::ufs::cause::dfes, db::ufs::cause::hcfes}) {
        r.hw.status = cause;
        CHECK(r.irq().wake_thread());
    }
    CHECK(r.core.on_thread() == db::thread_result::idle);
    CHECK(
        r.log.take({"sleeping"}) ==
        lines{"sleeping " + hex(db::ufs::cause::ue | db::ufs::cause::dfes | db::ufs::cause::hcfes)});
}

TEST_CASE("Merging causes loses neither handled nor wake", "[inv:D3]") {
    SECTION("the wake of a deferred cause survives a transfer that needs none") {
        linked r;
        r.started();
        r.in_flight(1);
        r.hw.finish(1);
        r.hw.status |= link_error;
        CHECK(r.irq() == (irq_result::mine | irq_result::wake));
    }
    SECTION("the wake of a transfer's leftover survives an urgent cause that needs none") {
        rig<db::count_budget<1>, plain_driver, db::statistics, links> r;
        r.started();
        r.in_flight(0b11);
        r.hw.finish(0b11);
        r.hw.status |= uic;
        CHECK(r.irq() == (irq_result::mine | irq_result::wake));
    }
    SECTION("an urgent cause alone is handled and wakes nobody") {
        linked r;
        r.started();
        r.hw.status = uic;
        CHECK(r.irq() == irq_result::mine);
    }
}

TEST_CASE("All ones in the status register means gone: nothing completes and it is said once", "[inv:D4]") {
    linked r;
    r.started();
    r.in_flight(0b11);
    r.hw.finish(0b01);
    r.hw.gone = true;
    CHECK(r.irq() == (irq_result::mine | irq_result::wake | irq_result::gone));
    CHECK(r.log.take({"read", "write", "completed", "urgent"}) == lines{"read IS"});
    CHECK(r.core.outstanding().raw() == 0b11);
    CHECK(r.core.observer().counts().fault.gone == 1);

    CHECK(r.irq() == irq_result::none);
    CHECK(r.core.on_thread() == db::thread_result::idle);
    CHECK(r.core.poll() == db::thread_result::idle);
    CHECK(r.core.submit(tag{4}).status() == db::submit_status::controller_gone);
    (void)r.core.enable(uic);
    CHECK(r.core.stop().raw() == 0b11);
    CHECK(r.log.take({"read", "write", "completed"}) == lines{});
    CHECK(r.core.observer().counts().fault.gone == 1);
    CHECK(r.core.outstanding().raw() == 0b11);
}

TEST_CASE("What was claimed before the controller vanished still gets its real status", "[inv:D4]") {
    rig<db::count_budget<1>> r;
    r.started();
    r.in_flight(0b111);
    r.hw.finish(0b011);
    REQUIRE(r.irq().wake_thread());
    r.hw.gone = true;
    REQUIRE(r.irq().controller_gone());
    static_cast<void>(r.core.on_thread());
    CHECK(r.driver.ended[1] == 1);
    CHECK(r.driver.ended_by_reset == 0);
    CHECK(r.core.outstanding().raw() == 0b100);
}

TEST_CASE("All ones in the doorbell alone is legal: every slot is busy", "[inv:D4]") {
    plain r;
    r.started();
    r.in_flight(0xFFFF'FFFF);
    r.hw.status = transfer;
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.core.outstanding().raw() == 0xFFFF'FFFF);
    r.hw.finish(0x8000'0000);
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.driver.ended[31] == 1);
}

TEST_CASE("No cause on a shared line is not mine, and costs one read", "[inv:D5]") {
    plain r;
    r.started();
    CHECK(r.irq() == irq_result::none);
    CHECK(r.log.take() == lines{"read IS"});
    CHECK(r.core.observer().counts().fault.spurious == 1);
    r.hw.status = uic; // masked
    CHECK(r.irq() == irq_result::none);
    CHECK(r.log.take() == lines{"read IS"});
}

TEST_CASE("No cause on a line of its own is handled and counted", "[inv:D5]") {
    inline_rig<db::sole_line> r;
    r.started();
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.core.observer().counts().fault.spurious == 1);
}

TEST_CASE("A cause with nothing to complete is handled: a poller was faster", "[inv:D5]") {
    plain r;
    r.started();
    r.in_flight(1);
    r.hw.finish(1);
    CHECK(r.core.poll() == db::thread_result::idle);
    CHECK(r.driver.ended[0] == 1);
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.driver.ended[0] == 1);
    CHECK(r.core.observer().counts().fault.spurious == 0);
}

TEST_CASE("An urgent cause runs in the hard handler even when transfers are deferred", "[inv:D6]") {
    rig<db::deferred_all, plain_driver, db::statistics, links> r;
    r.started();
    r.in_flight(1);
    r.hw.finish(1);
    r.hw.status |= uic | hibernated;
    CHECK(r.irq() == (irq_result::mine | irq_result::wake));
    CHECK(r.log.take({"urgent", "completed"}) == lines{"urgent " + hex(uic | hibernated)});
    CHECK(r.core.on_thread() == db::thread_result::idle);
    CHECK(r.log.take({"urgent", "completed"}) == lines{"completed 0 0"});
}

TEST_CASE("An urgent cause runs before the transfers of the same entry", "[inv:D6]") {
    linked r;
    r.started();
    r.in_flight(1);
    r.hw.finish(1);
    r.hw.status |= uic;
    static_cast<void>(r.irq());
    CHECK(r.log.take({"urgent", "completed"}) == lines{"urgent " + hex(uic), "completed 0 0"});
}

TEST_CASE("An entry is one round, whatever is raised meanwhile", "[inv:D7]") {
    plain r;
    r.started();
    r.in_flight(0b1);
    r.hw.finish(0b1);
    r.driver.on_completed = [&r](tag t) {
        REQUIRE(r.core.submit(t));
        r.hw.finish(0b1); // at once, for ever
    };
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.driver.ended[0] == 1);
    CHECK(r.hw.status == transfer);
    CHECK(r.log.take({"read", "write"}) == lines{"read IS", "write IS 1", "read DBR", "write DBR 1"});
}

TEST_CASE("The events of an entry come in order", "[inv:W4]") {
    surroundings<plain_driver> s;
    db::host<
        db::ufshci, plain_driver, small_bank, db::testing::manual_clock<>, db::count_budget<2>,
        db::testing::checking_lock, db::observed_by<event_recorder>, links>
        core{s.driver, s.hw, s.time, s.watch, event_recorder{s.log}};
    REQUIRE(core.start() == db::start_status::started);
    REQUIRE(core.submit(db::tag_set<32>{0b0111}));
    s.log.forget();
    s.driver.responses[0] = db::outcome::not_written;
    s.hw.finish(0b0111);
    s.hw.doorbell |= 0x100;
    s.hw.status |= link_error;
    static_cast<void>(core.on_hard_irq());
    CHECK(
        s.log.take({"event"}) == lines{
                                     "event entry 5", "event wake", "event claim 7", "event unknown 100", "event lag 0",
                                     "event callback 1 0", "event wake", "event exit handled wake"});
}

TEST_CASE("Every entry that looked at the hardware is left with an exit", "[inv:W4]") {
    surroundings<plain_driver> s;
    db::host<
        db::ufshci, plain_driver, small_bank, db::testing::manual_clock<>, db::inline_all, db::testing::checking_lock,
        db::observed_by<event_recorder>>
        core{s.driver, s.hw, s.time, s.watch, event_recorder{s.log}};
    static_cast<void>(core.on_hard_irq()); // inert
    CHECK(s.log.take({"event"}) == lines{});
    REQUIRE(core.start() == db::start_status::started);
    s.log.forget();
    static_cast<void>(core.on_hard_irq());
    CHECK(s.log.take({"event"}) == lines{"event entry 0", "event spurious", "event exit"});
    (void)core.enable(tasks);
    s.hw.status = tasks;
    static_cast<void>(core.on_hard_irq());
    CHECK(s.log.take({"event"}) == lines{"event entry 200", "event unhandled 200", "event exit handled"});
    s.hw.gone = true;
    static_cast<void>(core.on_hard_irq());
    CHECK(s.log.take({"event"}) == lines{"event entry ffffffff", "event gone", "event exit handled wake gone"});
}
