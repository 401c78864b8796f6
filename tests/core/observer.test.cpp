// SPDX-License-Identifier: BSL-1.0
#include <doorbell/core/observer.hpp>

#include <catch2/catch_test_macros.hpp>

#include <type_traits>

using namespace doorbell;

namespace {

struct throwing_observer {
    template <class Event>
    void note(Event const&) {}
};

struct half_observer {
    void note(events::entry const&) noexcept {}
};

} // namespace

TEST_CASE("an observer hears every event and does not throw", "[inv:W4]") {
    STATIC_CHECK(observer<null_observer>);
    STATIC_CHECK(observer<fault_counts>);
    STATIC_CHECK_FALSE(observer<throwing_observer>);
    STATIC_CHECK_FALSE(observer<half_observer>);
}

TEST_CASE("the null observer is an empty type", "[inv:W4]") {
    STATIC_CHECK(std::is_empty_v<null_observer>);
    null_observer nobody{};
    nobody.note(events::gone{});
    nobody.note(events::claim{tag_set<32>{1U}});
    SUCCEED("it took both");
}

TEST_CASE("fault counts count what should not happen", "[inv:W4]") {
    fault_counts seen{};
    seen.note(events::unknown{tag_set<32>{0x8000'0001U}});
    seen.note(events::unhandled_cause{0x4});
    seen.note(events::unhandled_cause{0x8});
    seen.note(events::spurious{});
    seen.note(events::gone{});
    seen.note(events::refused{submit_status::busy});
    CHECK(seen.counts() == faults{.unknown = 2, .unhandled = 2, .spurious = 1, .gone = 1, .refused = 1});
}

TEST_CASE("fault counts are blind to the hot path", "[inv:W4]") {
    constexpr auto blind = [] {
        fault_counts seen{};
        seen.note(events::submit{tag_set<32>{1U}});
        seen.note(events::ring{tag_set<32>{1U}});
        seen.note(events::entry{1});
        seen.note(events::claim{tag_set<64>{1U}});
        seen.note(events::lag{tag{1}});
        seen.note(events::callback{tag{1}, outcome::success});
        seen.note(events::wake{});
        seen.note(events::exit{irq_result::mine});
        return seen.counts();
    };
    STATIC_CHECK(blind() == faults{});
    CHECK(blind() == faults{});
}

TEST_CASE("counters wrap and do not stop") {
    std::uint32_t counter = 0xFFFF'FFFFU;
    detail::add(counter);
    CHECK(counter == 0);
    detail::add_each(counter, tag_set<32>::all());
    CHECK(detail::peek(counter) == 32);
}
