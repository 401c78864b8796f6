// SPDX-License-Identifier: BSL-1.0
#include <doorbell/dispatch/interrupt_state.hpp>

#include <catch2/catch_test_macros.hpp>

#include <type_traits>

using doorbell::interrupt_state;
using doorbell::phase;

TEST_CASE("A core begins inert: stopped, nothing enabled, nothing recorded, threads there", "[inv:D7]") {
    interrupt_state s;
    CHECK(s.now() == phase::stopped);
    CHECK_FALSE(s.running());
    CHECK(s.enabled() == 0);
    CHECK(s.threads_available());
    CHECK_FALSE(s.wake_wanted());
    CHECK(s.take_recorded() == 0);
    STATIC_CHECK(std::is_trivially_destructible_v<interrupt_state>);
}

TEST_CASE("A phase and what is enabled in it are entered together", "[inv:D8]") {
    interrupt_state s;
    s.enter(phase::running, 0x31);
    CHECK(s.running());
    CHECK(s.enabled() == 0x31);
    s.set_enabled(0x11);
    CHECK(s.enabled() == 0x11);
    CHECK(s.running());
    for (phase const inert : {phase::closing, phase::gone, phase::stopped}) {
        s.enter(inert, 0);
        CHECK(s.now() == inert);
        CHECK_FALSE(s.running());
        CHECK(s.enabled() == 0);
    }
}

TEST_CASE("Recorded causes add up until they are taken, once", "[inv:H1]") {
    interrupt_state s;
    s.record(0x4);
    s.record(0x800);
    s.record(0x4);
    CHECK(s.take_recorded() == 0x804);
    CHECK(s.take_recorded() == 0);
}

TEST_CASE("A wake is wanted from its request to the thread's run that takes it", "[inv:H3]") {
    interrupt_state s;
    s.want_wake();
    CHECK(s.wake_wanted());
    CHECK(s.wake_wanted()); // looking takes nothing
    CHECK(s.take_recorded() == 0);
    CHECK_FALSE(s.wake_wanted());
    s.record(1);
    CHECK(s.wake_wanted());
    CHECK(s.take_recorded() == 1);
    CHECK_FALSE(s.wake_wanted());
}

TEST_CASE("Entering a phase forgets neither what is recorded nor that somebody is to be woken", "[inv:H1]") {
    interrupt_state s;
    s.enter(phase::running, 1);
    s.record(0x4);
    s.enter(phase::stopped, 0);
    CHECK(s.wake_wanted());
    CHECK(s.take_recorded() == 0x4);
}

TEST_CASE("Whether threads run is told and untold", "[inv:D7]") {
    interrupt_state s;
    s.set_threads_available(false);
    CHECK_FALSE(s.threads_available());
    s.set_threads_available(true);
    CHECK(s.threads_available());
}
