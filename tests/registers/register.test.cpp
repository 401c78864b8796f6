// SPDX-License-Identifier: BSL-1.0
#include <doorbell/registers/register.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

using namespace doorbell;

TEST_CASE("a field covers its bits and no others, at both ends of the word") {
    STATIC_CHECK(field<0, 0, access::read_write>::mask == 0x0000'0001U);
    STATIC_CHECK(field<31, 31, access::read_write>::mask == 0x8000'0000U);
    STATIC_CHECK(field<31, 0, access::read_write>::mask == 0xFFFF'FFFFU);
    STATIC_CHECK(field<12, 8, access::read_write>::mask == 0x0000'1F00U);
    STATIC_CHECK(field<31, 24, access::read_write>::mask == 0xFF00'0000U);
}

TEST_CASE("a field's value goes into the word and comes out again") {
    using threshold = field<12, 8, access::read_write>;
    STATIC_CHECK(threshold::put(0x1F) == 0x1F00U);
    STATIC_CHECK(threshold::get(0xFFFF'EAFFU) == 0x0AU);
    STATIC_CHECK(threshold::get(threshold::put(21)) == 21);
    using top = field<31, 31, access::read_write>;
    STATIC_CHECK(top::get(top::put(1)) == 1);
    using word = field<31, 0, access::read_write>;
    STATIC_CHECK(word::get(word::put(0xDEAD'BEEFU)) == 0xDEAD'BEEFU);
}

TEST_CASE("a value that is too wide for its field does not spill into the next") {
    using low = field<3, 0, access::read_write>;
    STATIC_CHECK(low::put(0x1F) == 0xFU);
    using middle = field<7, 4, access::read_write>;
    STATIC_CHECK(middle::put(0x1F) == 0xF0U);
}

TEST_CASE("a register knows which bits have which access kind", "[inv:R1]") {
    using mixed = reg32<
        0x4C, field<7, 0, access::read_write>, field<12, 8, access::read_write>, field<16, 16, access::self_clearing>,
        field<20, 20, access::read_only>, field<31, 31, access::read_write>>;
    STATIC_CHECK(mixed::offset == 0x4C);
    STATIC_CHECK(mixed::bits<access::read_write> == 0x8000'1FFFU);
    STATIC_CHECK(mixed::bits<access::self_clearing> == 0x0001'0000U);
    STATIC_CHECK(mixed::bits<access::read_only> == 0x0010'0000U);
    STATIC_CHECK(mixed::bits<access::write_1_to_clear> == 0);

    using plain = reg32<0x20, access::write_1_to_clear>;
    STATIC_CHECK(plain::bits<access::write_1_to_clear> == 0xFFFF'FFFFU);
    STATIC_CHECK(plain::bits<access::read_write> == 0);
}
