// SPDX-License-Identifier: BSL-1.0
#include "strict_model.hpp"

#include <doorbell/controllers/ufshci/registers.hpp>
#include <doorbell/registers/operations.hpp>
#include <doorbell/testing/expectation.hpp>

namespace at = doorbell::ufs::offset;
namespace cause = doorbell::ufs::cause;
namespace ufs = doorbell::ufs;
using namespace doorbell::testing;

TEST_CASE("A bank is a handle: accesses through copies of it reach the same model") {
    running_model m;
    model_bank bank{m};
    model_bank copy = bank;
    doorbell::write<ufs::ie>(copy, cause::utrcs);
    doorbell::ring<ufs::utrldbr>(bank, 1);
    CHECK(expect(m.log()).exactly(
        {write_of(at::ie, 1), note_of(access_kind::before_doorbell), write_of(at::utrldbr, 1)}));
    m.finish(0);
    doorbell::acknowledge<ufs::is>(bank, doorbell::read<ufs::is>(copy));
    CHECK_FALSE(m.line());
    bank.after_done();
    bank.before_unlock();
    CHECK(expect(m.log()).in_order({note_of(access_kind::after_done), note_of(access_kind::before_unlock)}));
}

TEST_CASE("Accesses are counted per register and in all") {
    running_model m;
    (void)m.load(at::is);
    (void)m.load(at::is);
    m.store(at::ie, 1);
    CHECK(m.reads(at::is) == 2);
    CHECK(m.writes(at::ie) == 1);
    CHECK(m.reads() == 2);
    CHECK(m.writes() == 1);
    CHECK(m.peek(at::ie) == 1);
    CHECK(m.reads() == 2);
    m.clear_counts();
    CHECK(m.reads() + m.writes() == 0);
}

TEST_CASE("A copy goes its own way") {
    running_model m;
    m.store(at::utrldbr, 1);
    ufshci_model other = m;
    other.finish(0);
    CHECK(m.load(at::utrldbr) == 1);
    CHECK(other.load(at::utrldbr) == 0);
}

TEST_CASE("Posted writes land with the next read of the bank, in order [inv:R4]", "[inv:R4]") {
    running_model m{ufshci_knobs{.posted_writes = true}};
    m.store(at::ie, cause::utrcs);
    m.store(at::utrldbr, 1);
    CHECK(m.peek(at::utrldbr) == 0);
    CHECK(m.load(at::ver) == 0x400);
    CHECK(m.peek(at::utrldbr) == 1);
    CHECK(m.peek(at::ie) == cause::utrcs);
}

TEST_CASE("A posted write lands by itself after its delay") {
    running_model m{ufshci_knobs{.posted_writes = true, .posted_delay = 50}};
    m.store(at::utrldbr, 1);
    m.advance(49);
    CHECK(m.peek(at::utrldbr) == 0);
    m.advance(1);
    CHECK(m.peek(at::utrldbr) == 1);
}

TEST_CASE("On a weak bus only a read of the same register pushes, and what was written before it") {
    running_model m{ufshci_knobs{.posted_writes = true, .weak_bus = true}};
    m.store(at::ie, cause::utrcs);
    m.store(at::utrldbr, 1);
    m.store(at::ucmdarg1, 7);
    (void)m.load(at::ver);
    CHECK(m.peek(at::ie) == 0);
    CHECK(m.load(at::utrldbr) == 1);
    CHECK(m.peek(at::ie) == cause::utrcs);
    CHECK(m.peek(at::ucmdarg1) == 0);
}

TEST_CASE("More posted writes than the bus holds push the first ones") {
    running_model m{ufshci_knobs{.posted_writes = true}};
    for (std::uint32_t i = 1; i <= 200; ++i) {
        m.store(at::ucmdarg1, i);
    }
    CHECK(m.peek(at::ucmdarg1) == 200 - 64);
    CHECK(m.load(at::ucmdarg1) == 200);
}

TEST_CASE("A controller that is gone reads all ones and takes no write [inv:D4]", "[inv:D4]") {
    running_model m;
    m.next_latency(0, 10);
    m.store(at::utrldbr, 1);
    m.gone();
    CHECK(m.load(at::is) == 0xFFFFFFFF);
    CHECK(m.load(at::hcs) == 0xFFFFFFFF);
    m.store(at::ie, 1);
    m.advance(100);
    m.back();
    CHECK(m.load(at::ie) == 0);
    CHECK(m.load(at::utrldbr) == 1);
}

TEST_CASE("It can go at a chosen access, and so can its clock") {
    running_model gone{ufshci_knobs{.gone_after = 3}};
    CHECK(gone.load(at::ver) == 0x400);
    gone.store(at::ie, 1);
    CHECK(gone.load(at::ver) == 0xFFFFFFFF);
    gone.store(at::ie, 3);
    CHECK(gone.peek(at::ie) == 1);
    running_model gated{ufshci_knobs{.clock_off_after = 2}};
    CHECK(gated.load(at::ver) == 0x400);
    CHECK(gated.load(at::ver) == 0);
    running_model now;
    now.clock_off();
    CHECK(now.load(at::ver) == 0);
}

TEST_CASE("Illegal accesses are found and harm nothing") {
    ufshci_model m;
    CHECK(m.load(0x21) == 0);
    m.store(0x22, 1);
    CHECK(m.errors().count(driver_error::misaligned) == 2);
    CHECK(m.load(0x2000) == 0);
    m.store(~std::size_t{3}, 1);
    CHECK(m.errors().count(driver_error::outside) == 2);
    (void)m.load(0x28);
    m.store(0x6C, 1);
    CHECK(m.errors().count(driver_error::unknown_register) == 2);
    for (std::size_t const offset :
         {at::cap, at::mcqcap, at::ver, at::ext_cap, at::hcpid, at::hcmid, at::hcsext, at::hcs, at::uecpa, at::uecdl,
          at::uecn, at::uect, at::uecdme, at::ccap}) {
        std::uint32_t const before = m.peek(offset);
        m.store(offset, ~before);
        CHECK(m.peek(offset) == before);
    }
    CHECK(m.errors().count(driver_error::write_read_only) == 14);
}

TEST_CASE("Access while none is allowed is found") {
    ufshci_model m;
    m.forbid_access();
    (void)m.load(at::is);
    m.store(at::ie, 1);
    CHECK(m.errors().count(driver_error::forbidden) == 2);
    m.allow_access();
    (void)m.load(at::is);
    CHECK(m.errors().total() == 2);
}

TEST_CASE("An error calls back at once, with text that names register and value") {
    struct heard {
        unsigned count = 0;
        std::string text{};
    } h;

    ufshci_model m;
    m.errors().on_error(
        [](void* context, found_error const& e) noexcept {
            auto& to = *static_cast<heard*>(context);
            ++to.count;
            to.text = e.text();
        },
        &h);
    m.advance(120);
    m.store(at::hcs, 1);
    CHECK(h.count == 1);
    CHECK(h.text == "write to a read-only register: HCS, value 0x00000001, at t=120");
}

TEST_CASE("Time only moves forward, and far") {
    running_model m;
    m.advance(10);
    m.advance_to(5);
    CHECK(m.now() == 10);
    m.next_latency(0, ~std::uint64_t{0} - 1);
    m.store(at::utrldbr, 1);
    m.advance(~std::uint64_t{0});
    CHECK(m.load(at::utrldbr) == 0);
}

TEST_CASE("An edge between acknowledge and return gives no new pulse of a line that never fell [U.A15]", "[U.A15]") {
    running_model m{ufshci_knobs{.line = line_kind::edge_line}};
    m.store(at::ie, cause::utrcs | cause::utmrcs);
    m.raise(cause::utrcs);
    REQUIRE(m.take_pulse());
    std::uint32_t const first = m.load(at::is);
    m.raise(cause::utmrcs);
    m.store(at::is, first);
    CHECK_FALSE(m.take_pulse());
    CHECK(m.load(at::is) == cause::utmrcs); // only reading again finds it
}

TEST_CASE("A spurious cause stands although nothing happened") {
    running_model m;
    m.store(at::ie, cause::all);
    m.raise(cause::sbfes | cause::ulss);
    CHECK(m.line());
    CHECK(m.load(at::is) == (cause::sbfes | cause::ulss));
    CHECK(m.load(at::utrldbr) == 0);
}

TEST_CASE("The log has as much room as asked for, or none") {
    strict_model small{ufshci_knobs{.log_entries = 2}};
    for (int i = 0; i < 5; ++i) {
        (void)small.load(at::is);
    }
    CHECK(small.log().size() == 2);
    CHECK(small.log().total() == 5);
    strict_model off{ufshci_knobs{.log_entries = 0}};
    (void)off.load(at::is);
    CHECK(off.log().total() == 0);
}

TEST_CASE("Without memory the device touches none, and tells its status directly") {
    running_model m{ufshci_knobs{.memory_bytes = 0, .check_descriptors = false}};
    CHECK(m.descriptor(0) == nullptr);
    m.store(at::utrldbr, 1);
    CHECK(m.ocs(0) == doorbell::ufs::ocs::not_written);
    m.finish(0, doorbell::ufs::ocs::aborted);
    CHECK(m.ocs(0) == doorbell::ufs::ocs::aborted);
}
