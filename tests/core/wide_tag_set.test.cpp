// SPDX-License-Identifier: BSL-1.0
#include <doorbell/core/wide_tag_set.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <ranges>
#include <type_traits>
#include <vector>

using doorbell::tag;
using doorbell::tag_set;

namespace {

template <std::size_t N>
std::vector<unsigned> indices(tag_set<N> const& set) {
    std::vector<unsigned> found;
    for (tag const t : set) {
        found.push_back(t.index);
    }
    return found;
}

template <std::size_t N>
tag_set<N> of(std::bitset<N> const& bits) {
    tag_set<N> set{};
    for (unsigned i = 0; i != N; ++i) {
        if (bits[i]) {
            set.insert(tag{i});
        }
    }
    return set;
}

template <std::size_t N>
std::bitset<N> random_bits(std::uint32_t& state) {
    std::bitset<N> bits;
    for (unsigned i = 0; i != N; ++i) {
        state = state * 1664525U + 1013904223U;
        bits[i] = (state >> 31U) != 0;
    }
    return bits;
}

} // namespace

TEST_CASE("a set of up to 64 tags is still the set of one word") {
    STATIC_CHECK(sizeof(tag_set<64>) == 8);
    STATIC_CHECK(sizeof(tag_set<65>) == 16);
    STATIC_CHECK(sizeof(tag_set<4096>) == 512);
    STATIC_CHECK(tag_set<65>::words == 2);
}

TEMPLATE_TEST_CASE_SIG(
    "every tag goes in and out of a wide set, at the seams of words too", "[U.B12]", ((std::size_t N), N), 65, 127, 128,
    129, 200) {
    tag_set<N> set{};
    REQUIRE(set.empty());
    for (unsigned i = 0; i != N; ++i) {
        REQUIRE_FALSE(set.contains(tag{i}));
        REQUIRE(set.first_clear() == tag{i});
        set.insert(tag{i});
        REQUIRE(set.contains(tag{i}));
        REQUIRE(set.size() == i + 1);
        REQUIRE(set.single() == (i == 0));
        REQUIRE(tag_set<N>{tag{i}}.front() == tag{i});
        REQUIRE(tag_set<N>{tag{i}}.single());
        REQUIRE(indices(tag_set<N>{tag{i}}) == std::vector<unsigned>{i});
    }
    REQUIRE(set == tag_set<N>::all());
    REQUIRE(set.first_clear() == tag{N});
    for (unsigned i = 0; i != N; ++i) {
        REQUIRE(set.front() == tag{i});
        if (i % 2 == 0) {
            set.pop_front();
        } else {
            set.erase(tag{i});
        }
        REQUIRE_FALSE(set.contains(tag{i}));
    }
    REQUIRE(set.empty());
    REQUIRE(set.begin() == set.end());
    set.pop_front();
    REQUIRE(set.empty());
}

TEST_CASE("no bit at or above the capacity of a wide set is ever set") {
    STATIC_CHECK(tag_set<100>::all().size() == 100);
    STATIC_CHECK((~tag_set<100>::all()).empty());
    tag_set<100> set{};
    set.set_raw(0, ~std::uint64_t{0});
    set.set_raw(1, ~std::uint64_t{0});
    CHECK(set == tag_set<100>::all());
    CHECK(set.raw(1) == (std::uint64_t{1} << 36U) - 1);
}

TEST_CASE("a walk over a wide set skips empty words and stops at the last tag") {
    tag_set<256> set{};
    CHECK(indices(set).empty());
    for (unsigned const i : {0U, 63U, 64U, 200U, 255U}) {
        set.insert(tag{i});
    }
    CHECK(indices(set) == std::vector<unsigned>{0, 63, 64, 200, 255});
    set.erase(tag{255});
    CHECK(indices(set) == std::vector<unsigned>{0, 63, 64, 200});
}

TEST_CASE("equal bits in different words are different places") {
    tag_set<128> set{};
    set.insert(tag{5});
    set.insert(tag{69});
    auto const first = set.begin();
    auto second = first;
    ++second;
    CHECK(first != second);
    CHECK(*second == tag{69});
    CHECK(second++ != set.end());
    CHECK(second == set.end());
}

TEST_CASE("wide set algebra is that of sets of numbers") {
    constexpr std::size_t n = 150;
    std::uint32_t state = 99;
    for (int round = 0; round != 50; ++round) {
        auto const x = random_bits<n>(state);
        auto const y = random_bits<n>(state);
        auto const s = of(x);
        auto const t = of(y);
        REQUIRE((s | t) == of(x | y));
        REQUIRE((s & t) == of(x & y));
        REQUIRE((s ^ t) == of(x ^ y));
        REQUIRE((s - t) == of(x & ~y));
        REQUIRE((~s) == of(~x));
        REQUIRE(s.size() == x.count());
        REQUIRE(s.intersects(t) == (x & y).any());
        REQUIRE(s.subset_of(t) == (x & ~y).none());
        REQUIRE((s & t).subset_of(t));
        REQUIRE_FALSE((s - t).intersects(t));
    }
}

TEST_CASE("a wide set is a forward range of the standard library") {
    using set = tag_set<100>;
    STATIC_CHECK(std::ranges::forward_range<set>);
    STATIC_CHECK(std::ranges::forward_range<set const>);
    STATIC_CHECK(std::ranges::common_range<set const>);
    STATIC_CHECK(std::ranges::sized_range<set const>);
    STATIC_CHECK(std::is_same_v<std::ranges::range_value_t<set>, tag>);
    CHECK(std::ranges::distance(set::all()) == 100);
    CHECK(std::ranges::is_sorted(set::all()));
}
