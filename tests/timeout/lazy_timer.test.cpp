// SPDX-License-Identifier: BSL-1.0
#include <doorbell/timeout/lazy_timer.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <limits>

using namespace doorbell;

TEST_CASE(
    "The timer is armed when it is not, and moved for a deadline earlier by more than the tolerance", "[inv:X1]") {
    lazy_timer<std::uint32_t, 10> t;
    using at = deadline<std::uint32_t>;
    CHECK_FALSE(t.armed());
    CHECK_FALSE(t.covers(at{1000}));
    CHECK(t.want(at{1000}));
    CHECK(t.at() == at{1000});
    CHECK_FALSE(t.want(at{2000})); // later: it fires early enough
    CHECK_FALSE(t.want(at{1000}));
    CHECK_FALSE(t.want(at{990})); // earlier by the tolerance
    CHECK(t.at() == at{1000});
    CHECK(t.want(at{989}));
    CHECK(t.at() == at{989});
    t.fired();
    CHECK_FALSE(t.armed());
    CHECK_FALSE(t.covers(at{5000}));
    CHECK(t.want(at{5000}));
}

TEMPLATE_TEST_CASE(
    "Earlier and later are told right across the wrap of the counter", "[inv:X1][inv:B3]", std::uint16_t, std::uint32_t,
    std::uint64_t) {
    using at = deadline<TestType>;
    TestType const top = std::numeric_limits<TestType>::max();
    lazy_timer<TestType, 3> t;
    CHECK(t.want(at{5})); // after the wrap
    CHECK(t.covers(at{6}));
    CHECK(t.covers(at{2}));
    CHECK_FALSE(t.covers(at{1}));
    CHECK_FALSE(t.covers(at{static_cast<TestType>(top - 5)})); // before it: earlier
    CHECK(t.want(at{static_cast<TestType>(top - 5)}));
    CHECK_FALSE(t.want(at{5}));
    t.fired();
    CHECK(t.want(at{0})); // 0 is a moment like any other
    CHECK(t.armed());
    CHECK_FALSE(t.want(at{0}));
}
