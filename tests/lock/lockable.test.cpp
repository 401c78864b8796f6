// SPDX-License-Identifier: BSL-1.0
#include <doorbell/lock/lockable.hpp>

#include <doorbell/lock/locked.hpp>

#include <catch2/catch_test_macros.hpp>

#include <mutex>

using namespace doorbell;

namespace {

struct counting_mutex {
    int locks = 0;
    int unlocks = 0;

    void lock() { ++locks; }

    void unlock() { ++unlocks; }
};

} // namespace

TEST_CASE("a lockable locks the mutex it was given, and so do its copies") {
    counting_mutex mutex;
    lockable lock{mutex};
    lockable copy = lock;
    CHECK(locked(lock, [&] { return mutex.locks == 1 and mutex.unlocks == 0; }));
    CHECK(locked(copy, [&] { return mutex.locks == 2 and mutex.unlocks == 1; }));
    CHECK(mutex.unlocks == 2);
}

TEST_CASE("a lockable may sleep", "[inv:T9]") {
    STATIC_CHECK(lockable<std::mutex>::traits.may_sleep);
    STATIC_CHECK(lock_policy<lockable<std::mutex>>);
    STATIC_CHECK_FALSE(lockable<std::mutex>::traits.masks_interrupts);
}

TEST_CASE("what has no lock and unlock is not lockable") {
    STATIC_CHECK_FALSE(basic_lockable<int>);
}
