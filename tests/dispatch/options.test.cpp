// SPDX-License-Identifier: BSL-1.0
#include <doorbell/dispatch/options.hpp>

#include <doorbell/core/options.hpp>
#include <doorbell/core/statistics.hpp>
#include <doorbell/dma/coherent.hpp>
#include <doorbell/lock/interrupt_lock.hpp>
#include <doorbell/lock/irq_spin_lock.hpp>
#include <doorbell/lock/lockable.hpp>
#include <doorbell/lock/null_lock.hpp>
#include <doorbell/lock/spin_lock.hpp>

#include <catch2/catch_test_macros.hpp>

#include <concepts>

namespace {

using namespace doorbell;

/// Interrupts that can be masked, where the test runs or not.
struct maskable {
    using token = unsigned;
    static constexpr bool effective = true;
    static token mask() noexcept;
    static void restore(token) noexcept;
};

using masking = basic_interrupt_lock<maskable>;
using masking_and_spinning = basic_irq_spin_lock<maskable>;
using mutex = lockable<detail::some_mutex>;

static_assert(option<observed_by<statistics>> and option<dma_by<coherent>> and option<cores<1>>);
static_assert(option<hard_handler_elsewhere> and option<hard_handler_nests>);

} // namespace

TEST_CASE("A lock that may sleep is none for a hard handler", "[inv:T9]") {
    CHECK(sleepless_lock<null_lock>);
    CHECK(sleepless_lock<spin_lock>);
    CHECK(sleepless_lock<masking>);
    CHECK(sleepless_lock<masking_and_spinning>);
    CHECK_FALSE(sleepless_lock<mutex>);
    CHECK_FALSE(sleepless_lock<int>);
}

TEST_CASE("A lock that masks no interrupt needs a hard handler that comes from elsewhere", "[inv:T9]") {
    CHECK(interruptible_lock<masking, hard_handler_nests>);
    CHECK(interruptible_lock<masking_and_spinning, hard_handler_nests>);
    CHECK(interruptible_lock<null_lock, hard_handler_nests>);
    CHECK_FALSE(interruptible_lock<spin_lock, hard_handler_nests>);
    CHECK(interruptible_lock<spin_lock, hard_handler_elsewhere>);
}

TEST_CASE("A lock that only masks interrupts needs the promise of one processor core", "[inv:T9]") {
    CHECK(excluding_lock<masking_and_spinning, cores<2>>);
    CHECK(excluding_lock<spin_lock, cores<2>>);
    CHECK_FALSE(excluding_lock<masking, cores<2>>);
    CHECK_FALSE(excluding_lock<masking, cores<8>>);
    CHECK(excluding_lock<masking, cores<1>>);
}

TEST_CASE("Where the hard handler is put is one choice, how many cores there are another", "[options]") {
    STATIC_CHECK(std::same_as<hard_handler_elsewhere::family, hard_handler_nests::family>);
    STATIC_CHECK(std::same_as<cores<1>::family, cores<4>::family>);
    STATIC_CHECK_FALSE(std::same_as<cores<1>::family, hard_handler_nests::family>);
    CHECK(cores<1>::one);
    CHECK_FALSE(cores<2>::one);
}
