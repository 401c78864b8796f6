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
