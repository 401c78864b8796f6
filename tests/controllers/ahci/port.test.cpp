// SPDX-License-Identifier: BSL-1.0
#include <doorbell/controllers/ahci/port.hpp>

#include <catch2/catch_test_macros.hpp>

namespace db = doorbell;
using db::tag;
using tags = db::tag_set<32>;

TEST_CASE("A port knows its block and its bit") {
    STATIC_CHECK(db::sata::port{0}.base() == 0x100);
    STATIC_CHECK(db::sata::port{5}.base() == 0x380);
    STATIC_CHECK(db::sata::port{5}.bit() == 0x20);
}

TEST_CASE("A command is queued unless its ring was announced as not, and each ring is judged anew") {
    db::sata::port port{0};
    CHECK(port.rung(tags{0b11}) == tags{0b11});
    CHECK(port.unqueued().empty());
    port.unqueued(tag{2});
    CHECK(port.rung(tags{0b1100}) == tags{0b1000});
    CHECK(port.unqueued() == tags{0b100});
    CHECK(port.rung(tags{0b100}) == tags{0b100}); // its next use
    CHECK(port.unqueued().empty());
}

TEST_CASE("An unqueued command is kept until its bit of PxCI is gone, or the list stopped") {
    db::sata::port port{0};
    port.unqueued(tag{1});
    port.unqueued(tag{4});
    CHECK(port.rung(tags{0b10010}).empty());
    CHECK(port.keep(tags{0xFFFF'FFF2}) == tags{0b10010});
    CHECK(port.keep(tags{0b00010}) == tags{0b00010});
    CHECK(port.keep(tags{0b10010}) == tags{0b00010}); // it had ended
    port.stopped();
    CHECK(port.unqueued().empty());
}

TEST_CASE("The port's own block is a window of the bank") {
    db::sata::port port{1};
    db::sata::port_bank bank{db::memory_bank<0x200>{}, port};
    auto own = bank.own();
    own.store(0x14, 7);
    CHECK(own.load(0x14) == 7);
    CHECK(bank.load(0x194) == 7);
    CHECK(&bank.port() == &port);
}
