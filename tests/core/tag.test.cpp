// SPDX-License-Identifier: BSL-1.0
#include <doorbell/core/tag.hpp>

#include <catch2/catch_test_macros.hpp>

#include <type_traits>

using doorbell::tag;

TEST_CASE("a tag compares by its index") {
    STATIC_CHECK(tag{3} == tag{3});
    STATIC_CHECK(tag{3} != tag{4});
    STATIC_CHECK(tag{3} < tag{4});
    STATIC_CHECK(tag{31} > tag{4});
}

TEST_CASE("a number does not become a tag by itself, nor a tag a number") {
    STATIC_CHECK_FALSE(std::is_convertible_v<unsigned, tag>);
    STATIC_CHECK_FALSE(std::is_convertible_v<tag, unsigned>);
}

TEST_CASE("a tag costs what an unsigned costs") {
    STATIC_CHECK(sizeof(tag) == sizeof(unsigned));
    STATIC_CHECK(std::is_trivially_copyable_v<tag>);
}
