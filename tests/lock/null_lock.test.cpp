// SPDX-License-Identifier: BSL-1.0
#include <doorbell/lock/null_lock.hpp>

#include <doorbell/lock/locked.hpp>

#include <catch2/catch_test_macros.hpp>

#include <type_traits>

using namespace doorbell;

TEST_CASE("the null lock takes no room and works in constant evaluation") {
    STATIC_CHECK(std::is_empty_v<null_lock>);
    constexpr auto result = [] {
        null_lock lock{};
        return locked(lock, [] { return 7; });
    };
    STATIC_CHECK(result() == 7);
}

TEST_CASE("the null lock claims what its user promises") {
    STATIC_CHECK(
        null_lock::traits == lock_traits{.may_sleep = false, .masks_interrupts = true, .excludes_cores = true});
}
