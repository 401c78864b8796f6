// SPDX-License-Identifier: BSL-1.0
#include "../strict_model.hpp"

namespace at = doorbell::ufs::offset;
namespace cause = doorbell::ufs::cause;
namespace uic = doorbell::ufs::uic;
using namespace doorbell::testing;

namespace {

void command(ufshci_model& m, std::uint32_t opcode, std::uint32_t arg1 = 0, std::uint32_t arg3 = 0) {
    m.store(at::ucmdarg1, arg1);
    m.store(at::ucmdarg2, 0);
    m.store(at::ucmdarg3, arg3);
    m.store(at::uiccmd, opcode);
}

} // namespace

TEST_CASE("From power-on to a running list: enable, link start-up, run") {
    strict_model m;
    CHECK(m.load(at::hcs) == 0);
    m.store(at::hce, 1);
    CHECK(m.load(at::hce) == 1);
    CHECK(m.load(at::hcs) == 0x8);
    command(m, uic::link_startup);
    CHECK(m.load(at::is) == cause::uccs);
    CHECK(m.load(at::ucmdarg2) == 0);
    CHECK(m.load(at::hcs) == 0xF);
    m.store(at::utrlrsr, 1);
    m.store(at::utmrlrsr, 1);
    m.store(at::utrldbr, 1);
    CHECK(m.finish(0));
    strict_model linked{ufshci_knobs{.starts_linked = true}};
    linked.store(at::hce, 1);
    CHECK(linked.load(at::hcs) == 0xF);
}

TEST_CASE("Enable takes its time") {
    strict_model m{ufshci_knobs{.enable_latency = 50}};
    m.store(at::hce, 1);
    CHECK(m.load(at::hce) == 0);
    m.advance(50);
    CHECK(m.load(at::hce) == 1);
    CHECK(m.load(at::hcs) == 0x8);
}

TEST_CASE("Disable drops what is in flight and clears the doorbells, or keeps them [U.C26]", "[U.C26]") {
    bool const drops = GENERATE(true, false);
    running_model m{ufshci_knobs{.disable_drops = drops}};
    m.store(at::utrldbr, 0xF);
    m.store(at::hce, 0);
    CHECK(m.load(at::utrldbr) == (drops ? 0u : 0xFu));
    CHECK(m.load(at::hcs) == 0);
    m.store(at::hce, 1);
    CHECK(m.load(at::utrldbr) == (drops ? 0u : 0xFu));
}

TEST_CASE("Enable puts the registers back to their reset values, or keeps them") {
    bool const resets = GENERATE(true, false);
    strict_model m{ufshci_knobs{.enable_resets = resets}};
    m.store(at::ie, 0x1);
    m.store(at::utrlba, 0x400);
    m.store(at::hce, 1);
    CHECK(m.load(at::ie) == (resets ? 0u : 1u));
    CHECK(m.load(at::utrlba) == (resets ? 0u : 0x400u));
    CHECK(m.load(at::ver) == 0x400);
}

TEST_CASE("A UIC command takes its time, and another one meanwhile is an error") {
    ufshci_model m{ufshci_knobs{.uic_latency = 100}};
    m.bring_up();
    command(m, uic::get);
    CHECK((m.load(at::hcs) & doorbell::ufs::status::ucrdy) == 0);
    CHECK(m.uic_in_flight());
    m.store(at::uiccmd, uic::get);
    CHECK(m.errors().count(driver_error::uic_busy) == 1);
    m.advance(100);
    CHECK(m.load(at::is) == cause::uccs);
    CHECK((m.load(at::hcs) & doorbell::ufs::status::ucrdy) != 0);
    CHECK_FALSE(m.finish_uic());
}

TEST_CASE("A UIC command that the test finishes waits for it") {
    running_model m{ufshci_knobs{.uic_manual = true}};
    command(m, uic::set, 0x15000000, 3);
    m.advance(1'000'000'000);
    CHECK(m.load(at::is) == 0);
    CHECK(m.finish_uic(7));
    CHECK(m.load(at::is) == cause::uccs);
    CHECK(m.load(at::ucmdarg2) == 7);
    CHECK(m.attribute(0x15000000) == 0);
}

TEST_CASE("Attributes are kept, and unknown opcodes fail with a result code") {
    running_model m;
    command(m, uic::set, 0x15A00000, 42);
    command(m, uic::get, 0x15A00000);
    CHECK(m.load(at::ucmdarg3) == 42);
    CHECK(m.load(at::ucmdarg2) == 0);
    command(m, 0x7F);
    CHECK(m.load(at::ucmdarg2) == 1);
    m.next_uic_result(9);
    command(m, uic::get, 0x15A00000);
    CHECK(m.load(at::ucmdarg2) == 9);
    running_model none{ufshci_knobs{.uic_attributes = false}};
    command(none, uic::get, 0x15A00000);
    CHECK(none.load(at::ucmdarg2) == 1);
}

TEST_CASE("Hibernate and power mode finish in two stages") {
    struct row {
        std::uint32_t opcode, arg1, second;
    };

    row const r = GENERATE(
        row{uic::hibernate_enter, 0, cause::uhes}, row{uic::hibernate_exit, 0, cause::uhxs},
        row{uic::set, uic::attribute_power_mode << 16, cause::upms});
    running_model m{ufshci_knobs{.uic_second_latency = 20}};
    command(m, r.opcode, r.arg1, 1);
    CHECK(m.load(at::is) == cause::uccs);
    m.store(at::is, cause::uccs);
    m.advance(19);
    CHECK(m.load(at::is) == 0);
    m.advance(1);
    CHECK(m.load(at::is) == r.second);
    running_model at_once;
    command(at_once, r.opcode, r.arg1, 1);
    CHECK(at_once.load(at::is) == (cause::uccs | r.second));
}

TEST_CASE("The result of a power mode change is local only where the host says so") {
    for (bool const local : {false, true}) {
        running_model m{ufshci_knobs{.uic_local_result = local}};
        command(m, uic::hibernate_enter);
        CHECK(((m.load(at::hcs) >> 8) & 7) == (local ? 1u : 0u));
    }
}

TEST_CASE("Only the opcode of UICCMD is kept, or nothing of it") {
    for (bool const masks : {true, false}) {
        running_model m{ufshci_knobs{.uic_masks_opcode = masks}};
        command(m, 0xABCD0002);
        CHECK(m.load(at::uiccmd) == (masks ? 2u : 0u));
    }
}

TEST_CASE("Link errors stand until they are read; a protocol error names tag and unit [inv:R2]", "[inv:R2]") {
    running_model m;
    m.link_error(at::uecdl, 0x2000);
    CHECK(m.load(at::is) == cause::ue);
    CHECK(m.load(at::uecdl) == 0x80002000);
    CHECK(m.load(at::uecdl) == 0);
    CHECK(m.peek(at::uecpa) == 0);
    m.protocol_error(1, 17, 3);
    CHECK(m.load(at::hcs) == 0x0311100F);
    CHECK((m.load(at::is) & cause::utpes) != 0);
}
