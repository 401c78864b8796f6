// SPDX-License-Identifier: BSL-1.0
#include <doorbell/host.hpp>

#include "support/rig.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <type_traits>

namespace {

using namespace support;
using db::irq_result;
using db::tag;
using tags = rig<>::tags;

constexpr std::uint32_t link_error = db::ufs::cause::ue;

/// The smallest user: nothing of the test kit in it.
struct disk {
    db::outcome responses[32]{};
    unsigned ended = 0;

    constexpr db::outcome response(tag t) const noexcept { return responses[t.index]; }

    constexpr void completed(db::claimed<db::any_context>, db::outcome) noexcept { ++ended; }
};

struct no_clock {
    using rep = std::uint32_t;

    static constexpr rep now() noexcept { return 0; }
};

using small =
    db::host<db::ufshci, disk, db::memory_bank<0x400>, no_clock, db::count_budget<8>, db::null_lock, db::cores<1>>;

disk drive;
constinit small global{drive, {}};

static_assert(not std::is_copy_constructible_v<small> and not std::is_copy_assignable_v<small>);
static_assert(std::is_trivially_destructible_v<small>);

/// Options in any order make the same core.
template <class... Options>
using with = db::host<
    db::ufshci, plain_driver, small_bank, db::testing::manual_clock<>, db::inline_all, db::testing::checking_lock,
    Options...>;
static_assert(
    with<db::cores<1>, links, db::sole_line>::all_causes == with<links, db::sole_line, db::cores<1>>::all_causes);

template <class Rig>
std::uint64_t sections(Rig& r, auto operation) {
    r.watch.forget_acquisitions();
    operation();
    return r.watch.acquisitions();
}

/// What every test of the whole ends with: nothing is lost and nothing doubled.
template <class Rig>
void check_balance(Rig& r, std::uint32_t issued) {
    std::uint32_t ended = 0;
    for (unsigned const each : r.driver.ended) {
        ended += each;
    }
    db::activity const counted = r.core.observer().counts();
    CHECK(counted.submitted == issued);
    CHECK(ended == issued);
    CHECK(counted.callbacks == issued);
    CHECK(counted.entries == counted.exits);
    CHECK(r.core.outstanding().empty());
    CHECK(r.core.leftover().empty());
}

} // namespace

TEST_CASE("A core is constant-initialised and inert", "[inv:W2]") {
    CHECK(global.enabled() == 0);
    CHECK(global.on_hard_irq() == irq_result::none);
    CHECK(global.submit(tag{0}).status() == db::submit_status::not_started);
}

TEST_CASE("A submission is one lock section", "[inv:T10]") {
    rig<> r;
    r.started();
    CHECK(sections(r, [&] { CHECK(r.core.submit(tag{1})); }) == 1);
    CHECK(sections(r, [&] { CHECK(r.core.submit(tags{0xF0})); }) == 1);
    CHECK(sections(r, [&] { CHECK_FALSE(r.core.submit(tag{1})); }) <= 2); // refused: looked at once more, to say why
    CHECK(sections(r, [&] { CHECK_FALSE(r.core.submit(tag{99})); }) == 0);
}

TEST_CASE("An entry is one lock section, and one more only when something is left", "[inv:T10]") {
    rig<db::count_budget<2>> r;
    r.started();
    r.in_flight(0b11111);
    r.hw.finish(0b00011);
    CHECK(sections(r, [&] { CHECK(r.irq() == irq_result::mine); }) == 1);
    r.hw.finish(0b11100);
    CHECK(sections(r, [&] { CHECK(r.irq().wake_thread()); }) == 2);
    CHECK(sections(r, [&] { CHECK(r.core.on_thread() == db::thread_result::idle); }) == 1);
    CHECK(sections(r, [&] { CHECK(r.irq() == irq_result::none); }) == 0); // no cause
}

TEST_CASE("A thread run is one lock section, and one more only when something lags", "[inv:T10]") {
    rig<db::deferred_all> r;
    r.started();
    r.in_flight(0b11);
    r.hw.finish(0b11);
    CHECK(sections(r, [&] { CHECK(r.irq().wake_thread()); }) == 1);
    r.driver.responses[0] = db::outcome::not_written;
    CHECK(sections(r, [&] { CHECK(r.core.on_thread().retry()); }) == 2);
    r.driver.responses[0] = db::outcome::success;
    CHECK(sections(r, [&] { CHECK(r.core.poll() == db::thread_result::idle); }) == 1);
}

TEST_CASE("An urgent cause beside transfers takes no section of its own", "[inv:T10]") {
    rig<db::inline_all, plain_driver, db::statistics, links> r;
    r.started();
    r.in_flight(0b1);
    r.hw.finish(0b1);
    r.hw.status |= db::ufs::cause::uccs;
    CHECK(sections(r, [&] { CHECK(r.irq() == irq_result::mine); }) == 1);
}

TEST_CASE("The hard handler never finds the lock held by the thread it interrupts, on any path", "[inv:T9]") {
    rig<db::count_budget<1>, plain_driver, db::statistics, links> r;
    r.started();
    // Interrupts come wherever the lock is free: at every callback and handler.
    unsigned depth = 0;
    auto const interrupt = [&] {
        if (depth == 0 and not r.watch.held()) {
            ++depth;
            static_cast<void>(r.irq());
            --depth;
        }
    };
    r.driver.on_completed = [&](tag) { interrupt(); };
    r.driver.on_handler = interrupt;
    r.in_flight(0xFF);
    r.hw.finish(0xFF);
    r.hw.status |= link_error;
    static_cast<void>(r.irq());
    static_cast<void>(r.core.on_thread());
    static_cast<void>(r.core.poll());
    CHECK(r.core.stop().empty());
    CHECK(r.watch.errors() == 0);
    CHECK_FALSE(r.watch.held());
    check_balance(r, 8);
}

TEST_CASE("What was issued has completed at drain, once each, under every budget", "[inv:W1]") {
    auto const exercise = [](auto& r) {
        r.started();
        std::uint32_t issued = 0;
        for (std::uint32_t round = 0; round < 200; ++round) {
            tags free = ~(r.core.outstanding() | r.core.leftover());
            std::uint32_t const wanted = free.raw() & (0x9E37'79B9U * (round + 1));
            if (r.core.submit(tags{wanted})) {
                for ([[maybe_unused]] tag const t : tags{wanted}) {
                    ++issued;
                }
            }
            std::uint32_t const done = r.hw.doorbell & (0x85EB'CA6BU * (round + 3));
            for (tag const t : tags{done}) {
                r.driver.responses[t.index] = round % 7 == 0 ? db::outcome::not_written : db::outcome::success;
            }
            if (done != 0) {
                r.hw.finish(done);
            }
            bool const wake = r.irq().wake_thread();
            for (db::outcome& each : r.driver.responses) {
                each = db::outcome::success;
            }
            if (wake and round % 3 != 0) {
                while (r.core.on_thread().again()) {
                }
            } else if (round % 5 == 0) {
                static_cast<void>(r.core.poll());
            }
        }
        r.hw.finish(0xFFFF'FFFF);
        static_cast<void>(r.irq());
        CHECK(r.core.stop().empty());
        CHECK(issued > 500);
        CHECK(r.core.observer().counts().fault.unknown == 0);
        check_balance(r, issued);
    };
    SECTION("all in the hard handler") {
        rig<db::inline_all> r;
        exercise(r);
    }
    SECTION("all in the thread") {
        rig<db::deferred_all> r;
        exercise(r);
    }
    SECTION("a count") {
        rig<db::count_budget<3>> r;
        exercise(r);
    }
    SECTION("a time") {
        rig<db::first_of<db::count_budget<16>, db::time_budget<50>>> r;
        r.driver.on_completed = [&r](tag) { r.time.advance(30); };
        exercise(r);
    }
}

TEST_CASE("What was issued is completed or ended by reset, once each", "[inv:W1]") {
    rig<db::count_budget<1>> r;
    r.started();
    r.in_flight(0b1111'1111);
    r.hw.finish(0b0000'0111);
    r.driver.responses[1] = db::outcome::not_written;
    REQUIRE(r.irq().wake_thread());
    r.hw.finish(0b0000'1000);
    CHECK(r.core.reset() == db::reset_status::done);
    CHECK(r.driver.ended_by_reset == 5); // 4 to 7 in flight, 1 without a response
    check_balance(r, 8);
}

TEST_CASE("What is outstanding when the controller vanishes is ended by reset, once each", "[inv:W1]") {
    rig<> r;
    r.started();
    r.in_flight(0b111);
    r.hw.finish(0b001);
    static_cast<void>(r.irq());
    r.hw.gone = true;
    REQUIRE(r.irq().controller_gone());
    CHECK(r.core.reset() == db::reset_status::done);
    CHECK(r.driver.ended_by_reset == 2);
    check_balance(r, 3);
}

TEST_CASE("Everything that is counted goes through the observer", "[inv:W4]") {
    rig<db::count_budget<1>, plain_driver, db::statistics, links> r;
    r.started();
    CHECK(r.core.submit(tags{0b111}));
    CHECK_FALSE(r.core.submit(tag{0}));
    r.driver.responses[1] = db::outcome::not_written;
    r.hw.finish(0b111);
    r.hw.status |= link_error;
    static_cast<void>(r.irq());       // one completed, two left; a cause recorded
    static_cast<void>(r.core.poll()); // one completed, one lags
    static_cast<void>(r.irq());       // no cause
    db::activity const seen = r.core.observer().counts();
    CHECK(seen.submitted == 3);
    CHECK(seen.rings == 1);
    CHECK(seen.entries == 2);
    CHECK(seen.exits == 2);
    CHECK(seen.claims == 2);
    CHECK(seen.claimed == 5); // the leftover was claimed twice
    CHECK(seen.callbacks == 2);
    CHECK(seen.lags == 1);
    CHECK(seen.wakes == 2);
    CHECK(seen.fault.refused == 1);
    CHECK(seen.fault.spurious == 1);
}

TEST_CASE("An observer that looks away changes nothing of what happens", "[inv:W4]") {
    auto const script = [](auto& r) {
        r.started();
        CHECK(r.core.submit(tags{0b111}));
        r.hw.finish(0b111);
        static_cast<void>(r.irq());
        static_cast<void>(r.core.on_thread());
        return r.log.take();
    };
    rig<db::count_budget<1>, plain_driver, db::null_observer> blind;
    rig<db::count_budget<1>, plain_driver, db::statistics> seeing;
    CHECK(script(blind) == script(seeing));
    STATIC_CHECK(sizeof(blind.core) < sizeof(seeing.core));
}

TEST_CASE("What happens from submission to completion happens in this order", "[inv:W4]") {
    surroundings<plain_driver> s;
    with<db::observed_by<event_recorder>> core{s.driver, s.hw, s.time, s.watch, event_recorder{s.log}};
    REQUIRE(core.start() == db::start_status::started);
    s.log.forget();
    CHECK(core.submit(tag{5}));
    s.hw.finish(0x20);
    static_cast<void>(core.on_hard_irq());
    CHECK_FALSE(core.submit(tag{77}));
    CHECK(
        s.log.take({"event", "write", "completed"}) ==
        lines{
            "event submit 20", "event ring 20", "write DBR 20", "event entry 1", "write IS 1", "event claim 20",
            "event callback 5 0", "completed 5 0", "event exit handled", "event refused 2"});
}

TEST_CASE("What is outstanding and what is left can be asked at any time", "[inv:H1]") {
    rig<db::count_budget<1>> r;
    r.started();
    r.in_flight(0b111);
    CHECK(r.core.outstanding() == tags{0b111});
    r.hw.finish(0b011);
    static_cast<void>(r.irq());
    CHECK(r.core.outstanding() == tags{0b100});
    CHECK(r.core.leftover() == tags{0b010});
}
