// SPDX-License-Identifier: BSL-1.0
#include <doorbell/testing/checking_lock.hpp>

#include <doorbell/lock/locked.hpp>

#include <catch2/catch_test_macros.hpp>

using namespace doorbell;
using namespace doorbell::testing;

TEST_CASE("copies of a checking lock are handles on one lock", "[inv:T10]") {
    lock_watch watch{};
    checking_lock lock{watch};
    checking_lock copy = lock;
    bool held_inside = false;
    bool twice = false;
    locked(lock, [&] {
        held_inside = watch.held();
        locked(copy, [&] { twice = true; });
    });
    CHECK(held_inside);
    CHECK(twice);
    CHECK_FALSE(watch.held());
    CHECK(watch.acquisitions() == 2);
    CHECK(watch.errors(lock_error::recursive) == 1);
}

TEST_CASE("the wrong one of two tokens is noticed", "[inv:T9]") {
    lock_watch watch{};
    checking_lock const lock{watch};
    auto const outer = lock.acquire();
    auto const inner = lock.acquire();
    lock.release(outer);
    CHECK(watch.errors(lock_error::wrong_token) == 1);
    lock.release(inner);
    CHECK(watch.errors(lock_error::wrong_token) == 2);
}

TEST_CASE("a checking lock claims the traits it is given") {
    STATIC_CHECK(
        checking_lock::traits == lock_traits{.may_sleep = false, .masks_interrupts = true, .excludes_cores = true});
    using sleeping =
        basic_checking_lock<lock_traits{.may_sleep = true, .masks_interrupts = false, .excludes_cores = true}>;
    STATIC_CHECK(sleeping::traits.may_sleep);
    STATIC_CHECK(lock_policy<sleeping>);
}
