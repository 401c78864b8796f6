// SPDX-License-Identifier: BSL-1.0
#include <doorbell/controllers/ahci/causes.hpp>
#include <doorbell/controllers/ahci/registers.hpp>

#include <doorbell/registers/operations.hpp>
#include <doorbell/testing/ahci_model.hpp>

#include <catch2/catch_test_macros.hpp>

namespace db = doorbell;
namespace px = doorbell::sata::px;
namespace hba = doorbell::sata::hba;
namespace cause = doorbell::sata::cause;
using db::testing::ahci_bank;
using db::testing::ahci_model;

TEST_CASE("Every cause of a port is cleared by a one, but for the three that sum up PxSERR", "[inv:R1]") {
    STATIC_CHECK((px::is::bits<db::access::write_1_to_clear> & cause::all) == (cause::all & ~cause::summed));
    STATIC_CHECK(px::is::bits<db::access::read_only> == cause::summed);
    STATIC_CHECK(db::acknowledgeable<px::is> and not db::writable<px::is> and not db::modifiable<px::is>);
    STATIC_CHECK(db::acknowledgeable<hba::is> and db::acknowledgeable<px::serr>);
}

TEST_CASE("The two command words are doorbells, the rest of the port settings or read-only", "[inv:R1]") {
    STATIC_CHECK(db::ringable<px::sact> and db::ringable<px::ci>);
    STATIC_CHECK_FALSE(db::writable<px::sact>);
    STATIC_CHECK_FALSE(db::modifiable<px::ci>);
    STATIC_CHECK_FALSE(db::modifiable<px::cmd>); // CLO acts, CR and FR are hardware's
    STATIC_CHECK(db::writable<px::cmd> and db::writable<px::sctl> and db::modifiable<px::ie>);
    STATIC_CHECK_FALSE(db::writable<px::tfd>);
    STATIC_CHECK_FALSE(db::writable<px::ssts>);
    STATIC_CHECK_FALSE(db::writable<px::sig>);
    STATIC_CHECK_FALSE(db::writable<hba::cap>);
    STATIC_CHECK_FALSE(db::writable<hba::pi>);
    STATIC_CHECK_FALSE(db::modifiable<hba::ghc>);
}

TEST_CASE("Fields take apart the registers of an adapter with six ports") {
    STATIC_CHECK(hba::cap::ports::get(0xC0141F05) == 5);
    STATIC_CHECK(hba::cap::slots::get(0xC0141F05) == 31);
    STATIC_CHECK(hba::cap::queued::get(0xC0141F05) == 1);
    STATIC_CHECK(hba::cap::wide::get(0xC0141F05) == 1);
    STATIC_CHECK(hba::cap::clears_busy::get(0xC0141F05) == 0);
    STATIC_CHECK(px::ssts::detection::get(0x113) == 3);
    STATIC_CHECK(px::ssts::speed::get(0x113) == 1);
    STATIC_CHECK(px::tfd::error::get(0x0441) == 4);
    STATIC_CHECK(px::cmd::running::mask == 0x8000);
    STATIC_CHECK(px::cmd::receiving::mask == 0x4000);
    STATIC_CHECK(px::cmd::start::mask == 1);
    STATIC_CHECK(px::cmd::clear_busy::mask == 8);
    STATIC_CHECK(px::cmd::receive::mask == 0x10);
    STATIC_CHECK(hba::ghc::enable::mask == 0x8000'0000);
    STATIC_CHECK(px::ci::offset == 0x38);
    STATIC_CHECK(px::sact::offset == 0x34);
    STATIC_CHECK(px::serr::offset == 0x30);
}

TEST_CASE("What a type allows to be written the model takes, and keeps the bits that are aligned away") {
    ahci_model model;
    ahci_bank bank{model};
    db::write<hba::ghc>(bank, hba::ghc::interrupts::mask);
    CHECK(db::read<hba::ghc>(bank) == (hba::ghc::interrupts::mask | hba::ghc::enable::mask));
    CHECK(db::read<hba::pi>(bank) == 1);
    CHECK(db::read<hba::vs>(bank) == 0x10301);
    bank.store(ahci_model::offset_of<px::clb>(), 0xFFFF'FFFF);
    bank.store(ahci_model::offset_of<px::fb>(), 0xFFFF'FFFF);
    CHECK(bank.load(ahci_model::offset_of<px::clb>()) == px::clb::bits<db::access::read_write>);
    CHECK(bank.load(ahci_model::offset_of<px::fb>()) == px::fb::bits<db::access::read_write>);
    CHECK(model.errors().empty());
}
