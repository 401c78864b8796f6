// SPDX-License-Identifier: BSL-1.0
#include "../strict_model.hpp"

#include <array>

namespace at = doorbell::ufs::offset;
namespace cause = doorbell::ufs::cause;
using namespace doorbell::testing;

TEST_CASE("The doorbell is set by software and cleared by hardware") {
    running_model m;
    m.store(at::utrldbr, 0x5);
    CHECK(m.load(at::utrldbr) == 0x5);
    m.store(at::utrldbr, 0x8);
    CHECK(m.load(at::utrldbr) == 0xD);
    m.store(at::utrldbr, 0);
    CHECK(m.load(at::utrldbr) == 0xD);
    CHECK(m.finish(2));
    CHECK(m.load(at::utrldbr) == 0x9);
    CHECK_FALSE(m.finish(2));
    CHECK(m.load(at::is) == cause::utrcs);
    CHECK(m.load(at::utrlcnr) == 0x4);
    m.store(at::utrlcnr, 0x4);
    CHECK(m.load(at::utrlcnr) == 0);
}

TEST_CASE("A script can stop between interrupt status and doorbell, in both orders") {
    running_model m{
        ufshci_knobs{.order = GENERATE(completion_order::is_before_doorbell, completion_order::doorbell_before_is)}};
    bool const is_first = m.knobs().order == completion_order::is_before_doorbell;
    m.store(at::utrldbr, 1);
    REQUIRE(m.finish_begin(0));
    CHECK(m.load(at::is) == (is_first ? cause::utrcs : 0u));
    CHECK(m.load(at::utrldbr) == (is_first ? 1u : 0u));
    REQUIRE(m.finish_end(0));
    CHECK(m.load(at::is) == cause::utrcs);
    CHECK(m.load(at::utrldbr) == 0);
    CHECK_FALSE(m.finish_end(0));
}

TEST_CASE("With a latency the device finishes by itself, in order of due time") {
    std::array<std::uint64_t, 3> const latencies{300, 100, 200};
    running_model m{ufshci_knobs{
        .latency = latency_kind::list, .latency_list = latencies.data(), .latency_list_size = latencies.size()}};
    m.store(at::utrldbr, 0x7);
    CHECK(m.next_due() == 100);
    m.advance(100);
    CHECK(m.load(at::utrldbr) == 0x5);
    m.advance_to(m.next_due());
    CHECK(m.load(at::utrldbr) == 0x1);
    CHECK(m.now() == 200);
    m.advance(1000);
    CHECK(m.load(at::utrldbr) == 0);
    CHECK(m.now() == 1200);
    CHECK(m.next_due() == timer_table::never);
}

TEST_CASE("A chosen latency and status hold for one request") {
    running_model m;
    m.next_latency(4, 50);
    m.next_status(4, doorbell::ufs::ocs::aborted);
    m.store(at::utrldbr, 1u << 4);
    m.advance(50);
    CHECK(m.ocs(4) == doorbell::ufs::ocs::aborted);
    m.prepare(4);
    m.store(at::utrldbr, 1u << 4);
    CHECK(m.next_due() == timer_table::never);
}

TEST_CASE("Ringing a stopped list, a busy slot or a slot that does not exist is an error of the driver") {
    ufshci_model m{ufshci_knobs{.nutrs = 8}};
    m.store(at::utrldbr, 1);
    CHECK(m.errors().count(driver_error::ring_stopped) == 1);
    CHECK(m.load(at::utrldbr) == 0);
    m.bring_up();
    m.store(at::utrldbr, 1);
    m.store(at::utrldbr, 1);
    CHECK(m.errors().count(driver_error::ring_busy) == 1);
    m.store(at::utrldbr, 0x100);
    CHECK(m.errors().count(driver_error::ring_beyond) == 1);
    CHECK(m.errors().total() == 3);
    CHECK(m.errors()[2].text() == "doorbell rung for a slot the host does not have: UTRLDBR, value 0x00000100, at t=0");
}

TEST_CASE("The status lags behind the doorbell by ocs_lag [U.C36]", "[U.C36]") {
    running_model m{ufshci_knobs{.ocs_lag = 3}};
    m.store(at::utrldbr, 1);
    REQUIRE(m.finish(0, doorbell::ufs::ocs::success));
    CHECK(m.load(at::utrldbr) == 0);
    CHECK(m.ocs(0) == doorbell::ufs::ocs::not_written);
    m.advance(2);
    CHECK(m.ocs(0) == doorbell::ufs::ocs::not_written);
    m.advance(1);
    CHECK(m.ocs(0) == doorbell::ufs::ocs::success);
}

TEST_CASE("A ring with a descriptor that is not reset is found [U.C34]", "[U.C34]") {
    running_model m;
    m.store(at::utrldbr, 1);
    REQUIRE(m.finish(0));
    m.store(at::utrldbr, 1);
    CHECK(m.errors().count(driver_error::ring_dirty) == 1);
    m.errors().clear();
    REQUIRE(m.finish(0));
    m.prepare(0);
    m.store(at::utrldbr, 1);
    CHECK(m.errors().empty());
}

TEST_CASE("Slot clear frees the slots whose bit is 0, without interrupt and without notification") {
    running_model m;
    m.store(at::utrldbr, 0x7);
    m.store(at::utrlclr, ~0x2u);
    CHECK(m.load(at::utrldbr) == 0x5);
    CHECK(m.load(at::is) == 0);
    CHECK(m.load(at::utrlcnr) == 0);
    CHECK(m.dropped() == 1);
}

TEST_CASE(
    "Inverted polarity clears the slots whose bit is 1: the standard write kills all the others [U.C14][U.C15]",
    "[U.C14][U.C15]") {
    running_model quirk{ufshci_knobs{.polarity = clear_polarity::write_1_clears}};
    quirk.store(at::utrldbr, 0x7);
    quirk.store(at::utrlclr, 0x2);
    CHECK(quirk.load(at::utrldbr) == 0x5);

    ufshci_model standard;
    standard.bring_up();
    standard.store(at::utrldbr, 0x7);
    standard.store(at::utrlclr, 0x2);
    CHECK(standard.load(at::utrldbr) == 0x2);
    CHECK(standard.errors().count(driver_error::clear_many) == 1);
}

TEST_CASE("A clear takes its time, or never takes effect") {
    running_model late{ufshci_knobs{.clear_latency = 10}};
    late.store(at::utrldbr, 0x7);
    late.store(at::utrlclr, ~0x2u);
    late.advance(9);
    CHECK(late.load(at::utrldbr) == 0x7);
    late.advance(1);
    CHECK(late.load(at::utrldbr) == 0x5);
    running_model never{ufshci_knobs{.clear_never = true}};
    never.store(at::utrldbr, 0x7);
    never.store(at::utrlclr, ~0x2u);
    never.advance(1'000'000'000);
    CHECK(never.load(at::utrldbr) == 0x7);
}

TEST_CASE("The device may still write and finish a slot whose clear is on its way [U.C17]", "[U.C17]") {
    running_model m{ufshci_knobs{.clear_latency = 10}};
    m.next_latency(1, 5);
    m.store(at::utrldbr, 0x2);
    m.store(at::utrlclr, ~0x2u);
    m.advance(5);
    CHECK(m.ocs(1) == doorbell::ufs::ocs::success);
    CHECK(m.load(at::utrldbr) == 0);
    m.prepare(1);
    m.store(at::utrldbr, 0x2);
    m.advance(100);
    CHECK(m.load(at::utrldbr) == 0x2); // the old clear does not hit the new request
}

TEST_CASE("A clear on a stopped list is ignored and flagged [U.C19]", "[U.C19]") {
    ufshci_model m{ufshci_knobs{.stop_drops = false}};
    m.bring_up();
    m.store(at::utrldbr, 0x1);
    m.store(at::utrlrsr, 0);
    m.store(at::utrlclr, ~0x1u);
    CHECK(m.load(at::utrldbr) == 0x1);
    CHECK(m.errors().count(driver_error::clear_stopped) == 1);

    ufshci_model lenient{ufshci_knobs{.clear_requires_run = false, .stop_drops = false}};
    lenient.bring_up();
    lenient.store(at::utrldbr, 0x1);
    lenient.store(at::utrlrsr, 0);
    lenient.store(at::utrlclr, ~0x1u);
    CHECK(lenient.load(at::utrldbr) == 0);
}

TEST_CASE("Read-modify-write of the clear register, and a clear on a host without one, are found") {
    ufshci_model m;
    m.bring_up();
    m.store(at::utrldbr, 0x3);
    m.store(at::utrlclr, m.load(at::utrlclr) | ~0x1u);
    CHECK(m.errors().count(driver_error::clear_modified) == 1);
    ufshci_model none{ufshci_knobs{.clear_present = false}};
    none.bring_up();
    none.store(at::utrldbr, 0x1);
    none.store(at::utrlclr, ~0x1u);
    CHECK(none.load(at::utrldbr) == 0x1);
    CHECK(none.errors().count(driver_error::clear_absent) == 1);
}

TEST_CASE("Writing the doorbell back to clear it restarts a slot, and is found [U.C23]", "[U.C23]") {
    ufshci_model m;
    m.bring_up();
    m.store(at::utrldbr, 0x8);
    std::uint32_t const seen = m.load(at::utrldbr);
    SECTION("still busy") {
        m.store(at::utrldbr, seen);
        CHECK(m.errors().count(driver_error::ring_busy) == 1);
        CHECK(m.started() == 1);
    }
    SECTION("finished meanwhile") {
        m.finish(3);
        m.store(at::utrldbr, seen);
        CHECK(m.load(at::utrldbr) == 0x8);
        CHECK(m.started() == 2);
        CHECK(m.errors().count(driver_error::ring_dirty) == 1);
    }
}

TEST_CASE(
    "A descriptor of zeros reads as success before hardware wrote anything; only the doorbell tells [U.C35]",
    "[U.C35]") {
    ufshci_model m;
    m.bring_up();
    m.descriptor(1)[ufshci_model::ocs_byte] = 0;
    m.store(at::utrldbr, 0x2);
    CHECK(m.errors().count(driver_error::ring_dirty) == 1);
    CHECK(m.ocs(1) == doorbell::ufs::ocs::success);
    CHECK(m.load(at::utrldbr) == 0x2); // not done
    ufshci_model lenient{ufshci_knobs{.check_descriptors = false}};
    lenient.bring_up();
    lenient.descriptor(1)[ufshci_model::ocs_byte] = 0;
    lenient.store(at::utrldbr, 0x2);
    CHECK(lenient.errors().empty());
}

TEST_CASE("A stuck status lands when it is told to, or never") {
    running_model m{ufshci_knobs{.ocs_stuck = true}};
    m.store(at::utrldbr, 0x1);
    m.finish(0, doorbell::ufs::ocs::aborted);
    m.advance(1'000'000'000);
    CHECK(m.ocs(0) == doorbell::ufs::ocs::not_written);
    m.write_status(0);
    CHECK(m.ocs(0) == doorbell::ufs::ocs::aborted);
}

TEST_CASE("The gap between interrupt status and doorbell takes its time when the device runs by itself") {
    running_model m{ufshci_knobs{.order_gap = 7, .latency = latency_kind::fixed, .latency_ns = 100}};
    m.store(at::utrldbr, 0x1);
    m.advance(100);
    CHECK(m.load(at::is) == cause::utrcs);
    CHECK(m.load(at::utrldbr) == 0x1);
    m.advance(7);
    CHECK(m.load(at::utrldbr) == 0);
}

TEST_CASE("Stopping the list drops what is in flight, or only stops new rings") {
    bool const drops = GENERATE(true, false);
    ufshci_model m{ufshci_knobs{.stop_drops = drops}};
    m.bring_up();
    m.next_latency(0, 10);
    m.store(at::utrldbr, 0x1);
    m.store(at::utrlrsr, 0);
    CHECK(m.load(at::utrldbr) == (drops ? 0u : 1u));
    m.advance(10);
    CHECK(m.load(at::is) == (drops ? 0u : cause::utrcs));
    CHECK(m.dropped() == (drops ? 1u : 0u));
}

TEST_CASE("A host that does not look at run-stop takes the ring") {
    strict_model m{ufshci_knobs{.run_required = false}};
    m.store(at::utrldbr, 0x1);
    CHECK(m.load(at::utrldbr) == 0x1);
}

TEST_CASE("Run needs enable and the ready bit, unless the host does not look") {
    ufshci_model m;
    m.store(at::utrlrsr, 1);
    CHECK(m.load(at::utrlrsr) == 0);
    CHECK(m.errors().count(driver_error::run_not_ready) == 1);
    strict_model lenient{ufshci_knobs{.run_needs_ready = false}};
    lenient.store(at::utrlrsr, 0xFF);
    CHECK(lenient.load(at::utrlrsr) == 1);
}

TEST_CASE("Bits at or above nutrs, phantom bits and stale notifications can be had [U.C33]", "[U.C33]") {
    bool const sticks = GENERATE(true, false);
    ufshci_model m{
        ufshci_knobs{.nutrs = 8, .high_bits_stick = sticks, .phantom_doorbell = 0x40, .stale_cnr = 0xFF1FFFFF}};
    m.bring_up();
    CHECK(m.load(at::utrldbr) == 0x40);
    CHECK(m.load(at::utrlcnr) == 0xFF1FFFFF);
    m.store(at::utrldbr, 0x101);
    CHECK(m.load(at::utrldbr) == (sticks ? 0x141u : 0x41u));
    m.finish(0);
    CHECK(m.load(at::utrldbr) == (sticks ? 0x140u : 0x40u));
    CHECK_FALSE(m.finish(8));
}

TEST_CASE("A duplicate completion sets status and notification once more [U.C7]", "[U.C7]") {
    running_model m;
    m.store(at::utrldbr, 1u << 7);
    m.finish(7);
    m.store(at::is, m.load(at::is));
    m.store(at::utrlcnr, m.load(at::utrlcnr));
    m.duplicate(7);
    CHECK(m.load(at::is) == cause::utrcs);
    CHECK(m.load(at::utrlcnr) == 1u << 7);
    CHECK(m.load(at::utrldbr) == 0);
}

TEST_CASE("A host older than 3.0 has no completion notification") {
    running_model m{ufshci_knobs{.sets_cnr = false}};
    m.store(at::utrldbr, 1);
    m.finish(0);
    CHECK(m.load(at::utrlcnr) == 0);
}

TEST_CASE("The device works on no more requests at once than it can") {
    running_model m{ufshci_knobs{.latency = latency_kind::fixed, .latency_ns = 100, .parallel = 2}};
    m.store(at::utrldbr, 0xF);
    m.advance(100);
    CHECK(m.load(at::utrldbr) == 0xC);
    m.store(at::utrlclr, ~0x4u); // frees the place of a running one
    m.advance(100);
    CHECK(m.load(at::utrldbr) == 0);
    CHECK(m.finished() == 3);
}

TEST_CASE("A waiting request that is cleared does not come up later") {
    running_model m{ufshci_knobs{.latency = latency_kind::fixed, .latency_ns = 100, .parallel = 1}};
    m.store(at::utrldbr, 0x7);
    m.store(at::utrlclr, ~0x2u);
    m.advance(100);
    CHECK(m.load(at::utrldbr) == 0x4);
    m.advance(100);
    CHECK(m.load(at::utrldbr) == 0);
    CHECK(m.finished() == 2);
}

TEST_CASE("Uniform latencies lie between their bounds and depend on the seed alone") {
    auto const first_due = [](std::uint64_t seed) {
        running_model m{
            ufshci_knobs{.latency = latency_kind::uniform, .latency_ns = 100, .latency_max_ns = 200, .seed = seed}};
        m.store(at::utrldbr, 1);
        return m.next_due();
    };
    bool differs = false;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        CHECK(first_due(seed) >= 100);
        CHECK(first_due(seed) <= 200);
        differs = differs or first_due(seed) != first_due(0);
    }
    CHECK(first_due(7) == first_due(7));
    CHECK(differs);
}

TEST_CASE("Slot 31 of 32 and the only slot of 1 work") {
    running_model wide;
    wide.store(at::utrldbr, 1u << 31);
    CHECK(wide.finish(31));
    running_model narrow{ufshci_knobs{.nutrs = 1}};
    CHECK((narrow.load(at::cap) & 0x1F) == 0);
    narrow.store(at::utrldbr, 1);
    CHECK(narrow.finish(0));
}

TEST_CASE("With the doorbell first, a slot rung again before its completion has ended still finishes twice") {
    running_model m{ufshci_knobs{.order = completion_order::doorbell_before_is, .order_gap = 50}};
    m.next_latency(0, 10);
    m.store(at::utrldbr, 1);
    m.advance(10);
    CHECK(m.load(at::utrldbr) == 0);
    CHECK(m.load(at::is) == 0);
    m.prepare(0);
    m.next_latency(0, 10);
    m.store(at::utrldbr, 1);
    m.advance(10);
    CHECK(m.load(at::utrldbr) == 0);
    CHECK(m.finished() == 1);
    m.advance(50);
    CHECK(m.finished() == 2);
    CHECK(m.load(at::is) == cause::utrcs);
}

TEST_CASE("Stopping the list takes the second half of a completion along") {
    running_model m{ufshci_knobs{.order = completion_order::doorbell_before_is}};
    m.store(at::utrldbr, 1);
    m.finish_begin(0);
    m.store(at::utrlrsr, 0);
    CHECK_FALSE(m.finish_end(0));
    CHECK(m.load(at::is) == 0);
    CHECK(m.dropped() == 1);
}
