// SPDX-License-Identifier: BSL-1.0
#include <doorbell/core/tag_set.hpp>

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

// A function and not &tag::index: tags come by value, and a pointer to member would give a reference into one that is
// gone.
constexpr auto index_of = [](tag t) { return t.index; };

template <std::size_t N>
std::vector<unsigned> indices(tag_set<N> set) {
    std::vector<unsigned> found;
    for (tag const t : set) {
        found.push_back(t.index);
    }
    return found;
}

} // namespace

TEST_CASE("a set is one word, and never one narrower than 32 bits") {
    STATIC_CHECK(std::is_same_v<tag_set<1>::word, std::uint32_t>);
    STATIC_CHECK(std::is_same_v<tag_set<8>::word, std::uint32_t>);
    STATIC_CHECK(std::is_same_v<tag_set<32>::word, std::uint32_t>);
    STATIC_CHECK(std::is_same_v<tag_set<33>::word, std::uint64_t>);
    STATIC_CHECK(std::is_same_v<tag_set<64>::word, std::uint64_t>);
    STATIC_CHECK(sizeof(tag_set<32>) == 4);
    STATIC_CHECK(sizeof(tag_set<64>) == 8);
    STATIC_CHECK(std::is_trivially_copyable_v<tag_set<32>>);
}

TEST_CASE("a set does not come from a word or a tag by itself") {
    STATIC_CHECK_FALSE(std::is_convertible_v<std::uint32_t, tag_set<32>>);
    STATIC_CHECK_FALSE(std::is_convertible_v<tag, tag_set<32>>);
    STATIC_CHECK_FALSE(std::is_convertible_v<tag_set<16>, tag_set<32>>);
}

TEST_CASE("a new set is empty and sits in constant initialisation") {
    static constinit tag_set<32> global{};
    STATIC_CHECK(tag_set<32>{}.empty());
    CHECK(global.empty());
    CHECK(global.size() == 0);
    CHECK(global.begin() == global.end());
}

TEMPLATE_TEST_CASE_SIG(
    "every tag goes in and out, the last one too", "[U.B12]", ((std::size_t N), N), 1, 5, 31, 32, 33, 63, 64) {
    tag_set<N> set{};
    for (unsigned i = 0; i != N; ++i) {
        REQUIRE_FALSE(set.contains(tag{i}));
        REQUIRE(set.first_clear() == tag{i});
        set.insert(tag{i});
        REQUIRE(set.contains(tag{i}));
        REQUIRE(set.size() == i + 1);
        REQUIRE(tag_set<N>{tag{i}}.front() == tag{i});
        REQUIRE(tag_set<N>{tag{i}}.single());
        REQUIRE(set.single() == (i == 0));
    }
    REQUIRE(set == tag_set<N>::all());
    REQUIRE(set.first_clear() == tag{N});
    for (unsigned i = 0; i != N; ++i) {
        REQUIRE(set.front() == tag{i});
        set.erase(tag{i});
        REQUIRE_FALSE(set.contains(tag{i}));
        REQUIRE(set.first_clear() == tag{0});
    }
    REQUIRE(set.empty());
}

TEMPLATE_TEST_CASE_SIG(
    "no bit at or above the capacity is ever set", "", ((std::size_t N), N), 1, 5, 31, 32, 33, 63, 64) {
    using set = tag_set<N>;
    constexpr auto ones = static_cast<typename set::word>(~typename set::word{0});
    STATIC_CHECK(set::all().size() == N);
    STATIC_CHECK((~set{}) == set::all());
    STATIC_CHECK((~set::all()).empty());
    STATIC_CHECK(set{ones} == set::all());
    STATIC_CHECK(set{ones}.size() == N);
}

TEST_CASE("a walk visits the tags in ascending order, each once") {
    CHECK(indices(tag_set<32>{0x8000'0101U}) == std::vector<unsigned>{0, 8, 31});
    CHECK(indices(tag_set<64>{0x8000'0001'0000'0002U}) == std::vector<unsigned>{1, 32, 63});
    CHECK(indices(tag_set<32>::all()).size() == 32);
    CHECK(indices(tag_set<32>{}).empty());
}

TEST_CASE("a walk is over the set as it was when it began") {
    tag_set<32> set{0b1011U};
    std::vector<unsigned> seen;
    for (tag const t : set) {
        seen.push_back(t.index);
        set = tag_set<32>::all();
    }
    CHECK(seen == std::vector<unsigned>{0, 1, 3});
}

TEST_CASE("a walk takes a step for each tag that is in, whatever the capacity", "[inv:B4]") {
    unsigned steps = 0;
    tag_set<64> const two{(std::uint64_t{1} << 63U) | 1U};
    for (auto i = two.begin(); i != two.end(); ++i) {
        ++steps;
    }
    CHECK(steps == 2);
}

TEST_CASE("pop_front takes out the lowest tag, and of an empty set nothing") {
    tag_set<32> set{0x8000'0010U};
    set.pop_front();
    CHECK(set == tag_set<32>{tag{31}});
    set.pop_front();
    CHECK(set.empty());
    set.pop_front();
    CHECK(set.empty());
}

TEST_CASE("set algebra is that of sets of numbers") {
    std::uint32_t random = 12345;
    auto const next = [&random] { return random = random * 1664525U + 1013904223U; };
    for (int round = 0; round != 200; ++round) {
        std::uint32_t const a = next();
        std::uint32_t const b = next();
        std::bitset<32> const x{a};
        std::bitset<32> const y{b};
        tag_set<32> const s{a};
        tag_set<32> const t{b};
        REQUIRE((s | t).raw() == (x | y).to_ulong());
        REQUIRE((s & t).raw() == (x & y).to_ulong());
        REQUIRE((s ^ t).raw() == (x ^ y).to_ulong());
        REQUIRE((s - t).raw() == (x & ~y).to_ulong());
        REQUIRE((~s).raw() == (~x).to_ulong());
        REQUIRE(s.size() == x.count());
        REQUIRE(s.intersects(t) == (x & y).any());
        REQUIRE(s.subset_of(t) == ((x & ~y).none()));
        REQUIRE((s & t).subset_of(t));
        REQUIRE_FALSE((s - t).intersects(t));
    }
}

TEST_CASE("compound assignment does what its operator does") {
    static constexpr tag_set<32> a{0b1100U};
    static constexpr tag_set<32> b{0b1010U};
    constexpr auto changed = [](auto operation) {
        tag_set<32> set{a};
        operation(set);
        return set;
    };
    STATIC_CHECK(changed([](auto& s) { s |= b; }) == (a | b));
    STATIC_CHECK(changed([](auto& s) { s &= b; }) == (a & b));
    STATIC_CHECK(changed([](auto& s) { s -= b; }) == (a - b));
    STATIC_CHECK(changed([](auto& s) { s ^= b; }) == (a ^ b));
}

TEST_CASE("the empty set is part of every set and meets none") {
    STATIC_CHECK(tag_set<32>{}.subset_of(tag_set<32>{}));
    STATIC_CHECK(tag_set<32>{}.subset_of(tag_set<32>::all()));
    STATIC_CHECK_FALSE(tag_set<32>{}.intersects(tag_set<32>::all()));
    STATIC_CHECK_FALSE(tag_set<32>::all().subset_of(tag_set<32>{tag{31}}));
}

TEST_CASE("a set is a forward range of the standard library, which is not included for it") {
    using set = tag_set<32>;
    STATIC_CHECK(std::forward_iterator<set::iterator>);
    STATIC_CHECK(std::ranges::forward_range<set>);
    STATIC_CHECK(std::ranges::forward_range<set const>);
    STATIC_CHECK(std::ranges::common_range<set const>);
    STATIC_CHECK(std::ranges::sized_range<set const>);
    STATIC_CHECK_FALSE(std::ranges::bidirectional_range<set const>);
    STATIC_CHECK(std::is_same_v<std::ranges::range_value_t<set>, tag>);

    set const s{0b1111'0000U};
    auto const odd = [](tag t) { return t.index % 2 == 1; };
    std::vector<unsigned> found;
    for (unsigned const i : s | std::views::filter(odd) | std::views::transform(index_of)) {
        found.push_back(i);
    }
    CHECK(found == std::vector<unsigned>{5, 7});
    CHECK(std::ranges::distance(s) == 4);
    CHECK(std::ranges::is_sorted(s));
    CHECK(std::ranges::find(s, tag{6}) != s.end());
    CHECK(std::ranges::find(s, tag{3}) == s.end());
}

TEST_CASE("iterators are multi-pass and the second kind of increment returns the old place") {
    tag_set<32> const s{0b110U};
    auto i = s.begin();
    auto const copy = i;
    CHECK(*i++ == tag{1});
    CHECK(*i == tag{2});
    CHECK(*copy == tag{1});
    CHECK(copy != i);
    CHECK(++i == s.end());
}
