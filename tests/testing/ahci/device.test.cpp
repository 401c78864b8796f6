// SPDX-License-Identifier: BSL-1.0
#include <doorbell/testing/ahci/device.hpp>

#include <catch2/catch_test_macros.hpp>

#include <numeric>

using doorbell::testing::sata_device;

TEST_CASE("After a queued command failed a disk refuses until its log was read, which tells the slot") {
    sata_device disk;
    CHECK_FALSE(disk.refusing());
    disk.fail(17, true, 0x40);
    CHECK(disk.refusing());
    auto const page = disk.read_log();
    CHECK_FALSE(disk.refusing());
    CHECK(page[0] == 17);
    CHECK(page[2] == sata_device::status_failed);
    CHECK(page[3] == 0x40);
    CHECK(std::accumulate(page.begin(), page.end(), 0U) % 256 == 0);
}

TEST_CASE("A command that is not queued says so in the log, and stops nothing") {
    sata_device disk;
    disk.fail(3, false, sata_device::aborted);
    CHECK_FALSE(disk.refusing());
    CHECK(disk.read_log()[0] == 0x83);
}

TEST_CASE("A reset ends the refusal and empties the log") {
    sata_device disk;
    disk.fail(3, true, sata_device::aborted);
    disk.reset();
    CHECK_FALSE(disk.refusing());
    CHECK(disk.read_log()[2] == 0);
}
