// SPDX-License-Identifier: BSL-1.0
#include <doorbell/lock/irq_spin_lock.hpp>

#include <doorbell/lock/locked.hpp>

#include "test_interrupts.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace doorbell;

using test_lock = basic_irq_spin_lock<test_mask>;

TEST_CASE("an irq spin lock masks in its section and restores after it", "[inv:T9]") {
    test_interrupts core;
    test_lock lock{test_mask{core}};
    CHECK_FALSE(locked(lock, [&] { return core.enabled; }));
    CHECK(core.enabled);
    CHECK_FALSE(locked(lock, [&] { return core.enabled; }));
    CHECK(core.enabled);
    CHECK(core.masks == 2);
    CHECK(core.restores == 2);
}

TEST_CASE("a section of another lock inside the section leaves interrupts masked", "[inv:T9]") {
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

namespace {

// Notes whether the lock's word was already taken when interrupts were masked, and still taken when they came back:
// either would let a handler spin for ever for what the code below it holds.
struct order_probe {
    unsigned const* word = nullptr;
    bool taken_before_mask = true;
    bool taken_at_restore = true;

    [[nodiscard]] bool taken() const noexcept { return __atomic_load_n(word, __ATOMIC_RELAXED) != 0; }
};

class order_mask {
public:
    struct token {};

    static constexpr bool effective = true;

    constexpr explicit order_mask(order_probe& probe) noexcept : probe_{&probe} {}

    [[nodiscard]] token mask() const noexcept {
        probe_->taken_before_mask = probe_->taken();
        return {};
    }

    void restore(token) const noexcept { probe_->taken_at_restore = probe_->taken(); }

private:
    order_probe* probe_;
};

static_assert(order_mask::effective);

} // namespace

TEST_CASE("interrupts are masked before the lock is taken and come back after it is free", "[inv:T9]") {
    order_probe probe;
    basic_irq_spin_lock<order_mask> lock{order_mask{probe}};
    // The word of the lock is its first member; a test may look at it, an interrupt handler would feel it.
    probe.word = reinterpret_cast<unsigned const*>(&lock);
    CHECK(locked(lock, [&] { return probe.taken(); }));
    CHECK_FALSE(probe.taken_before_mask);
    CHECK_FALSE(probe.taken_at_restore);
}

TEST_CASE("an irq spin lock excludes handlers and cores and does not sleep", "[inv:T9]") {
    STATIC_CHECK(
        test_lock::traits == lock_traits{.may_sleep = false, .masks_interrupts = true, .excludes_cores = true});
    static constinit irq_spin_lock global{};
    CHECK(locked(global, [] { return true; }));
}
