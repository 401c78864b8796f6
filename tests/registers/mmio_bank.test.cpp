// SPDX-License-Identifier: BSL-1.0
#include <doorbell/registers/mmio_bank.hpp>

#include "fault_counter.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstdint>
#include <cstring>

#if defined(__linux__) && defined(__x86_64__)
#    include <csignal>
#    include <sys/mman.h>
#    include <ucontext.h>
#    include <unistd.h>
#endif

using doorbell::mmio_bank;

namespace {

mmio_bank over(void* words) {
    return mmio_bank{reinterpret_cast<std::uintptr_t>(words)};
}

} // namespace

TEST_CASE("registers are little endian whatever the processor", "[inv:R3]") {
    alignas(4) std::array<unsigned char, 8> bytes{0, 0, 0, 0, 0x78, 0x56, 0x34, 0x12};
    mmio_bank const bank = over(bytes.data());
    CHECK(bank.load(4) == 0x1234'5678U);
    bank.store(0, 0xA1B2'C3D4U);
    CHECK(bytes == std::array<unsigned char, 8>{0xD4, 0xC3, 0xB2, 0xA1, 0x78, 0x56, 0x34, 0x12});
}

TEST_CASE("a store changes its register and no neighbour", "[inv:R3]") {
    std::uint32_t words[3]{0x1111'1111U, 0x2222'2222U, 0x3333'3333U};
    over(words).store(4, 0);
    CHECK(words[0] == 0x1111'1111U);
    CHECK(words[1] == 0);
    CHECK(words[2] == 0x3333'3333U);
}

TEST_CASE("copies of a bank are handles on the same registers") {
    std::uint32_t word = 0;
    mmio_bank const bank = over(&word);
    mmio_bank const copy = bank;
    copy.store(0, 7);
    CHECK(bank.load(0) == 7);
}

TEST_CASE("a bank sits in constant initialisation") {
    static constinit mmio_bank global{0x4000'0000U};
    mmio_bank const copy = global;
    static_cast<void>(copy);
    STATIC_CHECK(sizeof(mmio_bank) == sizeof(std::uintptr_t));
}

#if DOORBELL_TEST_FAULTS

namespace {

// No sanitizer may look at the word first: its look would be an access too.
[[gnu::noinline, gnu::no_sanitize_address]] std::uint32_t load_once(mmio_bank bank) {
    return bank.load(8);
}

[[gnu::noinline, gnu::no_sanitize_address]] void store_once(mmio_bank bank) {
    bank.store(8, 0x1234'5678U);
}

} // namespace

TEST_CASE("a load and a store are one access each, as the processor counts them", "[inv:R3]") {
    unsigned after_store = 0;
    unsigned after_load = 0;
    unsigned writes = 0;
    std::uint32_t value = 0;
    {
        fault_counter const counter{};
        mmio_bank const bank = over(fault_counter::page);
        store_once(bank);
        after_store = fault_counter::faults;
        writes = fault_counter::writes;
        value = load_once(bank);
        after_load = fault_counter::faults;
    }
    CHECK(after_store == 1);
    CHECK(writes == 1);
    CHECK(after_load == 2);
    CHECK(value == 0x1234'5678U);
}

#endif
