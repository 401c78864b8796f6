// SPDX-License-Identifier: BSL-1.0
#include <doorbell/registers/memory_bank.hpp>

#include <catch2/catch_test_macros.hpp>

using doorbell::memory_bank;

TEST_CASE("every word of a memory bank keeps what is stored and starts at zero") {
    memory_bank<16> bank{};
    for (std::size_t offset = 0; offset != 16; offset += 4) {
        CHECK(bank.load(offset) == 0);
        bank.store(offset, 0xFFFF'FFF0U + static_cast<std::uint32_t>(offset));
    }
    for (std::size_t offset = 0; offset != 16; offset += 4) {
        CHECK(bank.load(offset) == 0xFFFF'FFF0U + offset);
    }
}

TEST_CASE("copies of a memory bank are apart") {
    memory_bank<4> bank{};
    memory_bank<4> copy = bank;
    copy.store(0, 1);
    CHECK(bank.load(0) == 0);
}

TEST_CASE("a memory bank sits in constant initialisation and has no room for anything but its words") {
    static constinit memory_bank<0x100> global{};
    CHECK(global.load(0xFC) == 0);
    STATIC_CHECK(sizeof(global) == 0x100);
}
