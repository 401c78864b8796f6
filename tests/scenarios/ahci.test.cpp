// SPDX-License-Identifier: BSL-1.0
// The same tracker, loop and dispatcher on a port of a SATA host bus adapter.
#include "../support/ahci_rig.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

namespace {

using namespace support::ahci;
using db::irq_result;
using db::outcome;
using db::tag;

} // namespace

TEST_CASE("Thirty-two queued commands end exactly once, whoever looks first", "[inv:T2][inv:W1]") {
    rig<> r;
    CHECK(r.core.submit(tags::all()));
    r.model.finish(0x0000'FFFF);
    static_cast<void>(r.core.poll()); // faster than the interrupt
    CHECK(r.irq() == irq_result::mine);
    r.model.finish(0xFFFF'0000);
    CHECK(r.irq() == irq_result::mine);
    static_cast<void>(r.core.poll());
    CHECK(r.driver.once(outcome::success) == tags::all());
    CHECK(r.core.outstanding().empty());
    CHECK_FALSE(r.model.line());
}

TEST_CASE("A command that ends while its predecessors are called back raises the line anew", "[inv:D1]") {
    rig<> r;
    CHECK(r.core.submit(tags{0b111}));
    r.driver.on_completed = [&r](tag t) {
        if (t.index < 2) {
            r.model.finish(0b10U << t.index);
        }
    };
    r.model.finish(0b1);
    CHECK(r.serve() == 3);
    CHECK(r.driver.order == std::vector<unsigned>{0, 1, 2});
}

TEST_CASE("A cause behind its bit by a gap is ours, with nothing left to do", "[inv:D5]") {
    rig<> r{{.latency_ns = 100, .cause_gap_ns = 50}};
    CHECK(r.core.submit(tags{0b1}));
    r.model.advance(120);
    static_cast<void>(r.core.poll());
    CHECK(r.driver.once(outcome::success) == tags{0b1});
    r.model.advance(100);
    CHECK(r.model.line());
    CHECK(r.irq() == irq_result::mine);
    CHECK_FALSE(r.model.line());
}

TEST_CASE("What the budget leaves goes to the thread and ends there, once", "[inv:H1][inv:H2]") {
    rig<db::count_budget<2>, db::mask_cause> r;
    CHECK(r.core.submit(tags{0b11111}));
    r.model.finish(0b11111);
    CHECK(r.irq() == (irq_result::mine | irq_result::wake));
    CHECK(r.core.leftover() == tags{0b11100});
    CHECK((r.word<px::ie>() & db::ahci::transfers::cause) == 0); // masked for the thread
    CHECK_FALSE(r.model.line());
    CHECK(r.core.on_thread() == db::thread_result::idle);
    CHECK(r.driver.once(outcome::success) == tags{0b11111});
    CHECK((r.word<px::ie>() & db::ahci::transfers::cause) == db::ahci::transfers::cause);
}

TEST_CASE("On an edge nothing is lost between the rounds", "[inv:D7]") {
    rig<db::inline_all, db::edge_line<>> r;
    CHECK(r.core.submit(tags{0b111}));
    r.driver.on_completed = [&r](tag t) {
        if (t.index < 2) {
            r.model.finish(0b10U << t.index);
        }
    };
    r.model.finish(0b1);
    while (r.model.take_pulse()) {
        if (r.irq().wake_thread()) {
            while (r.core.on_thread().again()) {
            }
        }
    }
    CHECK(r.driver.once(outcome::success) == tags{0b111});
    CHECK(r.word<px::is>() == 0);
    CHECK_FALSE(r.model.line()); // IS is empty too, so that the next cause is an edge
}

TEST_CASE("In the optimistic order the status is not read and the line falls", "[inv:D1a]") {
    rig<db::inline_all, db::optimistic<>> r;
    CHECK(r.core.submit(tags{0b11}));
    r.model.finish(0b11);
    r.model.log().clear();
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.accesses() == accesses{writes<px::is>(db::ahci::transfers::cause), writes_sum(1), reads<px::sact>(0)});
    CHECK_FALSE(r.model.line());
}

TEST_CASE("After a failed command the unfinished stand in PxSACT, and a stop of the list completes none", "[inv:T1]") {
    rig<> r;
    CHECK(r.core.submit(tags{0b11111}));
    r.model.finish(0b00010);
    CHECK(r.model.fail(3, 0x40));
    CHECK_FALSE(r.model.finish(0b00001)); // the device works on nothing any more
    CHECK(r.serve() == 1);
    CHECK(r.driver.errors == cause::tfes);
    CHECK(r.driver.once(outcome::success) == tags{0b00010});
    CHECK(r.word<px::sact>() == 0b11101);
    CHECK(r.core.outstanding() == tags{0b11101});

    CHECK(r.core.reset() == db::reset_status::done);
    CHECK(r.word<px::sact>() == 0);
    CHECK(r.driver.once(outcome::reset) == tags{0b11101});
    CHECK(r.driver.once(outcome::success) == tags{0b00010});

    // Restart: one unqueued command reads the log, which tells which it was; then the others go again.
    db::sata::port_bank bank{kit::ahci_bank{r.model}, r.port};
    CHECK(db::ahci::restart(bank));
    REQUIRE(
        r.core.start({.usable = tags::all(), .reserved = tags{1U << 31}, .causes = r.core.all_causes}) ==
        db::start_status::started);
    r.driver.plain = tags{1U << 31};
    CHECK(r.core.submit_reserved(tag{31}));
    r.model.finish(1U << 31);
    auto const page = r.model.at(0, [](auto& port) { return port.device().read_log(); });
    CHECK(r.serve() == 1);
    CHECK(r.driver.last[31] == outcome::success);
    CHECK(page[0] == 3);
    CHECK(page[3] == 0x40);
    CHECK(r.core.submit(tags{0b10101}));
    r.model.finish(0b10101);
    CHECK(r.serve() == 1);
    CHECK(r.driver.ended[0] == 2);
    CHECK(r.driver.last[0] == outcome::success);
    CHECK(r.driver.ended[3] == 1);
}

TEST_CASE(
    "What ended before the list stopped keeps its real outcome, the rest is reset, each once", "[inv:T1][inv:T2]") {
    rig<> r;
    CHECK(r.core.submit(tags{0b1111}));
    r.model.finish(0b0100); // and no interrupt was served
    CHECK(r.core.reset() == db::reset_status::done);
    CHECK(r.driver.once(outcome::success) == tags{0b0100});
    CHECK(r.driver.once(outcome::reset) == tags{0b1011});
    CHECK(r.core.outstanding().empty());
    r.model.advance(1'000);
    CHECK(r.irq() == irq_result::none); // inert
    CHECK(r.core.submit(tag{0}).status() == db::submit_status::not_started);
}

TEST_CASE("A list that does not stop withholds its requests until the adapter was reset", "[inv:T5]") {
    rig<> r{{.stop_ns = kit::timer_table::never, .stuck = true}};
    CHECK(r.core.submit(tags{0b11}));
    CHECK(r.core.reset() == db::reset_status::controller_stuck);
    CHECK(r.word<px::sact>() == 0); // reads 0, and nobody was completed by it
    CHECK(r.driver.order.empty());
    CHECK(r.core.start() == db::start_status::reset_first);
    kit::ahci_bank whole{r.model};
    db::write<hba::ghc>(whole, hba::ghc::enable::mask | hba::ghc::reset::mask);
    CHECK(r.core.reset() == db::reset_status::done);
    CHECK(r.driver.once(outcome::reset) == tags{0b11});
}

TEST_CASE(
    "After a reset with requests in flight the same slots serve anew, and nothing old is taken for them",
    "[inv:T2][inv:T5]") {
    rig<> r{{.latency_ns = 100}};
    CHECK(r.core.submit(tags{0b11}));
    r.model.advance(50);
    CHECK(r.core.reset() == db::reset_status::done);
    db::sata::port_bank bank{kit::ahci_bank{r.model}, r.port};
    CHECK(db::ahci::restart(bank));
    CHECK(r.core.start() == db::start_status::started);
    CHECK(r.core.submit(tags{0b11}));
    r.model.advance(60); // when the old ones would have ended
    CHECK(r.core.outstanding() == tags{0b11});
    r.model.advance(40);
    CHECK(r.serve() == 1);
    CHECK(r.driver.ended[0] == 2);
    CHECK(r.driver.last[0] == outcome::success);
}

TEST_CASE("A disk that is pulled answers nobody: its requests stay until the reset", "[inv:T5]") {
    rig<> r;
    CHECK(r.core.submit(tags{0b11}));
    r.model.at(0, [](auto& port) { port.unplug(); });
    CHECK(r.serve() == 1);
    CHECK(r.driver.link == cause::prcs);
    CHECK(r.core.outstanding() == tags{0b11});
    CHECK(r.core.expire_tags(tags{0b01}) == tags{0b01});
    CHECK(r.core.quarantined() == tags{0b01});
    CHECK(r.driver.order.empty());
    CHECK(r.core.reset() == db::reset_status::done);
    CHECK(r.driver.once(outcome::reset) == tags{0b11});
}

TEST_CASE("What is late is withheld until the reset, since nothing ends one request here", "[inv:T7][inv:X2]") {
    using deadlines = db::uniform_timeouts<std::uint64_t, 100'000>;
    rig<db::inline_all, deadlines> r;
    CHECK(r.core.submit(tags{0b11}));
    r.model.finish(0b10);
    auto const late = r.core.expire(100'000);
    CHECK(late.stuck == tags{0b01});
    CHECK(r.driver.asked_to_end == 0);
    CHECK(r.driver.once(outcome::success) == tags{0b10});
    CHECK(r.core.quarantined() == tags{0b01});
    CHECK(r.core.reset() == db::reset_status::done);
    CHECK(r.driver.once(outcome::reset) == tags{0b01});
}

TEST_CASE("An adapter that left the bus completes nobody until the requests are given up", "[inv:D4]") {
    rig<> r;
    CHECK(r.core.submit(tags{0b11}));
    r.model.finish(0b01);
    r.model.gone();
    CHECK(r.irq() == (irq_result::mine | irq_result::wake | irq_result::gone));
    CHECK(r.irq() == irq_result::none);
    static_cast<void>(r.core.poll());
    CHECK(r.driver.order.empty());
    CHECK(r.core.expire_tags(tags::all()).empty());
    CHECK(r.driver.once(outcome::controller_gone) == tags{0b11});
}

TEST_CASE("A wait for quiet ends at an error of the port instead of its limit", "[inv:Q1]") {
    rig<> r;
    CHECK(r.core.submit(tags{0b1}));
    r.model.fail(0, 0x10);
    CHECK(r.core.wait(db::unlimited{}, [] { return false; }) == db::wait_status::error);
}
