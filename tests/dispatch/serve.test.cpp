// SPDX-License-Identifier: BSL-1.0
#include <doorbell/dispatch/serve.hpp>

#include "../support/rig.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

namespace {

using namespace support;
using db::irq_result;
using db::tag;
using db::thread_result;

constexpr std::uint32_t link_error = db::ufs::cause::ue;
constexpr irq_result handled_and_wake = irq_result::mine | irq_result::wake;

using plain = rig<>;
template <unsigned Count>
using counted = rig<db::count_budget<Count>>;
using deferring = rig<db::deferred_all>;
using tags = plain::tags;

void idle_loop() {}

/// A driver whose completions may sleep: for deferred_all only.
struct sleeping_driver : plain_driver {
    void completed(db::claimed<db::thread_context> won, db::outcome) noexcept { ++ended[won.index()]; }
};

/// A driver that counts the looks at its response.
template <class Rig>
unsigned completed_in(Rig& r) {
    unsigned sum = 0;
    for (unsigned const each : r.driver.ended) {
        sum += each;
    }
    return sum;
}

} // namespace

TEST_CASE("deferred_all does not look at the doorbell in the hard handler, and always wakes", "[inv:B1]") {
    deferring r;
    r.started();
    r.in_flight(0b11);
    r.hw.finish(0b11);
    CHECK(r.irq() == handled_and_wake);
    CHECK(r.log.take() == lines{"read IS", "write IS 1", "lock", "unlock"});
    r.hw.status = 1; // a poller may have been faster: it wakes all the same
    CHECK(r.irq() == handled_and_wake);
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(completed_in(r) == 2);
}

TEST_CASE("Every entry completes at least one request", "[inv:B1]") {
    rig<db::time_budget<1>> r;
    r.started();
    r.in_flight(0b111);
    r.hw.finish(0b111);
    r.driver.on_completed = [&r](tag) { r.time.advance(1'000'000); };
    CHECK(r.irq() == handled_and_wake);
    CHECK(completed_in(r) == 1);
    CHECK(r.core.leftover() == tags{0b110});
}

TEST_CASE("The hard handler reads no clock for a batch of one, nor for none", "[inv:B1]") {
    rig<db::time_budget<1000>> r;
    r.started();
    r.in_flight(0b1);
    r.hw.status = 1;
    static_cast<void>(r.irq());
    CHECK(r.time.reads() == 0);
    r.hw.finish(0b1);
    static_cast<void>(r.irq());
    CHECK(completed_in(r) == 1);
    CHECK(r.time.reads() == 0);
}

TEST_CASE("The thread has no budget", "[inv:B1]") {
    counted<1> r;
    r.started();
    r.in_flight(0xFFFF'FFFF);
    r.hw.finish(0xFFFF'FFFF);
    CHECK(r.irq() == handled_and_wake);
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(completed_in(r) == 32);
}

TEST_CASE("What the budget leaves is state of the core", "[inv:H1]") {
    counted<1> r;
    r.started();
    r.in_flight(0b111);
    r.hw.finish(0b111);
    CHECK(r.irq() == handled_and_wake);
    CHECK(r.core.leftover() == tags{0b110});
    CHECK(r.core.outstanding().empty());
    r.hw.status = 0; // the event register knows nothing of it any more
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(completed_in(r) == 3);
    CHECK(r.core.leftover().empty());
}

TEST_CASE("A poll completes the leftover, too", "[inv:H1]") {
    counted<1> r;
    r.started();
    r.in_flight(0b11);
    r.hw.finish(0b11);
    static_cast<void>(r.irq());
    static_cast<void>(r.core.poll());
    CHECK(r.driver.ended[1] == 1);
    CHECK(r.core.leftover().empty());
}

TEST_CASE("A poll leaves recorded causes to the thread and says that they wait", "[inv:H1]") {
    rig<db::inline_all, plain_driver, db::statistics, links> r;
    r.started();
    r.hw.status = link_error;
    REQUIRE(r.irq().wake_thread());
    CHECK(r.core.poll().again());
    CHECK(r.log.take({"sleeping"}) == lines{});
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(r.log.take({"sleeping"}) == lines{"sleeping 4"});
}

TEST_CASE("A leftover wakes and no leftover does not", "[inv:H2]") {
    counted<2> r;
    r.started();
    r.in_flight(0b111);
    r.hw.finish(0b011);
    CHECK(r.irq() == irq_result::mine); // exactly the budget: nothing is left
    CHECK(r.log.take({"lock"}) == lines{"lock"});
    CHECK(r.core.submit(tags{0b011}));
    r.hw.finish(0b111);
    CHECK(r.irq() == handled_and_wake);
}

TEST_CASE("An entry that leaves something wakes again, though a wake is pending", "[inv:H2]") {
    counted<1> r;
    r.started();
    r.in_flight(0b1111);
    r.hw.finish(0b0011);
    CHECK(r.irq() == handled_and_wake);
    r.hw.finish(0b1100);
    CHECK(r.irq() == handled_and_wake);
}

TEST_CASE("The next entry joins the leftover and completes each tag once", "[inv:H2]") {
    counted<2> r;
    r.started();
    r.in_flight(0b0111);
    r.hw.finish(0b0111);
    CHECK(r.irq() == handled_and_wake);
    CHECK(r.core.leftover() == tags{0b0100});
    r.hw.status = 1;
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.driver.ended[2] == 1);
    CHECK(r.core.leftover().empty());
    CHECK(r.core.on_thread() == thread_result::idle); // woken for nothing, which is harmless
    CHECK(completed_in(r) == 3);
}

TEST_CASE("A wake is sticky: one that comes while the thread works makes it run again", "[inv:H3]") {
    rig<db::inline_all, plain_driver, db::statistics, links> r;
    r.started();
    r.hw.status = link_error;
    REQUIRE(r.irq().wake_thread());
    r.driver.on_handler = [&r] {
        r.driver.on_handler = nullptr;
        r.hw.status = link_error;
        CHECK(r.irq().wake_thread());
    };
    CHECK(r.core.on_thread().again());
    CHECK_FALSE(r.core.on_thread().again());
    CHECK(r.log.take({"sleeping"}) == lines{"sleeping 4", "sleeping 4"});
}

TEST_CASE("The thread's wake is cleared before it works, in the section that takes the work", "[inv:H3]") {
    counted<1> r;
    r.started();
    r.in_flight(0b111);
    r.hw.finish(0b011);
    REQUIRE(r.irq().wake_thread());
    // An interrupt after the thread's claim: its leftover is new, and the thread must look again.
    r.driver.on_completed = [&r](tag t) {
        if (t.index == 1) {
            r.driver.on_completed = nullptr;
            REQUIRE(r.core.submit(tags{0b011}));
            r.hw.finish(0b111);
            CHECK(r.irq().wake_thread());
        }
    };
    CHECK(r.core.on_thread().again());
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(completed_in(r) == 5);
    CHECK(r.core.leftover().empty());
    CHECK(r.core.outstanding().empty());
}

TEST_CASE("A thread that finds nothing to do may sleep", "[inv:H3]") {
    plain r;
    r.started();
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(r.log.take() == lines{"lock", "read DBR", "barrier after_done", "unlock"});
}

TEST_CASE("A callback that submits what finishes at once does not lengthen its run", "[inv:H6]") {
    plain r;
    r.started();
    r.driver.on_completed = [&r](tag t) {
        if (completed_in(r) < 100) {
            REQUIRE(r.core.submit(t));
            r.hw.finish(1U << t.index);
        }
    };
    r.in_flight(0b11);
    r.hw.finish(0b11);
    SECTION("in the hard handler") {
        CHECK(r.irq() == irq_result::mine);
        CHECK(completed_in(r) == 2);
    }
    SECTION("in the thread") {
        static_cast<void>(r.core.on_thread());
        CHECK(completed_in(r) == 2);
    }
    CHECK(r.hw.status == 1);
}

TEST_CASE("No callback runs under the lock, in any context", "[inv:T3]") {
    rig<db::count_budget<1>, plain_driver, db::statistics, links> r;
    r.started();
    r.in_flight(0b11);
    bool held = false;
    r.driver.on_completed = [&](tag) { held = held or r.watch.held(); };
    r.driver.on_handler = [&] { held = held or r.watch.held(); };
    r.hw.finish(0b11);
    r.hw.status |= link_error | db::ufs::cause::uccs;
    static_cast<void>(r.irq());
    static_cast<void>(r.core.on_thread());
    CHECK(completed_in(r) == 2);
    CHECK_FALSE(held);
    CHECK(r.watch.errors() == 0);
}

TEST_CASE("A callback may submit the same tag, poll, and be interrupted", "[inv:T3]") {
    plain r;
    r.started();
    r.in_flight(0b11);
    bool was_outstanding = true;
    bool accepted = false;
    r.driver.on_completed = [&](tag t) {
        if (t.index == 0 and r.driver.ended[0] == 1) {
            was_outstanding = r.core.outstanding().contains(t);
            accepted = static_cast<bool>(r.core.submit(t));
            r.hw.finish(0b1);
            static_cast<void>(r.core.poll()); // completes the new request of tag 0 here
        }
    };
    r.hw.finish(0b11);
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK_FALSE(was_outstanding);
    CHECK(accepted);
    CHECK(r.driver.ended[0] == 2);
    CHECK(r.driver.ended[1] == 1);
    CHECK(r.watch.errors() == 0);
}

TEST_CASE("A tag whose callback still waits in a running batch is busy", "[inv:T2]") {
    plain r;
    r.started();
    r.in_flight(0b11);
    db::submit_status answer = db::submit_status::accepted;
    r.driver.on_completed = [&](tag t) {
        if (t.index == 0) {
            answer = r.core.submit(tag{1}).status();
        }
    };
    r.hw.finish(0b11);
    static_cast<void>(r.irq());
    CHECK(answer == db::submit_status::busy);
    CHECK(r.driver.ended[1] == 1);
    CHECK(r.core.outstanding().empty());
}

TEST_CASE("The claim's lock section is one read and does not grow with what has finished", "[inv:T4]") {
    for (std::uint32_t const slots : {0x1U, 0xFFU, 0xFFFF'FFFFU}) {
        plain r;
        r.started();
        r.in_flight(slots);
        r.hw.finish(slots);
        static_cast<void>(r.irq());
        CHECK(
            r.log.take({"lock", "unlock", "read", "barrier"}) ==
            lines{"read IS", "lock", "read DBR", "barrier after_done", "unlock"});
    }
}

TEST_CASE("The response is read after the claim and its barrier, without the lock", "[inv:T11]") {
    plain r;
    r.started();
    r.in_flight(0b1);
    r.hw.finish(0b1);
    static_cast<void>(r.irq());
    CHECK(
        r.log.take({"read", "barrier", "unlock", "response", "completed"}) ==
        lines{"read IS", "read DBR", "barrier after_done", "unlock", "response 0", "completed 0 0"});
}

TEST_CASE("Memory is handed back to the processor before the response is read", "[inv:R5]") {
    surroundings<plain_driver> s;
    db::host<
        db::ufshci, plain_driver, small_bank, db::testing::manual_clock<>, db::inline_all, db::testing::checking_lock,
        db::dma_by<recording_dma>>
        core{s.driver, s.hw, s.time, s.watch, {}, recording_dma{s.log}};
    REQUIRE(core.start() == db::start_status::started);
    REQUIRE(core.submit(tags{0b11}));
    s.hw.finish(0b11);
    s.log.forget();
    static_cast<void>(core.on_hard_irq());
    CHECK(
        s.log.take({"barrier", "for_cpu", "response"}) ==
        lines{"barrier after_done", "for_cpu 0", "response 0", "for_cpu 1", "response 1"});
}

TEST_CASE("A tag without a response lags: it wakes once, and each later interrupt looks again", "[inv:T11]") {
    plain r;
    r.started();
    r.in_flight(0b1);
    r.driver.responses[0] = db::outcome::not_written;
    r.hw.finish(0b1);
    CHECK(r.irq() == handled_and_wake);
    CHECK(completed_in(r) == 0);
    CHECK(r.core.leftover() == tags{0b1});
    CHECK(r.core.observer().counts().lags == 1);

    r.hw.status = 1;
    CHECK(r.irq() == irq_result::mine); // looked again, woke nobody
    CHECK(r.core.observer().counts().lags == 2);

    r.driver.responses[0] = db::outcome{0x7};
    r.hw.status = 1;
    r.log.forget();
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.log.take({"completed"}) == lines{"completed 0 7"});
    CHECK(r.core.leftover().empty());
}

TEST_CASE("A thread that is left with lagging tags only says retry", "[inv:T11]") {
    plain r;
    r.started();
    r.in_flight(0b11);
    r.driver.responses[1] = db::outcome::not_written;
    r.hw.finish(0b11);
    REQUIRE(r.irq().wake_thread());
    CHECK(r.core.on_thread().retry());
    CHECK_FALSE(r.core.on_thread().again());
    CHECK(r.core.poll().retry());
    r.driver.responses[1] = db::outcome::success;
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(r.driver.ended[1] == 1);
}

TEST_CASE("A poll that finds a response missing first leaves the wake to the interrupt that follows", "[inv:T11]") {
    plain r;
    r.started();
    r.in_flight(0b1);
    r.driver.responses[0] = db::outcome::not_written;
    r.hw.finish(0b1);
    CHECK(r.core.poll().retry()); // the poller may look again, or forget it
    CHECK(r.core.poll().retry());
    CHECK(r.irq() == handled_and_wake);
    r.hw.status = 1;
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.core.on_thread().retry());
}

TEST_CASE("A tag that lags in the thread first does not wake for it in the next interrupt", "[inv:T11]") {
    deferring r;
    r.started();
    r.in_flight(0b1);
    r.driver.responses[0] = db::outcome::not_written;
    r.hw.finish(0b1);
    REQUIRE(r.irq().wake_thread());
    CHECK(r.core.on_thread().retry());
    CHECK(r.core.leftover() == tags{0b1});
}

TEST_CASE("A lagging tag is in use: it cannot be submitted", "[inv:T11]") {
    plain r;
    r.started();
    r.in_flight(0b1);
    r.driver.responses[0] = db::outcome::not_written;
    r.hw.finish(0b1);
    static_cast<void>(r.irq());
    CHECK(r.core.submit(tag{0}).status() == db::submit_status::busy);
}

TEST_CASE("What hardware reports and nobody issued is counted and completes nobody", "[inv:T6]") {
    plain r;
    r.hw.capability = 3;
    r.started();
    r.in_flight(0b1);
    r.hw.doorbell |= 0x8000'0010;
    r.hw.finish(0b1);
    CHECK(r.irq() == irq_result::mine);
    CHECK(completed_in(r) == 1);
    CHECK(r.core.observer().counts().fault.unknown == 2);
    static_cast<void>(r.core.poll());
    CHECK(r.core.observer().counts().fault.unknown == 4);
    CHECK(completed_in(r) == 1);
}

TEST_CASE("A tag that is being reset is not counted as unknown", "[inv:T6]") {
    plain r;
    r.started();
    r.in_flight(0b11);
    r.hw.stuck = true;
    CHECK(r.core.reset() == db::reset_status::controller_stuck);
    static_cast<void>(r.core.poll());
    CHECK(r.core.observer().counts().fault.unknown == 0);
}

TEST_CASE("Without threads the hard handler completes everything, whatever the budget", "[inv:D7]") {
    SECTION("under a count budget") {
        counted<1> r;
        r.started();
        (void)r.core.threads_unavailable();
        r.in_flight(0xFF);
        r.hw.finish(0xFF);
        CHECK(r.irq() == irq_result::mine);
        CHECK(completed_in(r) == 8);
        CHECK(r.core.leftover().empty());
        (void)r.core.threads_available();
        REQUIRE(r.core.submit(tags{0xFF}));
        r.hw.finish(0xFF);
        CHECK(r.irq() == handled_and_wake);
        CHECK(completed_in(r) == 9);
    }
    SECTION("under deferred_all") {
        deferring r;
        r.started();
        (void)r.core.threads_unavailable();
        r.in_flight(0xFF);
        r.hw.finish(0xFF);
        CHECK(r.irq() == irq_result::mine);
        CHECK(completed_in(r) == 8);
        (void)r.core.threads_available();
        REQUIRE(r.core.submit(tags{0xFF}));
        r.hw.finish(0xFF);
        CHECK(r.irq() == handled_and_wake);
        CHECK(completed_in(r) == 8);
    }
}

TEST_CASE(
    "When threads are there again, the verb tells whether one has to run: its wake was asked of nobody", "[inv:H2]") {
    SECTION("for nothing") {
        counted<1> r;
        r.started();
        CHECK(r.core.threads_unavailable() == thread_result::idle);
        CHECK(r.core.threads_available() == thread_result::idle);
    }
    SECTION("for a recorded cause") {
        rig<db::inline_all, plain_driver, db::statistics, links> r;
        r.started();
        CHECK(r.core.threads_unavailable<db::drained_by<&idle_loop>>() == thread_result::idle);
        r.hw.status = db::ufs::cause::ue;
        CHECK(r.irq() == handled_and_wake);
        CHECK(r.core.threads_available() == thread_result::more);
        CHECK(r.core.on_thread() == thread_result::idle);
        CHECK(r.log.take({"sleeping"}).size() == 1);
        CHECK(r.core.threads_available() == thread_result::idle);
    }
    SECTION("for what was parked when they went") {
        counted<1> r;
        r.started();
        r.in_flight(0b11);
        r.hw.finish(0b11);
        CHECK(r.irq() == handled_and_wake);
        CHECK(r.core.threads_unavailable() == thread_result::more);
        CHECK(r.core.threads_available() == thread_result::more);
        CHECK(r.core.on_thread() == thread_result::idle);
        CHECK(r.driver.ended[1] == 1);
    }
    SECTION("for a response that is missing") {
        counted<1> r;
        r.started();
        CHECK(r.core.threads_unavailable() == thread_result::idle);
        r.in_flight(0b1);
        r.driver.responses[0] = db::outcome::not_written;
        r.hw.finish(0b1);
        static_cast<void>(r.irq());
        static_cast<void>(r.core.on_thread()); // a loop that took the wake
        CHECK(r.core.threads_available() == thread_result::lagging);
    }
}

TEST_CASE("A mask that is held for a thread is lifted when the threads go: the hard handler goes on", "[inv:H4]") {
    rig<db::count_budget<1>, plain_driver, db::statistics, db::mask_cause> r;
    r.started();
    r.in_flight(0b111);
    r.hw.finish(0b011);
    CHECK(r.irq() == handled_and_wake);
    CHECK(r.hw.enable == 0);
    CHECK(r.core.threads_unavailable() == thread_result::more);
    CHECK(r.hw.enable == db::ufshci::transfer);
    r.hw.finish(0b100);
    CHECK(r.irq() == irq_result::mine);
    CHECK(completed_in(r) == 3);
    CHECK(r.hw.enable == db::ufshci::transfer);
}

TEST_CASE("Without threads a lagging tag is kept, and the next interrupt looks again", "[inv:D7]") {
    counted<1> r;
    r.started();
    (void)r.core.threads_unavailable();
    r.in_flight(0b11);
    r.driver.responses[0] = db::outcome::not_written;
    r.hw.finish(0b11);
    static_cast<void>(r.irq());
    CHECK(r.driver.ended[1] == 1);
    CHECK(r.core.leftover() == tags{0b01});
    r.driver.responses[0] = db::outcome::success;
    r.hw.status = 1;
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.driver.ended[0] == 1);
}

TEST_CASE(
    "Without threads a deferred handler that may run anywhere runs inline, one that may sleep stays recorded",
    "[inv:D7]") {
    using both = db::handlers<
        db::deferred<db::ufs::cause::ue, &plain_driver::deferred>,
        db::deferred<db::ufs::cause::dfes, &plain_driver::sleeping>>;
    rig<db::inline_all, plain_driver, db::statistics, both> r;
    r.started();
    (void)r.core.threads_unavailable<db::drained_by<&idle_loop>>();
    r.hw.status = db::ufs::cause::ue;
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.log.take({"deferred", "sleeping"}) == lines{"deferred 4"});
    r.hw.status = db::ufs::cause::ue | db::ufs::cause::dfes;
    CHECK(r.irq() == handled_and_wake);
    CHECK(r.log.take({"deferred", "sleeping"}) == lines{"deferred 4"});
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(r.log.take({"deferred", "sleeping"}) == lines{"sleeping 800"});
}

TEST_CASE("Completions that may sleep wait for their loop under deferred_all, also without threads", "[inv:D7]") {
    rig<db::deferred_all, sleeping_driver> r;
    r.started();
    (void)r.core.threads_unavailable<db::drained_by<&idle_loop>>();
    r.in_flight(0b1);
    r.hw.finish(0b1);
    CHECK(r.irq() == handled_and_wake);
    CHECK(r.driver.ended[0] == 0);
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(r.driver.ended[0] == 1);
}
