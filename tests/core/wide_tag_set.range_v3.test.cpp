// SPDX-License-Identifier: BSL-1.0
#include <doorbell/core/wide_tag_set.hpp>

#include <catch2/catch_test_macros.hpp>

#include <range/v3/algorithm/count_if.hpp>
#include <range/v3/range/concepts.hpp>
#include <range/v3/range/conversion.hpp>
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

TEST_CASE("a wide set is a forward range of range-v3") {
    using set = tag_set<100>;
    STATIC_CHECK(ranges::forward_range<set>);
    STATIC_CHECK(ranges::forward_range<set const>);
    STATIC_CHECK(ranges::common_range<set const>);
    STATIC_CHECK(ranges::sized_range<set const>);
    STATIC_CHECK(std::is_same_v<ranges::range_value_t<set>, tag>);
}

TEST_CASE("range-v3 views take a wide set") {
    tag_set<100> set{tag{64}};
    set.insert(tag{99});
    set.insert(tag{3});
    CHECK((set | ranges::views::transform(index_of) | ranges::to<std::vector>()) == std::vector<unsigned>{3, 64, 99});
    CHECK(ranges::count_if(set, [](tag t) { return t.index > 63; }) == 2);
}
