// SPDX-License-Identifier: BSL-1.0
#include <doorbell/lock/spin_lock.hpp>

#include <doorbell/lock/locked.hpp>

#include <catch2/catch_test_macros.hpp>

using namespace doorbell;

TEST_CASE("a spin lock that was released can be taken again") {
    static constinit spin_lock lock{};
    int runs = 0;
    for (int i = 0; i != 3; ++i) {
        locked(lock, [&] { ++runs; });
    }
    CHECK(runs == 3);
}

TEST_CASE("a spin lock excludes cores and neither sleeps nor masks", "[inv:T10]") {
    STATIC_CHECK(
        spin_lock::traits == lock_traits{.may_sleep = false, .masks_interrupts = false, .excludes_cores = true});
}

TEST_CASE("a spin lock is one word of 32 bits at least") {
    STATIC_CHECK(sizeof(spin_lock) == sizeof(unsigned));
}
