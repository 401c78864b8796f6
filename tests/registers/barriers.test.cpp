// SPDX-License-Identifier: BSL-1.0
#include <doorbell/registers/barriers.hpp>

#include <doorbell/registers/mmio_bank.hpp>

#include "fault_counter.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

// The instructions for each architecture are looked at by tests/barriers. Here: the compiler keeps the order too. That
// shows in optimised builds only.

TEST_CASE("barriers are declared not to throw", "[inv:R4]") {
    STATIC_CHECK(noexcept(doorbell::barriers::before_doorbell()));
    STATIC_CHECK(noexcept(doorbell::barriers::after_done()));
    STATIC_CHECK(noexcept(doorbell::barriers::before_unlock()));
}

#if DOORBELL_TEST_FAULTS

namespace {

using doorbell::mmio_bank;

[[gnu::noinline, gnu::no_sanitize_address]] void ring_after(std::uint32_t* descriptor, mmio_bank bank) {
    *descriptor = 1;
    bank.before_doorbell();
    bank.store(0, 1);
    *descriptor = 2; // without the barrier, this store alone would remain
}

[[gnu::noinline, gnu::no_sanitize_address]] void ring_and_unlock(std::uint32_t* lock, mmio_bank bank) {
    *lock = 1;
    bank.before_doorbell();
    bank.store(0, 1);
    bank.before_unlock();
    *lock = 0;
}

} // namespace

TEST_CASE("when the doorbell is written, the descriptor is in memory", "[inv:R4][U.D1]") {
    static std::uint32_t descriptor = 0;
    std::uint32_t seen = 0;
    {
        fault_counter const counter{};
        fault_counter::watched = &descriptor;
        ring_after(&descriptor, mmio_bank{reinterpret_cast<std::uintptr_t>(fault_counter::page)});
        seen = fault_counter::seen;
    }
    CHECK(seen == 1);
    CHECK(descriptor == 2);
}

TEST_CASE("when a register is written inside a section, the lock is not yet free", "[inv:R4]") {
    static std::uint32_t lock = 0;
    std::uint32_t seen = 0;
    {
        fault_counter const counter{};
        fault_counter::watched = &lock;
        ring_and_unlock(&lock, mmio_bank{reinterpret_cast<std::uintptr_t>(fault_counter::page)});
        seen = fault_counter::seen;
    }
    CHECK(seen == 1);
    CHECK(lock == 0);
}

#endif
