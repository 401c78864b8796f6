// SPDX-License-Identifier: BSL-1.0
#include <doorbell/core/tag_set.hpp>

#include <catch2/catch_test_macros.hpp>

#include <range/v3/algorithm/is_sorted.hpp>
#include <range/v3/range/concepts.hpp>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/filter.hpp>
#include <range/v3/view/transform.hpp>

#include <type_traits>
#include <vector>

using doorbell::tag;
using doorbell::tag_set;

namespace {

// A function and not &tag::index: tags come by value, and a pointer to member would give a reference into one that is
// gone.
constexpr auto index_of = [](tag t) { return t.index; };

} // namespace

TEST_CASE("a set is a forward range of range-v3") {
    using set = tag_set<64>;
    STATIC_CHECK(ranges::forward_range<set>);
    STATIC_CHECK(ranges::forward_range<set const>);
    STATIC_CHECK(ranges::common_range<set const>);
    STATIC_CHECK(ranges::sized_range<set const>);
    STATIC_CHECK_FALSE(ranges::bidirectional_range<set const>);
    STATIC_CHECK(std::is_same_v<ranges::range_value_t<set>, tag>);
}

TEST_CASE("range-v3 views take a set") {
    tag_set<64> const set{0x8000'0000'0000'000FU};
    CHECK(ranges::is_sorted(set));
    auto const even = [](tag t) { return t.index % 2 == 0; };
    CHECK(
        (set | ranges::views::filter(even) | ranges::views::transform(index_of) | ranges::to<std::vector>()) ==
        std::vector<unsigned>{0, 2});
    CHECK((set | ranges::views::transform(index_of) | ranges::to<std::vector>()).back() == 63);
}
