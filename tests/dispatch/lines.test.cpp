// SPDX-License-Identifier: BSL-1.0
#include <doorbell/dispatch/lines.hpp>

#include <doorbell/core/options.hpp>

#include <catch2/catch_test_macros.hpp>

#include <concepts>

namespace {

using namespace doorbell;
static_assert(option<shared_line> and option<sole_line>);
static_assert(option<acknowledge_enabled> and option<acknowledge_snapshot>);

} // namespace

TEST_CASE("An interrupt without a cause is not mine on a shared line and handled on a line of its own", "[inv:D5]") {
    CHECK_FALSE(shared_line::without_cause.handled());
    CHECK(sole_line::without_cause.handled());
    CHECK_FALSE(sole_line::without_cause.wake_thread());
}

TEST_CASE("Only the whole snapshot takes masked causes", "[inv:D1]") {
    CHECK_FALSE(acknowledge_enabled::whole_snapshot);
    CHECK(acknowledge_snapshot::whole_snapshot);
}

TEST_CASE("Choices of one family exclude each other", "[options]") {
    STATIC_CHECK(std::same_as<shared_line::family, sole_line::family>);
    STATIC_CHECK(std::same_as<acknowledge_enabled::family, acknowledge_snapshot::family>);
    STATIC_CHECK_FALSE(std::same_as<shared_line::family, acknowledge_enabled::family>);
}
