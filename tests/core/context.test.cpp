// SPDX-License-Identifier: BSL-1.0
#include <doorbell/core/context.hpp>

#include <catch2/catch_test_macros.hpp>

#include <type_traits>

using namespace doorbell;

TEST_CASE("code for any context may be entered from each, other code only from its own") {
    STATIC_CHECK(may_enter<hard_context, any_context>);
    STATIC_CHECK(may_enter<thread_context, any_context>);
    STATIC_CHECK(may_enter<any_context, any_context>);
    STATIC_CHECK(may_enter<hard_context, hard_context>);
    STATIC_CHECK(may_enter<thread_context, thread_context>);
    STATIC_CHECK_FALSE(may_enter<hard_context, thread_context>);
    STATIC_CHECK_FALSE(may_enter<thread_context, hard_context>);
    STATIC_CHECK_FALSE(may_enter<any_context, thread_context>);
    STATIC_CHECK_FALSE(may_enter<any_context, hard_context>);
    STATIC_CHECK_FALSE(may_enter<int, any_context>);
}

TEST_CASE("a claimed request turns into the form for any context and into no other", "[inv:D6]") {
    STATIC_CHECK(std::is_convertible_v<claimed<hard_context>, claimed<any_context>>);
    STATIC_CHECK(std::is_convertible_v<claimed<thread_context>, claimed<any_context>>);
    STATIC_CHECK_FALSE(std::is_constructible_v<claimed<thread_context>, claimed<hard_context>>);
    STATIC_CHECK_FALSE(std::is_constructible_v<claimed<thread_context>, claimed<any_context>>);
    STATIC_CHECK_FALSE(std::is_constructible_v<claimed<hard_context>, claimed<thread_context>>);
    STATIC_CHECK_FALSE(std::is_convertible_v<tag, claimed<any_context>>);

    constexpr claimed<any_context> any = claimed<hard_context>{tag{31}};
    STATIC_CHECK(any.get() == tag{31});
    STATIC_CHECK(any.index() == 31);
}

TEST_CASE("raised causes turn into the form for any context and into no other", "[inv:D6]") {
    STATIC_CHECK(std::is_convertible_v<raised<hard_context>, raised<any_context>>);
    STATIC_CHECK(std::is_convertible_v<raised<thread_context>, raised<any_context>>);
    STATIC_CHECK_FALSE(std::is_constructible_v<raised<thread_context>, raised<hard_context>>);
    STATIC_CHECK_FALSE(std::is_constructible_v<raised<thread_context>, raised<any_context>>);
    STATIC_CHECK_FALSE(std::is_convertible_v<std::uint32_t, raised<any_context>>);

    constexpr raised<any_context> any = raised<thread_context>{0x8000'0400U};
    STATIC_CHECK(any.bits() == 0x8000'0400U);
}

TEST_CASE("the context in the type takes no room") {
    STATIC_CHECK(sizeof(claimed<hard_context>) == sizeof(unsigned));
    STATIC_CHECK(sizeof(raised<thread_context>) == sizeof(std::uint32_t));
}
