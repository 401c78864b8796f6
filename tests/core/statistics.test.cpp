// SPDX-License-Identifier: BSL-1.0
#include <doorbell/core/statistics.hpp>

#include <doorbell/core/wide_tag_set.hpp>

#include <catch2/catch_test_macros.hpp>

using namespace doorbell;

namespace {

constexpr activity after_each_event_once() {
    statistics seen{};
    seen.note(events::submit{tag_set<32>{0b11U}});
    seen.note(events::ring{tag_set<32>{0b11U}});
    seen.note(events::entry{1});
    seen.note(events::claim{tag_set<32>{0b111U}});
    seen.note(events::lag{tag{1}});
    seen.note(events::callback{tag{1}, outcome::success});
    seen.note(events::wake{});
    seen.note(events::exit{irq_result::mine});
    seen.note(events::unknown{tag_set<32>{0b1111U}});
    seen.note(events::unhandled_cause{0x4});
    seen.note(events::spurious{});
    seen.note(events::gone{});
    seen.note(events::refused{submit_status::busy});
    return seen.counts();
}

} // namespace

TEST_CASE("statistics count every event, tags by the tag", "[inv:W4]") {
    constexpr activity expected{
        .submitted = 2,
        .rings = 1,
        .entries = 1,
        .claims = 1,
        .claimed = 3,
        .lags = 1,
        .callbacks = 1,
        .wakes = 1,
        .exits = 1,
        .fault = {.unknown = 4, .unhandled = 1, .spurious = 1, .gone = 1, .refused = 1}};
    STATIC_CHECK(after_each_event_once() == expected);
    CHECK(after_each_event_once() == expected);
}

TEST_CASE("statistics of equal counts are equal, of others not") {
    activity other = after_each_event_once();
    CHECK(other == after_each_event_once());
    ++other.fault.gone;
    CHECK_FALSE(other == after_each_event_once());
}

TEST_CASE("statistics take sets of any capacity") {
    statistics seen{};
    seen.note(events::claim{tag_set<100>::all()});
    seen.note(events::submit{tag_set<8>::all()});
    CHECK(seen.counts().claimed == 100);
    CHECK(seen.counts().submitted == 8);
}
