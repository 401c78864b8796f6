// SPDX-License-Identifier: BSL-1.0
#include <doorbell/dispatch/masking.hpp>

#include "../support/rig.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

namespace {

using namespace support;
using db::irq_result;
using db::tag;
using db::thread_result;
using tags = db::tag_set<32>;

constexpr irq_result handled_and_wake = irq_result::mine | irq_result::wake;
constexpr std::uint32_t transfer = db::ufshci::transfer;
constexpr std::uint32_t link_error = db::ufs::cause::ue;

/// The platform's mask, as the driver reaches it.
struct line_driver : plain_driver {
    unsigned masked = 0;

    void mask_line() noexcept {
        log->add("mask_line");
        ++masked;
    }

    void unmask_line() noexcept {
        log->add("unmask_line");
        --masked;
    }
};

template <class... Options>
using masking_cause = rig<db::deferred_all, plain_driver, db::statistics, db::mask_cause, Options...>;
template <class... Options>
using counting = rig<db::count_budget<1>, plain_driver, db::statistics, db::mask_cause, Options...>;
using masking_line = rig<db::deferred_all, line_driver, db::statistics, db::mask_line, db::sole_line>;

static_assert(db::on_shared_lines<db::mask_shared_line> and not db::on_shared_lines<db::mask_line>);

} // namespace

TEST_CASE("By default nothing is masked for the thread", "[inv:H4]") {
    rig<db::deferred_all> r;
    r.started();
    r.in_flight(0b1);
    r.hw.finish(0b1);
    CHECK(r.irq() == handled_and_wake);
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(r.log.take({"write"}) == lines{"write IS 1"});
}

TEST_CASE("The cause of transfers is masked once, in the section that leaves them, and unmasked once", "[inv:H4]") {
    masking_cause<links> r;
    r.started();
    std::uint32_t const wanted = r.core.enabled();
    r.in_flight(0b11);
    r.hw.finish(0b11);
    CHECK(r.irq() == handled_and_wake);
    CHECK(
        r.log.take() ==
        lines{
            "read IS", "write IS 1", "lock", "write IE " + hex(wanted & ~transfer), "barrier before_unlock", "unlock"});
    CHECK(r.core.enabled() == wanted); // what the core acts on is as it was
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(
        r.log.take() == lines{
                            "lock", "read DBR", "barrier after_done", "unlock", "response 0", "completed 0 0",
                            "response 1", "completed 1 0", "lock", "write IE " + hex(wanted), "barrier before_unlock",
                            "unlock"});
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(r.log.take({"write"}) == lines{});
}

TEST_CASE("What the budget leaves over masks the cause, what it does not leave masks nothing", "[inv:H4]") {
    counting<> r;
    r.started();
    r.in_flight(0b111);
    r.hw.finish(0b001);
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.hw.enable == transfer);
    r.hw.finish(0b110);
    CHECK(r.irq() == handled_and_wake);
    CHECK(r.hw.enable == 0);
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(r.hw.enable == transfer);
}

TEST_CASE("An entry that finds the transfers owned looks at nothing and leaves its cause for the owner", "[inv:H5]") {
    counting<> r;
    r.started();
    r.in_flight(0b111);
    r.hw.finish(0b011);
    REQUIRE(r.irq() == handled_and_wake);
    r.log.forget();
    r.hw.finish(0b100);
    CHECK(r.irq() == handled_and_wake);
    CHECK(r.log.take() == lines{"read IS", "write IS 1", "lock", "unlock"});
    CHECK(r.driver.ended[2] == 0);
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(r.driver.ended[2] == 1);
    CHECK(r.hw.enable == transfer);
}

TEST_CASE("What came while the owner worked keeps its mask, and the owner is told to run again", "[inv:H5]") {
    counting<> r;
    r.started();
    r.in_flight(0b111);
    r.hw.finish(0b011);
    REQUIRE(r.irq() == handled_and_wake);
    r.driver.on_completed = [&r](tag t) {
        if (t.index == 1) {
            r.hw.finish(0b100);
            CHECK(r.irq() == handled_and_wake);
        }
    };
    r.log.forget();
    CHECK(r.core.on_thread().again());
    CHECK(r.hw.enable == 0);
    CHECK(r.log.take({"write"}) == lines{"write IS 1"});
    CHECK(r.driver.ended[2] == 0);
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(r.driver.ended[2] == 1);
    CHECK(r.log.take({"write"}) == lines{"write IE 1"});
}

TEST_CASE("A run that began before the transfers were left does not let them go", "[inv:H5]") {
    masking_cause<links> r;
    r.started();
    r.in_flight(0b1);
    r.hw.status = link_error;
    REQUIRE(r.irq() == handled_and_wake);
    r.driver.on_handler = [&r] {
        r.hw.finish(0b1);
        CHECK(r.irq() == handled_and_wake);
    };
    // The run took its snapshot before, so it finds the cause that was left then, and runs again.
    CHECK(r.core.on_thread().again());
    CHECK((r.hw.enable & transfer) == 0);
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK((r.hw.enable & transfer) == transfer);
    CHECK(r.driver.ended[0] == 1);
}

TEST_CASE("A poll completes, and leaves the mask to the thread that was woken", "[inv:H4]") {
    masking_cause<> r;
    r.started();
    r.in_flight(0b1);
    r.hw.finish(0b1);
    REQUIRE(r.irq() == handled_and_wake);
    CHECK(r.core.poll().again());
    CHECK(r.driver.ended[0] == 1);
    CHECK(r.hw.enable == 0);
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(r.hw.enable == transfer);
}

TEST_CASE("A response that is missing keeps no mask", "[inv:H4]") {
    masking_cause<> r;
    r.started();
    r.in_flight(0b1);
    r.driver.responses[0] = db::outcome::not_written;
    r.hw.finish(0b1);
    REQUIRE(r.irq() == handled_and_wake);
    CHECK(r.core.on_thread().retry());
    CHECK(r.hw.enable == transfer);
}

TEST_CASE("While the thread owns the transfers, enable and resync write what is not held", "[inv:H4]") {
    masking_cause<> r;
    r.started();
    r.in_flight(0b1);
    r.hw.finish(0b1);
    REQUIRE(r.irq() == handled_and_wake);
    (void)r.core.enable(link_error);
    CHECK(r.hw.enable == link_error);
    r.hw.enable = 0;
    (void)r.core.resync();
    CHECK(r.hw.enable == link_error);
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(r.hw.enable == (link_error | transfer));
}

TEST_CASE("A cause that was disabled while it was held stays disabled", "[inv:H4]") {
    masking_cause<> r;
    r.started();
    r.in_flight(0b1);
    r.hw.finish(0b1);
    REQUIRE(r.irq() == handled_and_wake);
    r.core.disable(transfer);
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(r.hw.enable == 0);
}

TEST_CASE(
    "On an edge the owner looks behind its mask once more: what stands there raises no edge", "[inv:H4][inv:H5]") {
    masking_cause<db::edge_line<>> r;
    r.started();
    r.in_flight(0b11);
    r.hw.finish(0b01);
    REQUIRE(r.irq() == handled_and_wake);
    r.driver.on_completed = [&r](tag t) {
        if (t.index == 0) {
            r.hw.finish(0b10); // masked: no entry
        }
    };
    r.log.forget();
    CHECK(r.core.on_thread().again());
    CHECK(
        r.log.take() == lines{
                            "lock", "unlock", "lock", "read DBR", "barrier after_done", "unlock", "response 0",
                            "completed 0 0", "lock", "write IE 1", "barrier before_unlock", "read IS", "unlock"});
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(r.driver.ended[1] == 1);
    CHECK(r.hw.status == 0);
    CHECK(r.hw.enable == transfer);
}

TEST_CASE("The line is masked and unmasked through the driver, once each, with the lock held", "[inv:H4]") {
    masking_line r;
    r.started();
    r.in_flight(0b11);
    r.hw.finish(0b01);
    CHECK(r.irq() == handled_and_wake);
    CHECK(r.log.take() == lines{"read IS", "write IS 1", "lock", "mask_line", "unlock"});
    r.hw.finish(0b10);
    CHECK(r.irq() == handled_and_wake); // one that was on its way
    CHECK(r.driver.masked == 1);
    r.log.forget();
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(
        r.log.take({"lock", "mask_line", "unmask_line", "unlock", "completed"}) ==
        lines{"lock", "unlock", "completed 0 0", "completed 1 0", "lock", "unmask_line", "unlock"});
    CHECK(r.driver.masked == 0);
}

TEST_CASE("Whatever ends the ownership unmasks the line, once", "[inv:H4]") {
    masking_line r;
    r.started();
    r.in_flight(0b1);
    r.hw.finish(0b1);
    REQUIRE(r.irq() == handled_and_wake);
    REQUIRE(r.driver.masked == 1);
    SECTION("stop") {
        CHECK(r.core.stop().empty());
    }
    SECTION("reset") {
        CHECK(r.core.reset() == db::reset_status::done);
    }
    SECTION("gate") {
        r.core.gate();
        CHECK(r.core.enabled() == 0);
    }
    SECTION("the loss of the controller") {
        r.hw.gone = true;
        CHECK(r.irq().controller_gone());
    }
    CHECK(r.driver.masked == 0);
    r.log.forget();
    static_cast<void>(r.core.on_thread()); // was woken, and owns nothing any more
    CHECK(r.log.take({"unmask_line"}) == lines{});
    CHECK(r.driver.masked == 0);
}

TEST_CASE("No mask of an old life is left in the new one", "[inv:H4]") {
    masking_cause<> r;
    r.started();
    r.in_flight(0b1);
    r.hw.finish(0b1);
    REQUIRE(r.irq() == handled_and_wake);
    SECTION("after stop") {
        CHECK(r.core.stop().empty());
        REQUIRE(r.core.start() == db::start_status::started);
    }
    SECTION("after reset") {
        CHECK(r.core.reset() == db::reset_status::done);
        REQUIRE(r.core.start() == db::start_status::started);
    }
    SECTION("after ungate") {
        r.core.gate();
        CHECK(r.hw.enable == 0);
        (void)r.core.ungate();
    }
    CHECK(r.hw.enable == transfer);
    CHECK(r.driver.ended[0] == 1);
    REQUIRE(r.core.submit(tag{0}));
    r.hw.finish(0b1);
    CHECK(r.irq() == handled_and_wake);
    CHECK(r.hw.enable == 0);
    static_cast<void>(r.core.on_thread());
    CHECK(r.hw.enable == transfer);
}
