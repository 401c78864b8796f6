// SPDX-License-Identifier: BSL-1.0
#include <catch2/catch_test_macros.hpp>
#include <doorbell/testing/ufshci/errors.hpp>
#include <string>

using namespace doorbell::testing;

TEST_CASE("Every error has a sentence of its own") {
    for (unsigned i = 0; i < static_cast<unsigned>(driver_error::count); ++i) {
        std::string const text = describe(static_cast<driver_error>(i));
        CHECK(text.size() > 10);
        for (unsigned j = 0; j < i; ++j) {
            CHECK(text != describe(static_cast<driver_error>(j)));
        }
    }
}

TEST_CASE("The list keeps the first errors and counts all") {
    error_list list;
    CHECK(list.empty());
    for (std::uint32_t i = 0; i < 100; ++i) {
        list.add({driver_error::ring_busy, 0x58, i, 0});
    }
    CHECK(list.total() == 100);
    CHECK(list.size() == error_list::capacity);
    CHECK(list[0].value == 0);
    CHECK(list[31].value == 31);
    CHECK(list.count(driver_error::ring_busy) == 100);
    CHECK(list.count(driver_error::outside) == 0);
    list.clear();
    CHECK(list.empty());
    CHECK(list.count(driver_error::ring_busy) == 0);
}
