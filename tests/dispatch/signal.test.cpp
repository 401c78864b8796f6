// SPDX-License-Identifier: BSL-1.0
#include <doorbell/dispatch/signal.hpp>

#include "../support/rig.hpp"

#include <catch2/catch_test_macros.hpp>

#include <concepts>
#include <cstdint>

namespace {

using namespace support;
using db::irq_result;
using db::tag;
using db::thread_result;
using tags = db::tag_set<32>;

constexpr irq_result handled_and_wake = irq_result::mine | irq_result::wake;
constexpr std::uint32_t uic = db::ufs::cause::uccs;
constexpr std::uint32_t link_error = db::ufs::cause::ue;

template <class... Options>
using with = rig<db::inline_all, plain_driver, db::statistics, Options...>;
template <unsigned Every>
using hopeful = with<db::optimistic<Every>, links>;

static_assert(db::level_line::rounds == 1 and db::edge_line<>::rounds == 4 and db::message<2>::rounds == 2);
static_assert(not db::message<>::level and std::same_as<db::message<>::family, db::level_line::family>);

} // namespace

TEST_CASE("A level line is served in one round: what appears meanwhile is the next entry's") {
    with<> r;
    r.started();
    r.in_flight(0b11);
    r.hw.finish(0b01);
    r.driver.on_completed = [&r](tag t) {
        if (t.index == 0) {
            r.hw.finish(0b10);
        }
    };
    CHECK(r.irq() == irq_result::mine);
    CHECK(
        r.log.take() == lines{
                            "read IS", "write IS 1", "lock", "read DBR", "barrier after_done", "unlock", "response 0",
                            "completed 0 0"});
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.driver.ended[1] == 1);
}

TEST_CASE("An edge and a message are served until nothing stands") {
    auto const served = [](auto&& r) {
        r.started();
        r.in_flight(0b11);
        r.hw.finish(0b01);
        r.driver.on_completed = [&r](tag t) {
            if (t.index == 0) {
                r.hw.finish(0b10);
            }
        };
        CHECK(r.irq() == handled_and_wake); // the second transfer is the next run's
        CHECK(
            r.log.take({"read", "write"}) ==
            lines{"read IS", "write IS 1", "read DBR", "read IS", "write IS 1", "read IS"});
        CHECK(r.hw.status == 0);
        CHECK(r.core.on_thread() == thread_result::idle);
        CHECK(r.driver.ended[1] == 1);
    };
    served(with<db::edge_line<>>{});
    served(with<db::message<>>{});
}

TEST_CASE("The rounds of an edge end, and what still stands is the thread's") {
    with<db::edge_line<2>, links> r;
    r.started();
    r.hw.status = uic;
    unsigned more = 4;
    r.driver.on_handler = [&] { r.hw.status = more-- == 0 ? 0 : uic; };
    CHECK(r.irq() == handled_and_wake);
    CHECK(r.log.take({"read", "write"}) == lines{"read IS", "write IS 400", "read IS", "write IS 400", "read IS"});
    CHECK(r.hw.status == uic);
    r.driver.on_handler = nullptr;
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(r.hw.status == 0);
}

TEST_CASE("The optimistic order acknowledges transfers unread, and reads no status when it claimed", "[inv:D1a]") {
    hopeful<64> r;
    r.started();
    r.in_flight(0b11);
    r.hw.finish(0b01);
    CHECK(r.irq() == irq_result::mine);
    CHECK(
        r.log.take() ==
        lines{"write IS 1", "lock", "read DBR", "barrier after_done", "unlock", "response 0", "completed 0 0"});
}

TEST_CASE("An optimistic entry that claimed nothing reads the status", "[inv:D1a]") {
    hopeful<64> r;
    r.started();
    r.in_flight(0b1);
    r.hw.status = uic | link_error;
    CHECK(r.irq() == handled_and_wake);
    CHECK(
        r.log.take({"read", "write", "urgent"}) ==
        lines{"write IS 1", "read DBR", "read IS", "write IS 404", "urgent 400"});
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(r.log.take({"sleeping"}) == lines{"sleeping 4"});
    r.core.disable(uic);
    r.hw.status = uic;
    CHECK(r.irq() == irq_result::none); // a cause that nobody enabled is not taken
    CHECK(r.hw.status == uic);
}

TEST_CASE("Every so many optimistic entries the status is read, though all of them claimed", "[inv:D1a]") {
    hopeful<3> r;
    r.started();
    r.hw.status = link_error;
    for (unsigned entry = 1; entry <= 6; ++entry) {
        r.in_flight(0b1);
        r.hw.finish(0b1);
        bool const looks = entry % 3 == 0;
        r.hw.status |= link_error;
        CHECK(r.irq().wake_thread() == looks);
        CHECK(r.hw.status == (looks ? 0 : link_error));
        CHECK(r.log.take({"read"}) == (looks ? lines{"read DBR", "read IS"} : lines{"read DBR"}));
    }
}

TEST_CASE("While a command is expected to finish, every optimistic entry reads the status", "[inv:D1a]") {
    hopeful<64> r;
    r.started();
    r.in_flight(0b11);
    r.core.expect(uic);
    r.hw.finish(0b01);
    r.hw.status |= uic;
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.log.take({"urgent"}) == lines{"urgent 400"});
    r.core.expect_no_more(uic);
    r.hw.finish(0b10);
    r.log.forget();
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.log.take({"read"}) == lines{"read DBR"});
}

TEST_CASE("An optimistic entry that finds the transfers owned reads the status", "[inv:D1a]") {
    rig<db::count_budget<1>, plain_driver, db::statistics, db::optimistic<64>, db::mask_cause, links> r;
    r.started();
    r.in_flight(0b111);
    r.hw.finish(0b011);
    REQUIRE(r.irq() == handled_and_wake);
    r.hw.finish(0b100);
    r.hw.status |= uic;
    r.log.forget();
    CHECK(r.irq() == handled_and_wake);
    CHECK(r.log.take({"read", "write", "urgent"}) == lines{"write IS 1", "read IS", "write IS 400", "urgent 400"});
    static_cast<void>(r.core.on_thread());
    CHECK(r.driver.ended[2] == 1);
}

TEST_CASE("An optimistic entry of nobody is not ours, unless a poll took what it was for", "[inv:D1a]") {
    hopeful<64> r;
    r.started();
    CHECK(r.irq() == irq_result::none);
    CHECK(r.core.observer().counts().fault.spurious == 1);
    r.in_flight(0b1);
    r.hw.finish(0b1);
    static_cast<void>(r.core.poll());
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.irq() == irq_result::none);
}

TEST_CASE("With the transfer cause disabled, the optimistic order takes nothing that it has not read", "[inv:D1a]") {
    hopeful<64> r;
    r.started();
    r.in_flight(0b1);
    r.core.disable(db::ufshci::transfer);
    r.hw.finish(0b1);
    r.hw.status |= uic;
    r.log.forget();
    CHECK(r.irq() == irq_result::mine);
    CHECK(r.log.take({"read", "write", "completed"}) == lines{"read IS", "write IS 400"});
    CHECK(r.hw.status == db::ufshci::transfer); // for whoever polls it
}

TEST_CASE("An optimistic entry notices that the controller is gone", "[inv:D1a]") {
    hopeful<64> r;
    r.started();
    r.in_flight(0b1);
    r.hw.gone = true; // the doorbell reads all ones: nothing finished
    CHECK(r.irq().controller_gone());
    CHECK(r.driver.ended[0] == 0);
    CHECK(r.core.outstanding() == tags{0b1});
}

TEST_CASE("Gathering is programmed with the core, and its counter is reset before the doorbell is read") {
    with<db::gathered<8, 5>> r;
    CHECK(r.core.start() == db::start_status::started);
    lines const programmed = r.log.take({"write"});
    REQUIRE(programmed.size() == 2);
    CHECK(programmed[0] == "write IE 1");
    CHECK(programmed[1] == "write at 4c 81010805");
    r.in_flight(0b1);
    r.hw.finish(0b1);
    static_cast<void>(r.irq());
    CHECK(r.log.take({"read", "write"}) == lines{"read IS", "write IS 1", "write at 4c 80010000", "read DBR"});
}

TEST_CASE("A flushed acknowledge is read back before anything is looked at, a posted one is not") {
    with<db::flushed_acknowledge> flushed;
    flushed.started();
    flushed.in_flight(0b1);
    flushed.hw.finish(0b1);
    static_cast<void>(flushed.irq());
    CHECK(flushed.log.take({"read", "write"}) == lines{"read IS", "write IS 1", "read IS", "read DBR"});
}
