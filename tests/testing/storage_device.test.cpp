// SPDX-License-Identifier: BSL-1.0
#include <catch2/catch_test_macros.hpp>
#include <doorbell/testing/storage_device.hpp>

using doorbell::testing::storage_device;

TEST_CASE("A cached write is read back at once and lost with the power") {
    storage_device d(8);
    CHECK(d.write(3, 30) == 1);
    CHECK(d.read(3) == 30);
    CHECK(d.durable(3) == 0);
    auto const lost = d.cut();
    REQUIRE(lost.size() == 1);
    CHECK(lost[0].id == 1);
    CHECK(lost[0].block == 3);
    CHECK(lost[0].stamp == 30);
    CHECK(d.read(3) == 0);
}

TEST_CASE("A flush covers what was acknowledged before it began, and no more") {
    storage_device d(8);
    d.write(0, 10);
    auto const flush = d.flush_begin();
    d.write(1, 11);
    d.write(0, 12);
    CHECK(d.at_risk().size() == 3);
    d.flush_end(flush);
    REQUIRE(d.at_risk().size() == 2);
    CHECK(d.durable(0) == 10);
    CHECK(d.read(0) == 12);
    CHECK(d.cut().size() == 2);
    CHECK(d.read(0) == 10);
    CHECK(d.read(1) == 0);
}

TEST_CASE("A flush that fails covers nothing") {
    storage_device d(8);
    d.write(0, 10);
    d.flush_end(d.flush_begin(), false);
    CHECK(d.at_risk().size() == 1);
    CHECK(d.flushes() == 1);
}

TEST_CASE("Force unit access is durable at once and replaces older writes of the block") {
    storage_device d(8);
    d.write(2, 1);
    d.write(2, 2, true);
    CHECK(d.at_risk().empty());
    CHECK(d.durable(2) == 2);
    d.write(2, 3);
    CHECK(d.at_risk().size() == 1);
}

TEST_CASE("An older flush does not put an older write over a newer durable one") {
    storage_device d(8);
    d.write(2, 1);
    auto const flush = d.flush_begin();
    d.write(2, 2, true);
    d.flush_end(flush);
    CHECK(d.durable(2) == 2);
    d.cut();
    CHECK(d.read(2) == 2);
}

TEST_CASE("The cache may write back by itself") {
    storage_device d(8);
    d.write(1, 5);
    d.write(2, 6);
    d.write_back(1);
    REQUIRE(d.at_risk().size() == 1);
    CHECK(d.at_risk()[0].block == 2);
}

TEST_CASE("Without a cache every write is durable; outside of the device nothing happens") {
    storage_device d(8, false);
    d.write(1, 5);
    CHECK(d.durable(1) == 5);
    CHECK(d.cut().empty());
    CHECK(d.write(8, 1) == 0);
    CHECK(d.read(8) == 0);
    CHECK(d.durable(~0ull) == 0);
}
