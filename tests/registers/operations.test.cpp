// SPDX-License-Identifier: BSL-1.0
#include <doorbell/registers/operations.hpp>

#include <doorbell/registers/memory_bank.hpp>
#include <doorbell/registers/register.hpp>

#include "recording_bank.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <vector>

using namespace doorbell;

namespace {

using kind = step::kind;
using steps = std::vector<step>;

using causes = reg32<0x20, access::write_1_to_clear>;
using enables = reg32<0x24, access::read_write>;
using doorbells = reg32<0x58, access::write_1_to_set>;
using slot_clear = reg32<0x5C, access::write_0_to_clear>;
using aggregation = reg32<
    0x4C, field<7, 0, access::read_write>, field<16, 16, access::self_clearing>, field<20, 20, access::read_only>>;
using status = reg32<0x30, field<3, 0, access::read_only>, field<5, 4, access::write_1_to_clear>>;
using some_doorbells = reg32<0x78, field<7, 0, access::write_1_to_set>, field<31, 8, access::read_only>>;

} // namespace

TEST_CASE("a read is one load", "[inv:R3]") {
    recording_bank bank{0xA5A5'0001U};
    CHECK(read<enables>(bank) == 0xA5A5'0001U);
    CHECK(bank.steps == steps{{kind::load, 0x24, 0xA5A5'0001U}});
}

TEST_CASE("a write is one store of the whole word and reads nothing", "[inv:R3]") {
    recording_bank bank{0xFFFF'FFFFU};
    write<enables>(bank, 0x0000'0401U);
    write<aggregation>(bank, 0x0001'0020U);
    CHECK(bank.steps == steps{{kind::store, 0x24, 0x401U}, {kind::store, 0x4C, 0x0001'0020U}});
}

TEST_CASE("an acknowledgement stores exactly the bits it is given and reads nothing", "[inv:R1]") {
    recording_bank bank{0xFFFF'FFFFU};
    acknowledge<causes>(bank, 0x8000'0401U);
    CHECK(bank.steps == steps{{kind::store, 0x20, 0x8000'0401U}});
}

TEST_CASE("an acknowledgement leaves the other fields of its register alone", "[inv:R1]") {
    recording_bank bank{};
    acknowledge<status>(bank, 0xFFFF'FFFFU);
    CHECK(bank.steps == steps{{kind::store, 0x30, 0x30U}});
}

TEST_CASE("a ring is the barrier and then one store of ones for the new slots only", "[inv:R4][U.D1]") {
    recording_bank bank{0x0000'000FU};
    ring<doorbells>(bank, 0x8000'0000U);
    CHECK(bank.steps == steps{{kind::before_doorbell}, {kind::store, 0x58, 0x8000'0000U}});
}

TEST_CASE("a ring writes zeros where the register is no doorbell", "[inv:R1]") {
    recording_bank bank{};
    ring<some_doorbells>(bank, 0x1FFU);
    CHECK(bank.steps == steps{{kind::before_doorbell}, {kind::store, 0x78, 0xFFU}});
}

TEST_CASE("slots are cleared by zeros for them and ones for all others, without a read", "[inv:R1]") {
    recording_bank bank{0};
    clear_slots<slot_clear>(bank, 0x8000'0001U);
    CHECK(bank.steps == steps{{kind::store, 0x5C, 0x7FFF'FFFEU}});
}

TEST_CASE("read-modify-write changes what it is told and writes garbage around it back untouched", "[inv:R1]") {
    for (std::uint32_t const garbage : {0x0000'0000U, 0xFFFF'FFFFU, 0xA5A5'5A5AU, 0x1234'5678U}) {
        recording_bank bank{garbage};
        modify<enables>(bank, 0x0000'00F0U, 0x8000'0010U);
        CHECK(
            bank.steps ==
            steps{{kind::load, 0x24, garbage}, {kind::store, 0x24, (garbage & 0xFFFF'FF0FU) | 0x8000'0010U}});
    }
}

TEST_CASE("a bit that is both cleared and set ends up set") {
    recording_bank bank{0};
    modify<enables>(bank, 0x10U, 0x10U);
    CHECK(bank.steps.back() == step{kind::store, 0x24, 0x10U});
}

TEST_CASE("operations work in constant evaluation") {
    constexpr auto value = [] {
        memory_bank<0x100> bank{};
        write<enables>(bank, 0xF0U);
        modify<enables>(bank, 0x30U, 0x1U);
        return read<enables>(bank);
    };
    constexpr std::uint32_t result = value();
    CHECK(result == 0xC1U);
}
