// SPDX-License-Identifier: BSL-1.0
#include <doorbell/controllers/ufshci/descriptor.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>

namespace {

using namespace doorbell;
using ufs::utrd;

constexpr bool cleared() {
    utrd descriptor{};
    for (std::uint32_t& word : descriptor.word) {
        word = 0xFFFF'FFFF;
    }
    ufs::clear(descriptor);
    bool zero = true;
    for (std::size_t i = 0; i < 8; ++i) {
        zero = zero and descriptor.word[i] == (i == 2 ? 0x0FU : 0U);
    }
    return zero;
}

} // namespace

TEST_CASE("A descriptor has the size that hardware walks by", "[ufshci]") {
    STATIC_CHECK(sizeof(utrd) == 32);
    STATIC_CHECK(ufs::utrd_interrupt == 0x0100'0000);
}

TEST_CASE("A cleared descriptor holds nothing but the status that no hardware writes at the end", "[inv:T11]") {
    STATIC_CHECK(cleared());
    utrd descriptor{};
    CHECK(ufs::response(descriptor) == outcome::success); // why zero alone would not do
    ufs::clear(descriptor);
    CHECK(ufs::response(descriptor) == outcome::not_written);
    CHECK_FALSE(is_final(ufs::response(descriptor)));
}

TEST_CASE("Only the status byte of word 2 is the status", "[inv:T11]") {
    utrd descriptor{};
    for (std::uint32_t const status : {0x0U, 0x5U, 0xFU, 0xA7U}) {
        descriptor.word[2] = 0xFFFF'FF00U | status;
        CHECK(static_cast<std::uint32_t>(ufs::response(descriptor)) == status);
    }
}

TEST_CASE("The status is read anew each time: hardware writes behind the compiler's back", "[inv:T11]") {
    utrd descriptor{};
    ufs::clear(descriptor);
    utrd const& seen = descriptor;
    CHECK(ufs::response(seen) == outcome::not_written);
    descriptor.word[2] = 0x1;
    CHECK(ufs::response(seen) == outcome{0x1});
}
