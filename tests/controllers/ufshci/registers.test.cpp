// SPDX-License-Identifier: BSL-1.0
#include <catch2/catch_test_macros.hpp>
#include <doorbell/controllers/ufshci/causes.hpp>
#include <doorbell/controllers/ufshci/registers.hpp>
#include <doorbell/registers/operations.hpp>
#include <doorbell/testing/ufshci_model.hpp>

namespace db = doorbell;
namespace ufs = doorbell::ufs;
using db::testing::model_bank;
using db::testing::ufshci_model;

TEST_CASE("The causes of the status register are those that exist, and each is cleared by a one") {
    STATIC_CHECK((ufs::is::bits<db::access::write_1_to_clear> & ufs::cause::all) == ufs::cause::all);
    STATIC_CHECK(ufs::is::offset == 0x20);
    STATIC_CHECK(db::acknowledgeable<ufs::is> and not db::modifiable<ufs::is> and not db::writable<ufs::is>);
}

TEST_CASE("Fields take apart the registers of a real host") {
    STATIC_CHECK(ufs::cap::slots::get(0x1587031F) == 31);
    STATIC_CHECK(ufs::cap::task_slots::get(0x1587031F) == 7);
    STATIC_CHECK(ufs::cap::auto_hibernate::get(0x1587031F) == 1);
    STATIC_CHECK(ufs::cap::multi_queue::get(0x4107021F) == 1);
    STATIC_CHECK(ufs::mcqcap::config_pointer::get(0x20201) == 2);
    STATIC_CHECK(ufs::mcqcap::last_queue::get(0x20201) == 1);
    STATIC_CHECK(ufs::ver::major::get(0x210) == 2);
    STATIC_CHECK(ufs::ver::minor::get(0x210) == 1);
    STATIC_CHECK(ufs::hcs::power_mode::get(0x10F) == 1);
    STATIC_CHECK(ufs::hcs::uic_ready::get(0x10F) == 1);
    STATIC_CHECK(ufs::mcqconfig::active_commands::get(0x3F00) == 63);
    STATIC_CHECK(ufs::queue::sqattr::completion_queue::get(0x80010207) == 1);
    STATIC_CHECK(ufs::utriacr::counter_reset::put(1) == ufs::aggregation::counter_reset);
    STATIC_CHECK(ufs::utriacr::enable::mask == ufs::aggregation::enable);
}

TEST_CASE("Read-only, read-to-clear and clear registers offer nothing else") {
    STATIC_CHECK_FALSE(db::writable<ufs::hcs>);
    STATIC_CHECK_FALSE(db::modifiable<ufs::hcs>);
    STATIC_CHECK_FALSE(db::dumpable<ufs::uecdl>);
    STATIC_CHECK_FALSE(db::readable<ufs::utrlclr>);
    STATIC_CHECK_FALSE(db::writable<ufs::utmrlclr>);
    STATIC_CHECK_FALSE(db::writable<ufs::queue::cqtp>);
    STATIC_CHECK(db::modifiable<ufs::config>);
    STATIC_CHECK_FALSE(db::modifiable<ufs::queue::cqiacr>);
}

TEST_CASE("What a type allows to be written the register model takes, and what it does not it refuses") {
    ufshci_model model;
    model_bank bank{model};
    db::write<ufs::ahit>(bank, ufs::ahit::timer::put(5) | ufs::ahit::scale::put(3));
    db::modify<ufs::ahit>(bank, ufs::ahit::scale::mask, ufs::ahit::scale::put(1));
    CHECK(db::read<ufs::ahit>(bank) == 0x405);
    db::write<ufs::hce>(bank, ufs::hce::enable::put(1));
    CHECK(ufs::hce::enable::get(db::read<ufs::hce>(bank)) == 1);
    db::write<ufs::uiccmd>(bank, ufs::uic::link_startup);
    CHECK(ufs::hcs::transfer_list_ready::get(db::read<ufs::hcs>(bank)) == 1);
    db::write<ufs::utrlrsr>(bank, 1);
    db::ring<ufs::utrldbr>(bank, 0x7);
    db::clear_slots<ufs::utrlclr>(bank, 0x2);
    CHECK(db::read<ufs::utrldbr>(bank) == 0x5);
    CHECK(model.errors().empty());
}
