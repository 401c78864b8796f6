// SPDX-License-Identifier: BSL-1.0
#include <doorbell/controllers/ahci.hpp>

#include "../support/ahci_rig.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

namespace {

using namespace support::ahci;
using db::irq_result;
using db::tag;

} // namespace

TEST_CASE("A queued batch is announced in PxSACT, then issued in PxCI, behind one barrier", "[inv:R4][inv:T1]") {
    rig<> r;
    CHECK(r.core.submit(tags{0b1011}));
    CHECK(r.accesses() == accesses{writes<px::sact>(0b1011), barrier(), writes<px::ci>(0b1011)});
    CHECK(r.core.outstanding() == tags{0b1011});
}

TEST_CASE("An entry acknowledges the port before the adapter and looks at PxSACT after both", "[inv:D1]") {
    rig<> r;
    CHECK(r.core.submit(tags{0b11}));
    r.model.finish(0b01);
    r.model.log().clear();
    CHECK(r.irq() == irq_result::mine);
    CHECK(
        r.accesses() ==
        accesses{reads<px::is>(cause::sdbs), writes<px::is>(cause::sdbs), writes_sum(1), reads<px::sact>(0b10)});
    CHECK_FALSE(r.model.line());
    CHECK(r.driver.once(db::outcome::success) == tags{0b01});
}

TEST_CASE("The second port of an adapter has its own block, and its own bit in IS", "[inv:D1]") {
    rig<> r{{.ports = 3}, 2};
    CHECK(r.core.submit(tag{31}));
    CHECK(r.accesses() == accesses{writes<px::sact>(1U << 31, 2), barrier(), writes<px::ci>(1U << 31, 2)});
    r.model.finish(1U << 31, 2);
    r.model.log().clear();
    CHECK(r.irq() == irq_result::mine);
    CHECK(
        r.accesses() ==
        accesses{
            reads<px::is>(cause::sdbs, 2), writes<px::is>(cause::sdbs, 2), writes_sum(0b100), reads<px::sact>(0, 2)});
}

TEST_CASE("A command that is not queued leaves PxSACT alone and has ended when its bit of PxCI is gone", "[inv:T1]") {
    rig<> r;
    r.driver.plain = tags{0b100};
    CHECK(r.core.submit(tag{2}));
    CHECK(r.accesses() == accesses{barrier(), writes<px::ci>(0b100)});
    CHECK_FALSE(r.core.poll().again());
    CHECK(r.accesses() == accesses{reads<px::sact>(0), reads<px::ci>(0b100)});
    CHECK(r.driver.ended[2] == 0);
    r.model.finish(0b100);
    CHECK(r.serve() == 1);
    CHECK(r.driver.once(db::outcome::success) == tags{0b100});
    r.driver.plain = {};
    CHECK(r.core.submit(tag{2})); // a queued one in the same slot
    r.model.log().clear();
    static_cast<void>(r.core.poll());
    CHECK(r.accesses() == accesses{reads<px::sact>(0b100)});
}

TEST_CASE("The slots that exist are those of CAP") {
    kit::ahci_model model{{.slots = 8}};
    db::sata::port port{0};
    db::sata::port_bank bank{kit::ahci_bank{model}, port};
    CHECK(db::ahci::transfers::usable(bank) == tags{0xFF});
    kit::ahci_model whole;
    db::sata::port_bank all{kit::ahci_bank{whole}, port};
    CHECK(db::ahci::transfers::usable(all) == tags::all());
}

TEST_CASE("A cause that sums up PxSERR falls because it is acknowledged there", "[inv:D1]") {
    rig<> r;
    r.model.at(0, [](auto& port) { port.unplug(); });
    r.model.log().clear();
    CHECK(r.irq() == irq_result::mine);
    CHECK(
        r.accesses() == accesses{
                            reads<px::is>(cause::prcs), writes<px::serr>(db::sata::diagnosis::phy_ready_changed),
                            writes<px::is>(0), writes_sum(1)});
    CHECK(r.driver.link == cause::prcs);
    CHECK_FALSE(r.model.line());
    r.model.at(0, [](auto& port) { port.plug(); });
    CHECK(r.serve() == 1);
    CHECK(r.driver.link == (cause::prcs | cause::pcs));
}

TEST_CASE("A cause that was masked while it stood does not hold the line, and is not lost", "[inv:D1][inv:D5]") {
    rig<> r;
    r.model.at(0, [](auto& port) { port.raise(cause::infs); });
    r.core.disable(cause::infs);
    CHECK(r.model.line()); // IS has latched
    CHECK(r.irq() == irq_result::none);
    CHECK_FALSE(r.model.line());
    (void)r.core.enable(cause::infs);
    CHECK(r.serve() == 1);
    CHECK(r.driver.link == cause::infs);
}

TEST_CASE("A list that stops is told from one that does not, and PxCMD keeps the rest", "[inv:T1]") {
    kit::ahci_model model{{.stop_ns = kit::timer_table::never, .stuck = true}};
    model.bring_up();
    db::sata::port port{0};
    db::sata::port_bank bank{kit::ahci_bank{model}, port};
    std::uint32_t const before = *model.port().load(px::cmd::offset);
    CHECK_FALSE(db::ahci::halt(bank));
    CHECK(*model.port().load(px::cmd::offset) == (before & ~px::cmd::start::mask));
    CHECK(model.errors().empty());
    model.gone();
    CHECK_FALSE(db::ahci::halt(bank));
}

TEST_CASE("A list that does not stop by itself does when its link is reset, and runs again as before", "[inv:T1]") {
    kit::ahci_model model{{.stop_ns = kit::timer_table::never}};
    model.bring_up();
    db::sata::port port{0};
    db::sata::port_bank bank{kit::ahci_bank{model}, port};
    std::uint32_t const before = *model.port().load(px::cmd::offset);
    CHECK(db::ahci::halt(bank));
    CHECK((*model.port().load(px::cmd::offset) & px::cmd::running::mask) == 0);
    CHECK(db::ahci::restart(bank));
    CHECK(*model.port().load(px::cmd::offset) == before);
    CHECK(model.errors().empty());
}

TEST_CASE("The link is reset where the disk still has commands, and only there", "[inv:T5]") {
    constexpr auto control = kit::ahci_model::offset_of<px::sctl>();
    rig<> idle;
    CHECK(idle.core.reset() == db::reset_status::done);
    CHECK(idle.model.writes(control) == 0);

    rig<> failed; // the disk has ended its queue, and keeps the log of it
    CHECK(failed.core.submit(tags{0b11}));
    failed.model.fail(1, 0x40);
    CHECK(failed.core.reset() == db::reset_status::done);
    CHECK(failed.model.writes(control) == 0);

    rig<> busy;
    CHECK(busy.core.submit(tags{0b11}));
    CHECK(busy.core.reset() == db::reset_status::done);
    CHECK(busy.model.writes(control) == 2);
    db::sata::port_bank bank{kit::ahci_bank{busy.model}, busy.port};
    CHECK(db::ahci::restart(bank)); // the model tells of a disk that still works on what was before
}

TEST_CASE("A device that is still busy is overruled where the adapter can") {
    for (bool const can : {true, false}) {
        kit::ahci_model model{{.clears_busy = can}};
        model.bring_up();
        db::sata::port port{0};
        db::sata::port_bank bank{kit::ahci_bank{model}, port};
        model.at(0, [](auto& p) { p.hang(); });
        CHECK(db::ahci::halt(bank));
        CHECK(db::ahci::restart(bank) == can);
        CHECK(model.errors().empty());
    }
}

TEST_CASE("A restart wipes what stood, so that the next entry finds its own causes") {
    kit::ahci_model model;
    model.bring_up();
    db::sata::port port{0};
    db::sata::port_bank bank{kit::ahci_bank{model}, port};
    db::ahci::enable(bank, cause::all);
    model.at(0, [](auto& p) {
        p.raise(cause::tfes | cause::ifs);
        p.unplug();
        p.plug();
    });
    CHECK(model.line());
    CHECK(db::ahci::halt(bank));
    CHECK(db::ahci::restart(bank));
    CHECK(db::ahci::status(bank) == 0);
    CHECK_FALSE(model.line());
}

TEST_CASE("The facts say what this family cannot do", "[inv:T7]") {
    using bank = db::sata::port_bank<kit::ahci_bank>;
    STATIC_CHECK_FALSE(db::clears_slots<db::ahci::transfers, bank>);
    STATIC_CHECK_FALSE(db::ends_singly<db::ahci::transfers>);
    STATIC_CHECK_FALSE(db::gathers<db::ahci, bank>);
    STATIC_CHECK(db::ends_singly<db::ufshci::transfers>);
    STATIC_CHECK((db::ahci::errors & db::ahci::link) == 0);
    STATIC_CHECK(((db::ahci::errors | db::ahci::link) & db::ahci::transfers::cause) == 0);
    STATIC_CHECK((cause::all & db::ahci::absent) != db::ahci::absent);
}
