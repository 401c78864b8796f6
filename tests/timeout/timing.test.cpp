// SPDX-License-Identifier: BSL-1.0
#include <doorbell/timeout/timing.hpp>

#include <doorbell/timeout/mixed.hpp>
#include <doorbell/timeout/uniform.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>

namespace {

using namespace doorbell;
using at = deadline<std::uint32_t>;

struct clockwork {
    unsigned armed = 0;
    at when{};

    void arm_timer(at moment) noexcept {
        ++armed;
        when = moment;
    }

    void control_timed_out(unsigned) noexcept {}
};

template <class Deadlines>
using timed = timing<Deadlines, quarantine_until_reset, 2, clockwork>;

using uniform = uniform_deadlines<8, std::uint32_t, 100, 0>;
using mixed = mixed_deadlines<8, std::uint32_t, 100, 0>;

} // namespace

TEMPLATE_TEST_CASE("One timer serves requests and control commands", "[inv:X1]", uniform, mixed) {
    clockwork d;
    timed<TestType> t;
    t.tick(0);
    t.commands.arm(tag{1}, at{30});
    auto const idle = t.begin({});
    t.rearm(d, idle);
    CHECK(d.when == at{30});
    t.admit(d, tag_set<8>{1});
    CHECK(d.armed == 1); // the command is earlier
    auto walk = t.begin(tag_set<8>{1});
    while (not t.step(tag_set<8>{1}, 10, walk).done) {
    }
    t.rearm(d, walk);
    CHECK(d.when == at{30});
    CHECK(d.armed == 2); // once for both
}

TEMPLATE_TEST_CASE(
    "After a time in which nothing was judged, whoever is there has a timer again", "[inv:X1]", uniform, mixed) {
    clockwork d;
    timed<TestType> t;
    t.tick(0);
    t.admit(d, tag_set<8>{1});
    t.tick(50);
    t.admit(d, tag_set<8>{2});
    (void)t.begin({}); // it fired while stopped
    d.when = {};
    t.resume(d, tag_set<8>{3});
    CHECK(d.when == at{100});
    CHECK(t.timer().armed());
}

TEST_CASE("A submission that tells the time is the tick of those behind it", "[inv:X1]") {
    clockwork d;
    timed<mixed> t;
    using said = timed<mixed>::said;
    CHECK_FALSE(t.ready(tag_set<8>{1}, said{{}, 1'000}));
    t.admit(d, tag_set<8>{1}, said{{}, 1'000});
    CHECK(d.when == at{1'100});
    CHECK(t.now() == 1'000);
    CHECK(t.ready(tag_set<8>{2}, said{{}, 1'010}));
    t.note(tag{1}, said{{}, 1'010});
    CHECK(t.ending_of(tag{1}) == at{1'110});
}
