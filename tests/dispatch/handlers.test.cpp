// SPDX-License-Identifier: BSL-1.0
#include <doorbell/dispatch/handlers.hpp>

#include <doorbell/core/options.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <vector>

namespace {

using namespace doorbell;

struct device {
    std::vector<std::uint32_t> calls{};

    void anywhere(raised<any_context> r) noexcept { calls.push_back(0xA000'0000 | r.bits()); }

    void hard_only(raised<hard_context> r) noexcept { calls.push_back(0xB000'0000 | r.bits()); }

    void may_sleep(raised<thread_context> r) noexcept { calls.push_back(0xC000'0000 | r.bits()); }

    void quick(raised<any_context> r) noexcept { calls.push_back(0xD000'0000 | r.bits()); }

    void may_throw(raised<any_context> r) { calls.push_back(r.bits()); }
};

using none = handlers<>;
using mixed = handlers<
    urgent<0x1, &device::anywhere>, deferred<0x2, &device::may_sleep>, deferred<0x4, &device::anywhere>,
    urgent<0x8, &device::quick>>;

template <auto Member>
using urgently = handlers<urgent<1, Member>>;
template <auto Member>
using later = handlers<deferred<1, Member>>;

using words = std::vector<std::uint32_t>;

words taken(device& d) {
    words all;
    all.swap(d.calls);
    return all;
}

static_assert(option<mixed> and option<none>);

} // namespace

TEST_CASE("The causes of a core are those that are bound", "[inv:D2]") {

    STATIC_CHECK(mixed::urgent_causes == 0x9);
    STATIC_CHECK(mixed::deferred_causes == 0x6);
    STATIC_CHECK(mixed::causes == 0xF);
    STATIC_CHECK(none::causes == 0);
}

TEST_CASE("What may sleep, or may throw, does not bind as urgent", "[inv:D6]") {
    STATIC_CHECK(urgently<&device::anywhere>::urgent_may_run_hard<device>);
    STATIC_CHECK(urgently<&device::hard_only>::urgent_may_run_hard<device>);
    STATIC_CHECK_FALSE(urgently<&device::may_sleep>::urgent_may_run_hard<device>);
    STATIC_CHECK_FALSE(urgently<&device::may_throw>::urgent_may_run_hard<device>);
    STATIC_CHECK(later<&device::may_sleep>::urgent_may_run_hard<device>); // not urgent: nothing to ask
    STATIC_CHECK(none::urgent_may_run_hard<device>);
}

TEST_CASE("What the thread cannot call does not bind as deferred", "[inv:D6]") {
    STATIC_CHECK(later<&device::anywhere>::all_may_run_in_thread<device>);
    STATIC_CHECK(later<&device::may_sleep>::all_may_run_in_thread<device>);
    STATIC_CHECK_FALSE(later<&device::hard_only>::all_may_run_in_thread<device>);
    STATIC_CHECK_FALSE(later<&device::may_throw>::all_may_run_in_thread<device>);
    STATIC_CHECK_FALSE(urgently<&device::hard_only>::all_may_run_in_thread<device>); // the thread goes on for it
}

TEST_CASE("Causes that need no thread are those none of whose handlers may sleep", "[inv:D7]") {
    STATIC_CHECK(mixed::inline_causes<device> == (mixed::causes & ~0x2U));
    STATIC_CHECK(none::inline_causes<device> == 0);
}

TEST_CASE("Each urgent handler gets its own raised causes, and is not called for others", "[inv:D6]") {
    device d;
    mixed::run_urgent(d, 0xF);
    CHECK(taken(d) == words{0xA000'0001, 0xD000'0008});
    mixed::run_urgent(d, 0x6);
    CHECK(taken(d).empty());
    mixed::run_urgent(d, 0x8);
    CHECK(taken(d) == words{0xD000'0008});
}

TEST_CASE("A handler of several causes is called once, with those that were raised", "[inv:D6]") {
    device d;
    handlers<urgent<0x70, &device::anywhere>>::run_urgent(d, 0x5F);
    CHECK(taken(d) == words{0xA000'0050});
}

TEST_CASE(
    "The thread runs the handlers of all that it is given, urgent ones that it acknowledged itself too", "[inv:D2]") {
    device d;
    mixed::run_in_thread(d, 0x6);
    CHECK(taken(d) == words{0xC000'0002, 0xA000'0004});
    mixed::run_in_thread(d, 0x9);
    CHECK(taken(d) == words{0xA000'0001, 0xD000'0008});
}

TEST_CASE("Without threads only those deferred handlers run that accept any context", "[inv:D7]") {
    device d;
    mixed::run_deferred_inline(d, 0xF);
    CHECK(taken(d) == words{0xA000'0004});
}

TEST_CASE("A core without handlers runs none", "[inv:D2]") {
    device d;
    none::run_urgent(d, ~0U);
    none::run_in_thread(d, ~0U);
    none::run_deferred_inline(d, ~0U);
    CHECK(taken(d).empty());
}
