// SPDX-License-Identifier: BSL-1.0
#include <doorbell/dispatch/quiesce.hpp>

#include "../support/rig.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

namespace {

using namespace support;
using db::submit_status;
using db::tag;
using db::wait_status;
using tags = db::tag_set<32>;
using limit = db::deadline<std::uint64_t>;

constexpr std::uint32_t link_error = db::ufs::cause::ue;

/// A driver whose pause lets the time, or the device, go on.
struct pausing_driver : plain_driver {
    unsigned pauses = 0;
    std::function<void()> on_pause{};

    void pause() noexcept {
        note("pause");
        ++pauses;
        if (on_pause) {
            on_pause();
        }
    }
};

using plain = rig<>;
using pausing = rig<db::inline_all, pausing_driver, db::statistics, links>;

} // namespace

TEST_CASE("While submissions are blocked nothing is rung, and what is in flight completes", "[inv:Q1]") {
    plain r;
    r.started();
    r.in_flight(0b1);
    r.core.block();
    CHECK(r.core.submit(tag{1}).status() == submit_status::blocked);
    CHECK(r.core.submit(tags{0b110}).status() == submit_status::blocked);
    CHECK(r.core.submit(tags{}).status() == submit_status::blocked);
    CHECK(r.log.take({"write"}) == lines{});
    r.hw.finish(0b1);
    CHECK(r.irq().handled());
    CHECK(r.driver.ended[0] == 1);
    r.core.unblock();
    CHECK(r.core.submit(tag{1}));
}

TEST_CASE("Blocks nest, and an unblock too many opens nothing twice", "[inv:Q1]") {
    plain r;
    r.started();
    r.core.block();
    r.core.block();
    r.core.unblock();
    CHECK(r.core.submit(tag{1}).status() == submit_status::blocked);
    r.core.unblock();
    CHECK(r.core.submit(tag{1}));
    r.core.unblock(); // nobody had blocked
    r.core.block();
    CHECK(r.core.submit(tag{2}).status() == submit_status::blocked);
}

TEST_CASE("A reserved tag goes while others are blocked", "[inv:Q1]") {
    plain r;
    REQUIRE(
        r.core.start({.usable = tags::all(), .reserved = tags{0x8000'0000U}, .causes = db::ufshci::transfer}) ==
        db::start_status::started);
    r.core.block();
    r.log.forget();
    CHECK(r.core.submit_reserved(tag{31}));
    CHECK(r.core.submit_reserved(tag{1}).status() == submit_status::out_of_range);
    CHECK(r.log.take({"write"}) == lines{"write DBR 80000000"});
}

TEST_CASE("What a callback submits behind a block is refused, so a drain ends", "[inv:Q1]") {
    plain r;
    r.started();
    r.in_flight(0b1);
    r.hw.finish(0b1);
    submit_status answer = submit_status::accepted;
    r.driver.on_completed = [&](tag t) { answer = r.core.submit(t).status(); };
    r.core.block();
    CHECK(r.core.drain(limit::after(1000, 100)) == wait_status::done);
    CHECK(answer == submit_status::blocked);
    CHECK(r.core.outstanding().empty());
}

TEST_CASE("drain completes until nothing is in flight, and pauses between two looks without the lock", "[inv:Q1]") {
    pausing r;
    r.started();
    r.in_flight(0b11);
    r.driver.on_pause = [&r] { r.hw.finish(r.driver.pauses == 1 ? 0b01U : 0b10U); };
    CHECK(r.core.drain(db::unlimited{}) == wait_status::done);
    CHECK(r.log.take({"pause", "completed"}) == lines{"pause", "completed 0 0", "pause", "completed 1 0"});
    CHECK(r.driver.ended[0] + r.driver.ended[1] == 2);
}

TEST_CASE("drain ends with its limit, and what is in flight stays so", "[inv:Q1]") {
    pausing r;
    r.started();
    r.in_flight(0b11);
    r.driver.on_pause = [&r] { r.time.advance(60); };
    CHECK(r.core.drain(limit::after(1000, 100)) == wait_status::timed_out);
    CHECK(r.driver.pauses == 2);
    CHECK(r.core.outstanding() == tags{0b11});
}

TEST_CASE("drain waits for what lags, too", "[inv:Q1]") {
    pausing r;
    r.started();
    r.in_flight(0b1);
    r.driver.responses[0] = db::outcome::not_written;
    r.hw.finish(0b1);
    r.driver.on_pause = [&r] { r.driver.responses[0] = db::outcome::success; };
    CHECK(r.core.drain(limit::after(1000, 100)) == wait_status::done);
    CHECK(r.driver.pauses == 1);
    CHECK(r.driver.ended[0] == 1);
}

TEST_CASE("An error of the controller ends no drain", "[inv:Q1]") {
    pausing r;
    r.started();
    r.in_flight(0b1);
    r.hw.status = link_error;
    r.driver.on_pause = [&r] { r.hw.finish(0b1); };
    CHECK(r.core.drain(limit::after(1000, 100)) == wait_status::done);
}

TEST_CASE("A drain of a core that does not run says so at once, unless nothing is in flight", "[inv:Q1]") {
    plain r;
    CHECK(r.core.drain(limit::after(1000, 100)) == wait_status::done);
    r.started();
    r.in_flight(0b1);
    r.core.gate();
    r.log.forget();
    CHECK(r.core.drain(limit::after(1000, 100)) == wait_status::error);
    CHECK(r.log.take({"read", "write"}) == lines{});
}

TEST_CASE("A wait looks once, even when its limit has passed, and completes what it finds") {
    plain r;
    r.started();
    r.in_flight(0b1);
    r.hw.finish(0b1);
    CHECK(r.core.wait(limit{900}, [&r] { return r.driver.ended[0] == 1; }) == wait_status::done);
    CHECK(r.time.reads() == 0);
    CHECK(r.core.wait(limit{900}, [] { return false; }) == wait_status::timed_out);
}

TEST_CASE("A wait ends on an error that stands, or that waits for the thread, and takes it from nobody") {
    pausing r;
    r.started();
    SECTION("standing, since its cause is masked") {
        r.core.disable(link_error);
        r.hw.status = link_error;
        CHECK(r.core.wait(db::unlimited{}, [] { return false; }) == wait_status::error);
        CHECK(r.hw.status == link_error);
    }
    SECTION("recorded") {
        r.hw.status = link_error;
        REQUIRE(r.irq().wake_thread());
        CHECK(r.core.wait(db::unlimited{}, [] { return false; }) == wait_status::error);
        r.log.forget();
        static_cast<void>(r.core.on_thread());
        CHECK(r.log.take({"sleeping"}) == lines{"sleeping 4"});
    }
}

TEST_CASE("While gated no register is touched, whatever is asked", "[inv:P1]") {
    plain r;
    r.started();
    r.in_flight(0b11);
    r.hw.finish(0b01);
    r.core.gate();
    CHECK(
        r.log.take() ==
        lines{"lock", "write IE 0", "barrier before_unlock", "unlock", "synchronize"}); // no line stays up
    CHECK(r.irq() == db::irq_result::none);
    CHECK(r.core.submit(tag{5}).status() == submit_status::gated);
    CHECK(r.core.submit(tags{}).status() == submit_status::gated);
    CHECK(r.core.on_thread() == db::thread_result::idle);
    CHECK(r.core.poll() == db::thread_result::idle);
    CHECK(r.core.expire_tags(tags::all()).empty());
    (void)r.core.enable(link_error);
    r.core.disable(db::ufshci::transfer);
    (void)r.core.resync();
    r.core.gate();
    CHECK(r.core.start() == db::start_status::already_started);
    CHECK(r.log.take({"read", "write", "response", "completed"}) == lines{});
    CHECK(r.core.outstanding() == tags{0b11});
    CHECK(r.core.enabled() == 0);
}

TEST_CASE("gate waits for who is inside, when interrupts find the core inert already", "[inv:P1]") {
    plain r;
    r.started();
    r.driver.on_synchronize = [&r] {
        r.hw.status = 1;
        CHECK(r.irq() == db::irq_result::none);
        CHECK_FALSE(r.watch.held());
    };
    r.core.gate();
    CHECK(r.log.take({"read", "write", "synchronize"}) == lines{"write IE 0", "synchronize"});
}

TEST_CASE("ungate programs the controller anew, opens it, and looks what finished", "[inv:P1]") {
    plain r;
    r.started();
    r.in_flight(0b11);
    r.core.gate();
    r.hw.enable = 0; // what the loss of power did
    r.hw.finish(0b01);
    r.log.forget();
    (void)r.core.ungate();
    CHECK(
        r.log.take() == lines{
                            "lock", "write IE 1", "barrier before_unlock", "unlock", "lock", "read DBR",
                            "barrier after_done", "unlock", "response 0", "completed 0 0"});
    CHECK(r.core.outstanding() == tags{0b10});
    CHECK(r.core.enabled() == db::ufshci::transfer);
    CHECK(r.core.submit(tag{5}));
}

TEST_CASE("What is claimed already completes while gated, since that touches no register", "[inv:P1]") {
    rig<db::count_budget<1>> r;
    r.started();
    r.in_flight(0b11);
    r.hw.finish(0b11);
    REQUIRE(r.irq().wake_thread());
    r.core.gate();
    r.log.forget();
    CHECK(r.core.on_thread() == db::thread_result::idle);
    CHECK(r.log.take({"read", "write", "completed"}) == lines{"completed 1 0"});
}

TEST_CASE("ungate of a core that is not gated, and gate of one that does not run, do nothing", "[inv:P1]") {
    plain r;
    r.core.gate();
    (void)r.core.ungate();
    CHECK(r.core.submit(tag{1}).status() == submit_status::not_started);
    r.started();
    (void)r.core.ungate();
    CHECK(r.log.take({"read", "write"}) == lines{});
    CHECK(r.core.enabled() == db::ufshci::transfer);
}

TEST_CASE("ungate tells what is left for the thread", "[inv:P1][inv:H1]") {
    plain r;
    r.started();
    r.in_flight(0b1);
    r.core.gate();
    r.driver.responses[0] = db::outcome::not_written;
    r.hw.finish(0b1);
    CHECK(r.core.ungate() == db::thread_result::lagging);
    CHECK(r.core.leftover() == tags{0b1});
}

TEST_CASE("On an edge ungate acknowledges and serves what stands: its edge came while nobody looked", "[inv:P1]") {
    rig<db::inline_all, plain_driver, db::statistics, links, db::edge_line<>> r;
    r.started();
    r.in_flight(0b1);
    r.core.gate();
    r.hw.finish(0b1);
    r.hw.status = db::ufshci::transfer | link_error;
    r.log.forget();
    CHECK(r.core.ungate() == db::thread_result::idle);
    CHECK(r.driver.ended[0] == 1);
    CHECK(r.hw.status == 0);
    CHECK(r.log.take({"sleeping"}).size() == 1);
}

TEST_CASE("A block outlives a stop, a reset and the next start", "[inv:Q1]") {
    plain r;
    r.started();
    r.core.block();
    static_cast<void>(r.core.stop());
    CHECK(r.core.submit(tag{1}).status() == submit_status::not_started);
    REQUIRE(r.core.start() == db::start_status::started);
    CHECK(r.core.submit(tag{1}).status() == submit_status::blocked);
    CHECK(r.core.reset() == db::reset_status::done);
    REQUIRE(r.core.start() == db::start_status::started);
    CHECK(r.core.submit(tag{1}).status() == submit_status::blocked);
    r.core.unblock();
    CHECK(r.core.submit(tag{1}));
}

TEST_CASE("A block outlives the gate", "[inv:Q1][inv:P1]") {
    plain r;
    r.started();
    r.core.block();
    r.core.gate();
    CHECK(r.core.submit(tag{1}).status() == submit_status::gated);
    (void)r.core.ungate();
    CHECK(r.core.submit(tag{1}).status() == submit_status::blocked);
    r.core.unblock();
    CHECK(r.core.submit(tag{1}));
}
