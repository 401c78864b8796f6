// SPDX-License-Identifier: BSL-1.0
#include <doorbell/registers/dump.hpp>

#include <doorbell/registers/register.hpp>

#include "recording_bank.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

using namespace doorbell;

TEST_CASE("a dump reads each register once, in the order given, and writes nothing", "[inv:R2]") {
    recording_bank bank{0xCAFE'0001U};
    std::vector<std::pair<std::size_t, std::uint32_t>> lines;
    dump<reg32<0x24, access::read_write>, reg32<0x20, access::write_1_to_clear>>(
        bank, [&lines](std::size_t offset, std::uint32_t value) { lines.emplace_back(offset, value); });
    CHECK(lines == std::vector<std::pair<std::size_t, std::uint32_t>>{{0x24, 0xCAFE'0001U}, {0x20, 0xCAFE'0001U}});
    CHECK(
        bank.steps ==
        std::vector<step>{{step::kind::load, 0x24, 0xCAFE'0001U}, {step::kind::load, 0x20, 0xCAFE'0001U}});
}

TEST_CASE("a dump of nothing touches nothing") {
    recording_bank bank{};
    dump<>(bank, [](std::size_t, std::uint32_t) { FAIL("no register was named"); });
    CHECK(bank.steps.empty());
}
