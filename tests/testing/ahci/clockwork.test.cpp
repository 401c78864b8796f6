// SPDX-License-Identifier: BSL-1.0
#include <doorbell/testing/ahci/clockwork.hpp>

#include <catch2/catch_test_macros.hpp>

using namespace doorbell::testing;

TEST_CASE("A timer is armed for a time from now on, and what never comes is not armed") {
    ahci_clockwork shared{ahci_knobs{}};
    shared.now = 40;
    shared.arm(3, 2);
    CHECK(shared.timers.next() == 42);
    shared.arm(4, timer_table::never);
    CHECK_FALSE(shared.timers.armed(4));
    shared.arm(5, timer_table::never - 40); // beyond the end of time
    CHECK_FALSE(shared.timers.armed(5));
}
