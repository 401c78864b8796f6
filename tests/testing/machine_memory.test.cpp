// SPDX-License-Identifier: BSL-1.0
#include <catch2/catch_test_macros.hpp>
#include <doorbell/testing/machine_memory.hpp>

using doorbell::testing::machine_memory;

TEST_CASE("Coherent memory is one array") {
    machine_memory m(4096, 0x1000, false);
    *m.host(0x1010, 1) = 7;
    CHECK(*m.device(0x1010, 1) == 7);
    CHECK_FALSE(m.split());
    CHECK_FALSE(m.unpublished(0x1010, 1));
}

TEST_CASE("Addresses outside give nothing, however they overflow") {
    machine_memory m(4096, 0x1000, false);
    CHECK(m.host(0xFFF, 1) == nullptr);
    CHECK(m.host(0x2000, 1) == nullptr);
    CHECK(m.host(0x1FFF, 2) == nullptr);
    CHECK(m.host(0x1FFF, 1) != nullptr);
    CHECK(m.host(~0ull, 2) == nullptr);
    CHECK(m.host(0x1000, ~std::size_t{0}) == nullptr);
    machine_memory none(0, 0, false);
    CHECK(none.host(0, 1) == nullptr);
}

TEST_CASE("Split memory crosses only when told, and only what the side changed") {
    machine_memory m(4096, 0, true);
    *m.host(100, 1) = 1;
    CHECK(*m.device(100, 1) == 0);
    CHECK(m.unpublished(100, 1));
    CHECK_FALSE(m.unpublished(101, 1));
    *m.device(101, 1) = 2; // the same cache line
    m.publish();
    CHECK(*m.device(100, 1) == 1);
    CHECK(*m.device(101, 1) == 2);
    CHECK(*m.host(101, 1) == 0);
    m.fetch();
    CHECK(*m.host(100, 1) == 1);
    CHECK(*m.host(101, 1) == 2);
    CHECK_FALSE(m.unpublished(0, 4096));
}

TEST_CASE("A range crosses alone") {
    machine_memory m(4096, 0, true);
    *m.host(0, 1) = 1;
    *m.host(200, 1) = 2;
    m.publish(200, 8);
    CHECK(*m.device(0, 1) == 0);
    CHECK(*m.device(200, 1) == 2);
    m.publish(4090, 100); // not inside: nothing happens
    m.fetch(0, 0);
    *m.device(300, 1) = 3;
    *m.device(400, 1) = 4;
    m.fetch(300, 1);
    CHECK(*m.host(300, 1) == 3);
    CHECK(*m.host(400, 1) == 0);
}
