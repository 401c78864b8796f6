// SPDX-License-Identifier: BSL-1.0
#include <catch2/catch_test_macros.hpp>
#include <doorbell/testing/ufshci/write_buffer.hpp>

using doorbell::testing::write_buffer;

TEST_CASE("Writes leave in the order in which they came") {
    write_buffer b;
    CHECK(b.empty());
    for (std::uint32_t i = 0; i < 100; ++i) {
        b.push({0x20, i});
        CHECK(b.pop().value == i);
    }
    for (std::uint32_t i = 0; i < 64; ++i) {
        CHECK_FALSE(b.full());
        b.push({0x20, i});
    }
    CHECK(b.full());
    CHECK(b.pop().value == 0);
}

TEST_CASE("A read pushes everything, on a weak bus only up to its own register") {
    write_buffer b;
    b.push({0x20, 1});
    b.push({0x24, 2});
    b.push({0x58, 3});
    CHECK(b.pushed_by(0x00, false) == 3);
    CHECK(b.pushed_by(0x24, true) == 2);
    CHECK(b.pushed_by(0x00, true) == 0);
}
