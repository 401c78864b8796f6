// SPDX-License-Identifier: BSL-1.0
#include <doorbell/timeout/control.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

using namespace doorbell;

TEST_CASE("A control command is taken once, by its end or by its timeout", "[inv:X4]") {
    control_deadlines<3, std::uint32_t> all;
    using at = deadline<std::uint32_t>;
    all.arm(tag{0}, at{100});
    all.arm(tag{2}, at{50});
    CHECK(all.due(49).empty());
    CHECK(all.due(50) == tag_set<3>{tag{2}});
    CHECK(all.take(tag{2}));
    CHECK_FALSE(all.take(tag{2}));
    CHECK(all.due(100) == tag_set<3>{tag{0}});
    CHECK_FALSE(all.take(tag{1}));  // never armed
    CHECK_FALSE(all.take(tag{77})); // no such number
    unsigned armed = 0;
    all.each_deadline([&armed](at) noexcept { ++armed; });
    CHECK(armed == 1);
}
