// SPDX-License-Identifier: BSL-1.0
#include <doorbell/testing/ahci_model.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <stdexcept>

namespace px = doorbell::sata::px;
namespace hba = doorbell::sata::hba;
namespace cause = doorbell::sata::cause;
using namespace doorbell::testing;

namespace {

void queue(ahci_model& model, std::uint32_t slots, unsigned port = 0) {
    model.store(ahci_model::offset_of<px::sact>(port), slots);
    model.store(ahci_model::offset_of<px::ci>(port), slots);
}

} // namespace

TEST_CASE("The line follows IS, which latches what a port has enabled") {
    ahci_model model{{.ports = 2}};
    model.bring_up();
    queue(model, 1, 1);
    model.finish(1, 1);
    CHECK_FALSE(model.line()); // not enabled
    model.store(ahci_model::offset_of<px::ie>(1), cause::sdbs);
    CHECK(model.line());
    CHECK(model.load(hba::is::offset) == 0b10);
    model.store(ahci_model::offset_of<px::is>(1), cause::sdbs);
    CHECK(model.line()); // latched
    model.store(hba::is::offset, 0b10);
    CHECK_FALSE(model.line());
    CHECK(model.rises() == 1);
}

TEST_CASE("A bit of IS that is acknowledged before its port latches again, and is a new rise") {
    ahci_model model;
    model.bring_up();
    model.store(ahci_model::offset_of<px::ie>(), cause::sdbs);
    queue(model, 1);
    model.finish(1);
    model.store(hba::is::offset, 1);
    CHECK(model.line());
    CHECK(model.rises() == 2);
    CHECK(model.take_pulse());
    CHECK(model.take_pulse());
    CHECK_FALSE(model.take_pulse());
}

TEST_CASE("Without GHC.IE the line stays down") {
    ahci_model model;
    model.bring_up();
    model.store(ahci_model::offset_of<px::ie>(), cause::sdbs);
    model.store(hba::ghc::offset, 0);
    queue(model, 1);
    model.finish(1);
    CHECK_FALSE(model.line());
    model.store(hba::ghc::offset, hba::ghc::interrupts::mask);
    CHECK(model.line());
}

TEST_CASE("A reset of the adapter empties every port and ends nobody") {
    ahci_model model{{.ports = 2, .latency_ns = 10}};
    model.bring_up();
    queue(model, 0b11, 0);
    queue(model, 0b11, 1);
    model.store(hba::ghc::offset, hba::ghc::reset::mask);
    CHECK(model.load(hba::ghc::offset) == hba::ghc::enable::mask);
    CHECK(model.load(ahci_model::offset_of<px::sact>(0)) == 0);
    CHECK(model.load(ahci_model::offset_of<px::sact>(1)) == 0);
    model.advance(100);
    CHECK(model.port(0).causes() == 0);
    CHECK((model.load(ahci_model::offset_of<px::cmd>(1)) & px::cmd::start::mask) == 0);
}

TEST_CASE("Time brings what is due, port by port, in order") {
    ahci_model model{{.ports = 2, .latency_ns = 100, .log_entries = 8}};
    model.bring_up();
    queue(model, 0b1, 0);
    CHECK(model.next_due() == 100);
    model.advance(40);
    queue(model, 0b1, 1);
    model.advance(60);
    CHECK(model.port(0).in_flight() == 0);
    CHECK(model.port(1).in_flight() == 1);
    model.advance(40);
    CHECK(model.port(1).in_flight() == 0);
    CHECK(model.next_due() == timer_table::never);
    CHECK(model.now() == 140);
}

TEST_CASE("An adapter that is gone reads all ones, takes nothing and ends nothing") {
    ahci_model model{{.latency_ns = 10}};
    model.bring_up();
    queue(model, 1);
    model.gone();
    CHECK(model.load(hba::cap::offset) == 0xFFFF'FFFF);
    model.store(ahci_model::offset_of<px::ie>(), cause::all);
    model.advance(100);
    CHECK(model.port().in_flight() == 1);
    CHECK_FALSE(model.line());
}

TEST_CASE("Accesses are counted, and logged where there is room; wrong ones are errors") {
    ahci_model model{{.log_entries = 4}};
    ahci_bank bank{model};
    static_cast<void>(bank.load(hba::cap::offset));
    bank.before_doorbell();
    bank.store(hba::is::offset, 0);
    CHECK(model.reads(hba::cap::offset) == 1);
    CHECK(model.writes(hba::is::offset) == 1);
    CHECK(model.reads(hba::pi::offset) == 0);
    CHECK(model.log().size() == 3);
    CHECK(model.log()[1].kind == access_kind::before_doorbell);
    CHECK(model.load(0x102) == 0);
    CHECK(model.load(0x200) == 0); // a port that does not exist
    bank.store(0x201, 0);
    bank.store(0x1FC, 0);
    CHECK(model.errors().count(ahci_error::misaligned) == 2);
    CHECK(model.errors().count(ahci_error::outside) == 2);
}

TEST_CASE("Knobs that contradict themselves are refused with a sentence") {
    CHECK_THROWS_AS(ahci_model{ahci_knobs{.ports = 5}}, std::invalid_argument);
    CHECK_THROWS_AS(ahci_model{ahci_knobs{.slots = 33}}, std::invalid_argument);
    CHECK_THROWS_AS(ahci_model{ahci_knobs{.slots = 0}}, std::invalid_argument);
}
