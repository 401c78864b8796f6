// SPDX-License-Identifier: BSL-1.0
#include <catch2/catch_test_macros.hpp>
#include <doorbell/testing/ufshci/queue_ring.hpp>

using doorbell::testing::queue_ring;

TEST_CASE("A ring knows its size from the attribute, and moves in whole entries") {
    queue_ring r;
    CHECK_FALSE(r.enabled());
    CHECK(r.configure(0x80000207));
    CHECK(r.enabled());
    CHECK(r.bytes() == 65 * 32);
    CHECK(r.advance(0) == 32);
    CHECK(r.advance(64 * 32) == 0);
    CHECK(r.distance(32, 96) == 64);
    CHECK(r.distance(64 * 32, 32) == 64);
    CHECK(r.distance(5 * 32, 5 * 32) == 0);
}

TEST_CASE("A ring that holds no two whole entries is refused and changes nothing") {
    queue_ring r;
    CHECK(r.configure(0x8000000F)); // two entries
    CHECK_FALSE(r.configure(0x80000007));
    CHECK_FALSE(r.configure(0x80000010));
    CHECK(r.bytes() == 64);
    CHECK(r.configure(0)); // disabling is always possible
    CHECK_FALSE(r.enabled());
}
