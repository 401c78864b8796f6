// SPDX-License-Identifier: BSL-1.0
#include <doorbell/lock/irq_spin_lock.hpp>
#include <doorbell/lock/lockable.hpp>
#include <doorbell/lock/locked.hpp>
#include <doorbell/lock/spin_lock.hpp>

#include <catch2/catch_test_macros.hpp>

#include <mutex>
#include <thread>
#include <vector>

using namespace doorbell;

namespace {

// A plain counter: increments are lost, and the thread sanitizer speaks, unless the lock excludes.
template <class Lock>
unsigned long counted_by_four_threads(Lock& lock) {
    constexpr int threads = 4;
    constexpr int rounds = 20'000;
    unsigned long counter = 0;
    std::vector<std::thread> running;
    for (int t = 0; t != threads; ++t) {
        running.emplace_back([&] {
            for (int i = 0; i != rounds; ++i) {
                locked(lock, [&] { ++counter; });
            }
        });
    }
    for (std::thread& thread : running) {
        thread.join();
    }
    return counter;
}

} // namespace

TEST_CASE("a spin lock excludes other threads", "[inv:T10]") {
    spin_lock lock{};
    CHECK(counted_by_four_threads(lock) == 80'000);
}

TEST_CASE("an irq spin lock excludes other threads", "[inv:T9]") {
    irq_spin_lock lock{};
    CHECK(counted_by_four_threads(lock) == 80'000);
}

TEST_CASE("a lockable excludes other threads by its mutex") {
    std::mutex mutex;
    lockable lock{mutex};
    CHECK(counted_by_four_threads(lock) == 80'000);
}
