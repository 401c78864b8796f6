// SPDX-License-Identifier: BSL-1.0
#include <doorbell/lock/locked.hpp>

#include <catch2/catch_test_macros.hpp>

#include <type_traits>
#include <vector>

using namespace doorbell;

namespace {

// Counts up with each acquisition and notes what it gets back.
struct noting_lock {
    using token = int;
    static constexpr lock_traits traits{};

    int next = 100;
    bool held = false;
    std::vector<int> released{};

    token acquire() noexcept {
        held = true;
        return next++;
    }

    void release(token t) noexcept {
        held = false;
        released.push_back(t);
    }
};

struct lock_without_traits {
    using token = int;
    token acquire() noexcept;
    void release(token) noexcept;
};

struct throwing_lock {
    using token = int;
    static constexpr lock_traits traits{};
    token acquire();
    void release(token);
};

} // namespace

TEST_CASE("a section runs with the lock held and its result comes out") {
    noting_lock lock;
    CHECK(locked(lock, [&] { return lock.held; }));
    CHECK_FALSE(lock.held);
    int runs = 0;
    locked(lock, [&] { ++runs; });
    CHECK(runs == 1);
    STATIC_CHECK(std::is_void_v<decltype(locked(lock, [] {}))>);
}

TEST_CASE("each section gives back the token that it got", "[inv:T9]") {
    noting_lock outer;
    noting_lock inner{.next = 200};
    locked(outer, [&] { locked(inner, [] {}); });
    locked(outer, [] { return 1; });
    CHECK(outer.released == std::vector{100, 101});
    CHECK(inner.released == std::vector{200});
}

TEST_CASE("the lock is still held while the result is made", "[inv:T4]") {
    noting_lock lock;
    bool const held_at_last_statement = locked(lock, [&] {
        int volatile work = 1;
        work = work + 1;
        return lock.held and work == 2;
    });
    CHECK(held_at_last_statement);
}

TEST_CASE("a lock policy says what it does beside locking and does not throw") {
    STATIC_CHECK(lock_policy<noting_lock>);
    STATIC_CHECK_FALSE(lock_policy<lock_without_traits>);
    STATIC_CHECK(throwing_lock::traits == noting_lock::traits);
    STATIC_CHECK_FALSE(lock_policy<throwing_lock>);
    STATIC_CHECK_FALSE(lock_policy<int>);
}
