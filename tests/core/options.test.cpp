// SPDX-License-Identifier: BSL-1.0
#include <doorbell/core/options.hpp>

#include <catch2/catch_test_macros.hpp>

#include <type_traits>

using namespace doorbell;

namespace {

struct colour_family;
struct size_family;

struct red {
    using family = colour_family;
};

struct large {
    using family = size_family;
};

struct no_option {};

} // namespace

TEST_CASE("an option is what names its family") {
    STATIC_CHECK(option<red>);
    STATIC_CHECK_FALSE(option<no_option>);
    STATIC_CHECK_FALSE(option<int>);
}

TEST_CASE("the chosen option is found whatever the order, the default when none was chosen") {
    STATIC_CHECK(std::is_same_v<options<red, large>::get<colour_family, int>, red>);
    STATIC_CHECK(std::is_same_v<options<large, red>::get<colour_family, int>, red>);
    STATIC_CHECK(std::is_same_v<options<large>::get<colour_family, int>, int>);
    STATIC_CHECK(std::is_same_v<options<>::get<colour_family, int>, int>);
}

TEST_CASE("an option belongs to the families that list its own") {
    STATIC_CHECK(of_family<red, size_family, colour_family>);
    STATIC_CHECK_FALSE(of_family<red, size_family>);
    STATIC_CHECK_FALSE(of_family<red>);
}
