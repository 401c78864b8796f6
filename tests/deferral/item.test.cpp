// SPDX-License-Identifier: BSL-1.0
#include <doorbell/deferral/item.hpp>

#include <doorbell/deferral/concepts.hpp>
#include <doorbell/deferral/queues.hpp>

#include <catch2/catch_test_macros.hpp>

#include <type_traits>

namespace {

using namespace doorbell;

struct request : deferred_item {};

struct stranger {};

static_assert(deferrable<request> and not deferrable<stranger>);
static_assert(not std::is_copy_constructible_v<deferred_item>); // its queue points at it
static_assert(not std::is_copy_constructible_v<endpoint>);

} // namespace

TEST_CASE("An item belongs to the endpoint it was last bound to", "[inv:G1]") {
    endpoint slow;
    endpoint fast{giveback_priority::high};
    CHECK(slow.priority() == giveback_priority::low);
    CHECK(fast.priority() == giveback_priority::high);
    deferred_item item{slow};
    item.belong_to(fast);
    giveback_queues q;
    REQUIRE(q.push(item));
    CHECK(q.activity(fast) == endpoint_activity::waiting);
    CHECK(q.activity(slow) == endpoint_activity::quiet);
}
