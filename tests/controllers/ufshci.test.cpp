// SPDX-License-Identifier: BSL-1.0
#include <doorbell/controllers/ufshci.hpp>

#include "../support/small_device.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

namespace {

using doorbell::ufshci;
using support::journal;
using support::lines;
using tags = doorbell::tag_set<ufshci::slots>;

struct wired {
    journal log{};
    support::small_device hw{log};
    support::small_bank bank{hw};
};

} // namespace

TEST_CASE("Causes are sorted by who serves them, each by one", "[inv:D2]") {
    std::uint32_t seen = 0;
    for (std::uint32_t const group : {ufshci::transfer, ufshci::uic, ufshci::tasks::cause, ufshci::errors}) {
        CHECK(group != 0);
        CHECK((seen & group) == 0);
        seen |= group;
    }
    CHECK((seen & ~doorbell::ufs::cause::all) == 0);
    CHECK(ufshci::transfer == 0x1);
    CHECK(ufshci::uic == 0x470);
    CHECK(ufshci::tasks::cause == 0x200);
    CHECK(ufshci::errors == 0x7'1884);
}

TEST_CASE("No set of causes reads like a controller that is not there", "[inv:D4]") {
    CHECK(ufshci::absent == 0xFFFF'FFFF);
    CHECK((ufshci::absent & ~doorbell::ufs::cause::all) != 0);
}

TEST_CASE("Status is one read, acknowledgement one write of exactly these causes", "[inv:D1]") {
    wired w;
    w.hw.status = 0x405;
    CHECK(ufshci::status(w.bank) == 0x405);
    ufshci::acknowledge(w.bank, 0x401);
    CHECK(w.hw.status == 0x004);
    CHECK(w.log.take() == lines{"read IS", "write IS 401"});
}

TEST_CASE("The enable register is written whole and not read", "[inv:D8]") {
    wired w;
    w.hw.enable = 0xFFFF;
    ufshci::enable(w.bank, 0x405);
    CHECK(w.hw.enable == 0x405);
    CHECK(w.log.take() == lines{"write IE 405"});
}

TEST_CASE("Completion state is one read with the barrier behind it", "[inv:R4]") {
    wired w;
    w.hw.doorbell = 0x8000'0001;
    CHECK(ufshci::transfers::busy(w.bank) == tags{0x8000'0001});
    CHECK(w.log.take() == lines{"read DBR", "barrier after_done"});
}

TEST_CASE("A ring is the barrier and then one write of the new slots", "[inv:R4]") {
    wired w;
    w.hw.doorbell = 0x1;
    ufshci::transfers::ring(w.bank, tags{0x8000'0002});
    CHECK(w.log.take() == lines{"barrier before_doorbell", "write DBR 80000002"});
    CHECK(w.hw.doorbell == 0x8000'0003);
}

TEST_CASE("The slots that exist are one more than the register says", "[inv:T6]") {
    wired w;
    w.hw.capability = 0;
    CHECK(ufshci::transfers::usable(w.bank) == tags{0x1});
    w.hw.capability = 0x1707'0007; // other fields beside it
    CHECK(ufshci::transfers::usable(w.bank) == tags{0xFF});
    w.hw.capability = 31;
    CHECK(ufshci::transfers::usable(w.bank) == tags::all());
}

TEST_CASE("Halting writes 0 and waits until the controller says so", "[inv:T1]") {
    wired w;
    unsigned looks = 0;
    w.hw.stuck = true;
    w.hw.after_access = [&](std::string const& line) {
        if (line == "read HCE" and ++looks == 3) {
            w.hw.running = 0;
        }
    };
    CHECK(ufshci::halt(w.bank));
    CHECK(
        w.log.take() ==
        lines{"write RSR 0", "write TMRSR 0", "write HCE 0", "read HCE", "read HCE", "read HCE", "read HCE"});
}

TEST_CASE("Halting gives up after a bounded number of looks, and says so", "[inv:T1]") {
    wired w;
    w.hw.stuck = true;
    CHECK_FALSE(ufshci::halt(w.bank));
    CHECK(w.log.take({"read"}).size() == ufshci::halt_looks);
}
