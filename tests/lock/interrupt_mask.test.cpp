// SPDX-License-Identifier: BSL-1.0
#include <doorbell/lock/interrupt_mask.hpp>

#include <catch2/catch_test_macros.hpp>

using namespace doorbell;

namespace {

struct mask_that_throws {
    struct token {};

    static constexpr bool effective = true;
    token mask();
    void restore(token);
};

} // namespace

TEST_CASE("in a process there are no interrupts to mask, and the type says so", "[inv:T9]") {
    STATIC_CHECK(interrupt_mask<cpu_interrupts>);
    STATIC_CHECK_FALSE(cpu_interrupts::effective);
    auto const token = cpu_interrupts::mask(); // would end the process if it were tried
    cpu_interrupts::restore(token);
    SUCCEED("still here");
}

TEST_CASE("a mask does not throw") {
    STATIC_CHECK(mask_that_throws::effective);
    STATIC_CHECK_FALSE(interrupt_mask<mask_that_throws>);
    STATIC_CHECK_FALSE(interrupt_mask<int>);
}
