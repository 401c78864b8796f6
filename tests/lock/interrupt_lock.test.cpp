// SPDX-License-Identifier: BSL-1.0
#include <doorbell/lock/interrupt_lock.hpp>

#include <doorbell/lock/locked.hpp>

#include "test_interrupts.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace doorbell;

using test_lock = basic_interrupt_lock<test_mask>;

TEST_CASE("an interrupt lock masks in its section and restores after it", "[inv:T9]") {
    test_interrupts core;
    test_lock lock{test_mask{core}};
    CHECK_FALSE(locked(lock, [&] { return core.enabled; }));
    CHECK(core.enabled);
}

TEST_CASE("a section inside a masked section leaves interrupts masked", "[inv:T9]") {
    test_interrupts core;
    test_lock outer{test_mask{core}};
    test_lock inner{test_mask{core}};
    bool after_inner = true;
    locked(outer, [&] {
        locked(inner, [] {});
        after_inner = core.enabled;
    });
    CHECK_FALSE(after_inner);
    CHECK(core.enabled);
}

TEST_CASE("a section entered with interrupts masked leaves them masked", "[inv:T9]") {
    test_interrupts core{.enabled = false};
    test_lock lock{test_mask{core}};
    locked(lock, [] {});
    CHECK_FALSE(core.enabled);
    CHECK(core.masks == 1);
    CHECK(core.restores == 1);
}

TEST_CASE("an interrupt lock needs no atomic operation and excludes one core only", "[inv:T10]") {
    CHECK(test_lock::traits == lock_traits{.may_sleep = false, .masks_interrupts = true, .excludes_cores = false});
    constexpr auto runs_in_constant_evaluation = [] {
        test_interrupts core;
        test_lock lock{test_mask{core}};
        return locked(lock, [&] { return not core.enabled; });
    };
    constexpr bool result = runs_in_constant_evaluation();
    CHECK(result);
}
