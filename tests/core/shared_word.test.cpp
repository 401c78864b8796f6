// SPDX-License-Identifier: BSL-1.0
#include <doorbell/core/shared_word.hpp>

#include <catch2/catch_test_macros.hpp>

#include <type_traits>

namespace {

using doorbell::shared_word;

constexpr bool exchanges() {
    shared_word word{3};
    bool const gave = word.exchange(7) == 3;
    return gave and word.load() == 7;
}

constexpr bool stores() {
    shared_word word;
    bool const empty = word.load() == 0;
    word.store(0xFFFF'FFFF);
    return empty and word.load() == 0xFFFF'FFFF;
}

static_assert(stores());
static_assert(exchanges());

// It is a plain word, so that a core which holds some is constinit and costs no start-up code.
static_assert(sizeof(shared_word) == 4 and alignof(shared_word) == 4);
static_assert(std::is_trivially_copyable_v<shared_word> and std::is_trivially_destructible_v<shared_word>);
static_assert(std::is_nothrow_default_constructible_v<shared_word>);
static_assert(not std::is_convertible_v<std::uint32_t, shared_word>);

} // namespace

TEST_CASE("A shared word starts as 0 or as what it is given", "[shared_word]") {
    CHECK(shared_word{}.load() == 0);
    CHECK(shared_word{9}.load() == 9);
}

TEST_CASE("A shared word keeps what was stored, also at run time", "[shared_word]") {
    shared_word word;
    for (std::uint32_t const value : {1U, 0x8000'0000U, 0xFFFF'FFFFU, 0U}) {
        word.store(value);
        CHECK(word.load() == value);
    }
}

TEST_CASE("An exchange answers what was there before and leaves the new value", "[shared_word]") {
    shared_word word{5};
    CHECK(word.exchange(6) == 5);
    CHECK(word.exchange(0) == 6);
    CHECK(word.load() == 0);
}
