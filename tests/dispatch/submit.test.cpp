// SPDX-License-Identifier: BSL-1.0
#include <doorbell/dispatch/submit.hpp>

#include "../support/rig.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

namespace {

using namespace support;
using db::submit_status;
using db::tag;
using plain = rig<>;
using tags = plain::tags;

template <class Driver, class... Options>
using core_of = db::host<
    db::ufshci, Driver, small_bank, db::testing::manual_clock<>, db::inline_all, db::testing::checking_lock,
    Options...>;

} // namespace

TEST_CASE("Descriptor, cache, barrier, ring and release come in this order, in one lock section", "[inv:R4]") {
    surroundings<preparing_driver> s;
    core_of<preparing_driver, db::dma_by<recording_dma>, db::observed_by<event_recorder>> core{
        s.driver, s.hw, s.time, s.watch, event_recorder{s.log}, recording_dma{s.log}};
    REQUIRE(core.start() == db::start_status::started);
    s.log.forget();
    CHECK(core.submit(tag{3}));
    CHECK(
        s.log.take() == lines{
                            "lock", "event submit 8", "prepare 3", "for_device 3", "event ring 8",
                            "barrier before_doorbell", "write DBR 8", "barrier before_unlock", "unlock"});
}

TEST_CASE("Memory is handed to the device after the driver's last touch and before the ring", "[inv:R5]") {
    surroundings<preparing_driver> s;
    core_of<preparing_driver, db::dma_by<recording_dma>> core{s.driver, s.hw, s.time,
                                                              s.watch,  {},   recording_dma{s.log}};
    REQUIRE(core.start() == db::start_status::started);
    s.log.forget();
    CHECK(core.submit(tags{0b101}));
    CHECK(
        s.log.take({"prepare", "for_device", "barrier", "write"}) == lines{
                                                                         "prepare 0", "for_device 0", "prepare 2",
                                                                         "for_device 2", "barrier before_doorbell",
                                                                         "write DBR 5", "barrier before_unlock"});
}

TEST_CASE("A DMA policy is told also when the driver prepares nothing, and the other way round", "[inv:R5]") {
    SECTION("only a policy") {
        surroundings<plain_driver> s;
        core_of<plain_driver, db::dma_by<recording_dma>> core{s.driver, s.hw, s.time,
                                                              s.watch,  {},   recording_dma{s.log}};
        REQUIRE(core.start() == db::start_status::started);
        s.log.forget();
        CHECK(core.submit(tag{7}));
        CHECK(s.log.take({"prepare", "for_device"}) == lines{"for_device 7"});
    }
    SECTION("only a driver that prepares") {
        rig<db::inline_all, preparing_driver> r;
        r.started();
        CHECK(r.core.submit(tag{7}));
        CHECK(r.log.take({"prepare", "for_device"}) == lines{"prepare 7"});
    }
}

TEST_CASE("A set is rung with one doorbell write in one lock section", "[inv:T1]") {
    plain r;
    r.started();
    CHECK(r.core.submit(tags{0x8000'0011}));
    CHECK(r.log.take({"lock", "unlock", "read", "write"}) == lines{"lock", "write DBR 80000011", "unlock"});
    CHECK(r.core.outstanding() == tags{0x8000'0011});
}

TEST_CASE("A request is marked before it is rung: a completion at once finds it", "[inv:T1]") {
    plain r;
    r.started();
    bool marked = false;
    r.hw.after_access = [&](std::string const& line) {
        if (line == "write DBR 1") {
            CHECK(r.watch.held());
            r.hw.after_access = nullptr;
            r.hw.finish(0b1);
            marked = true;
        }
    };
    CHECK(r.core.submit(tag{0}));
    CHECK(marked);
    CHECK(r.irq() == db::irq_result::mine);
    CHECK(r.driver.ended[0] == 1);
}

TEST_CASE("The ring writes the new slots only, never those in flight", "[inv:T1]") {
    plain r;
    r.started();
    r.in_flight(0b1);
    CHECK(r.core.submit(tag{1}));
    CHECK(r.log.take({"write"}) == lines{"write DBR 2"});
}

TEST_CASE("A refusal touches no register and is counted", "[inv:T1]") {
    plain r;
    r.started();
    r.in_flight(0b10);
    CHECK(r.core.submit(tags{0b110}).status() == submit_status::busy);
    CHECK(r.core.submit(tag{1}).status() == submit_status::busy);
    CHECK(r.core.submit(tag{32}).status() == submit_status::out_of_range);
    CHECK(r.core.submit(tag{~0U}).status() == submit_status::out_of_range);
    CHECK(r.log.take({"read", "write", "barrier"}) == lines{});
    CHECK(r.core.observer().counts().fault.refused == 4);
    CHECK(r.core.outstanding() == tags{0b10});
}

TEST_CASE("A set of nothing is accepted by a core that runs, and touches no register", "[inv:D7]") {
    plain r;
    CHECK(r.core.submit(tags{}).status() == submit_status::not_started);
    CHECK(r.core.observer().counts().fault.refused == 1);
    r.started();
    CHECK(r.core.submit(tags{}));
    CHECK(r.log.take({"read", "write", "barrier"}) == lines{});
    CHECK(r.core.observer().counts().submitted == 0);
}

TEST_CASE("The tags of one submission share its generation", "[inv:T2]") {
    plain r;
    r.started();
    auto const first = r.core.submit(tags{0b11});
    auto const second = r.core.submit(tags{0b100});
    CHECK(first.generation() != second.generation());
    auto const third = r.core.submit(tag{3});
    auto const fourth = r.core.submit(tag{4});
    CHECK(third.generation() != fourth.generation());
    CHECK(third.generation() != second.generation());
    CHECK(first.ticket_for(tag{1}) == db::ticket{tag{1}, first.generation()});
}

TEST_CASE("The lock section of a submission is two barriers and one write, however many tags", "[inv:T4]") {
    plain r;
    r.started();
    CHECK(r.core.submit(tag{0}));
    lines const one = r.log.take({"lock", "unlock", "barrier"});
    CHECK(r.core.submit(tags{0xFFFF'FFFE}));
    CHECK(r.log.take({"lock", "unlock", "barrier"}) == one);
    CHECK(one == lines{"lock", "barrier before_doorbell", "barrier before_unlock", "unlock"});
}
