// SPDX-License-Identifier: BSL-1.0
#include <doorbell/timeout/uniform.hpp>

#include <doorbell/core/wide_tag_set.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <limits>

namespace {

using namespace doorbell;
using deadlines = uniform_deadlines<32, std::uint32_t, 100, 0>;
using tags = deadlines::tags;
using at = deadline<std::uint32_t>;

/// What a core does with them: the tags in flight, and walks to their end.
template <class Deadlines>
struct user {
    using set = typename Deadlines::tags;
    using rep = typename Deadlines::rep;

    Deadlines all{};
    set live{};
    unsigned armed = 0; ///< how often the timer was armed
    unsigned slow = 0;  ///< submissions that took the rare way

    void submit(rep now, set which) {
        all.tick(now);
        if (all.ready(which) and not which.intersects(all.shut())) {
            all.note(which);
        } else {
            ++slow;
            armed += all.link(which) ? 1U : 0U;
        }
        live |= which;
    }

    set expire(rep now) {
        set due{};
        all.tick(now);
        auto walk = all.begin(live);
        for (bool done = false; not done;) {
            auto const step = all.step(live, now, walk);
            due |= step.due;
            live -= step.due;
            done = step.done;
        }
        armed += all.rearm(walk) ? 1U : 0U;
        return due;
    }
};

} // namespace

TEST_CASE("The timer is armed for the first request and not for those behind it", "[inv:X1]") {
    user<deadlines> u;
    u.submit(10, tags{1});
    CHECK(u.armed == 1);
    CHECK(u.all.timer_at() == at{110});
    u.submit(20, tags{2});
    u.submit(30, tags{0xF0});
    CHECK(u.armed == 1);
    CHECK(u.all.timer_at() == at{110});
}

TEST_CASE("A tag that is submitted again and again stores its beginning and does nothing else", "[inv:X1][inv:X3]") {
    user<deadlines> u;
    for (std::uint32_t now = 0; now < 50; ++now) {
        u.submit(now, tags{1}); // finished in between: nobody told the deadlines
    }
    CHECK(u.slow == 1);
    CHECK(u.armed == 1);
    CHECK(u.all.ending_of(tag{0}) == at{149});
}

TEST_CASE("A request is due when its time is over and no tick before", "[inv:X4]") {
    user<deadlines> u;
    u.submit(10, tags{1});
    u.submit(11, tags{2});
    CHECK(u.expire(109).empty());
    CHECK(u.expire(110) == tags{1});
    CHECK(u.expire(110).empty()); // once
    CHECK(u.expire(111) == tags{2});
    CHECK_FALSE(u.all.timer().armed());
}

TEST_CASE("A wake that comes for nothing arms the timer again, or lets it rest", "[inv:X1]") {
    user<deadlines> u;
    u.submit(0, tags{1});
    u.submit(50, tags{2});
    u.live = tags{2}; // tag 0 completed
    CHECK(u.expire(100).empty());
    CHECK(u.armed == 2);
    CHECK(u.all.timer_at() == at{150});
    u.live = {};
    CHECK(u.expire(150).empty());
    CHECK(u.armed == 2);
    CHECK_FALSE(u.all.timer().armed());
    u.submit(200, tags{1}); // its place was dropped: it enters again, and the timer with it
    CHECK(u.armed == 3);
    CHECK(u.all.timer_at() == at{300});
}

TEST_CASE("A tag that began anew moves to where its time is", "[inv:X4]") {
    user<deadlines> u;
    u.submit(0, tags{0b001});
    u.submit(10, tags{0b010});
    u.submit(20, tags{0b100});
    u.submit(15, tags{0b001}); // again: between the two others
    CHECK(u.slow == 3);
    CHECK(u.expire(100).empty()); // its first deadline
    CHECK(u.all.timer_at() == at{110});
    CHECK(u.expire(110) == tags{0b010});
    CHECK(u.all.timer_at() == at{115});
    CHECK(u.expire(115) == tags{0b001});
    CHECK(u.all.timer_at() == at{120});
    CHECK(u.expire(120) == tags{0b100});
}

TEST_CASE("A clock that stepped back keeps the order of deadlines", "[inv:B3]") {
    user<deadlines> u;
    u.submit(50, tags{1});
    u.submit(48, tags{2});
    CHECK(u.all.timer_at() == at{148});
    CHECK(u.expire(148) == tags{2});
    CHECK(u.expire(149).empty());
    CHECK(u.expire(150) == tags{1});
}

TEST_CASE("A walk goes in steps of a bounded number of places and ends though tags begin anew", "[inv:X4]") {
    user<deadlines> u;
    u.submit(0, tags::all());
    u.live = {};
    auto walk = u.all.begin(u.live);
    unsigned steps = 1;
    while (not u.all.step(u.live, 1, walk).done) {
        ++steps;
    }
    CHECK(steps == 32 / deadlines::stride + 1);

    user<deadlines> busy;
    busy.submit(0, tags::all());
    auto all = busy.all.begin(busy.live);
    unsigned rounds = 0;
    for (bool done = false; not done and rounds < 100; ++rounds) {
        busy.submit(rounds + 1, tags::all());
        done = busy.all.step(busy.live, 50, all).done;
    }
    CHECK(rounds <= 32 / deadlines::stride + 1);
    CHECK(busy.all.rearm(all)); // nobody is forgotten
}

TEST_CASE("Two walks at once find each request once between them", "[inv:X4]") {
    user<deadlines> u;
    u.submit(0, tags{0b111});
    auto first = u.all.begin(u.live);
    CHECK(u.expire(100) == tags{0b111}); // the other one, whole
    auto const rest = u.all.step(u.live, 100, first);
    CHECK(rest.done);
    CHECK(rest.due.empty());
    CHECK_FALSE(u.all.rearm(first));
}

TEST_CASE("Places are never more than tags", "[inv:X1]") {
    user<uniform_deadlines<1, std::uint16_t, 100, 0>> u;
    for (std::uint16_t now = 0; now < 1000; ++now) {
        u.submit(now, tag_set<1>{1U});
        if (now % 7 == 0) {
            CHECK(u.expire(now).empty());
        }
    }
    CHECK(u.expire(1099) == tag_set<1>{1U});
    user<uniform_deadlines<100, std::uint64_t, 1000, 0>> wide;
    wide.submit(0, tag_set<100>::all());
    wide.submit(1, tag_set<100>{tag{99}});
    CHECK(wide.expire(1000) == tag_set<100>::all() - tag_set<100>{tag{99}});
    CHECK(wide.expire(1001) == tag_set<100>{tag{99}});
}

TEMPLATE_TEST_CASE(
    "Deadlines are kept across the wrap of the counter", "[inv:B3]", std::uint16_t, std::uint32_t, std::uint64_t) {
    user<uniform_deadlines<32, TestType, 10, 0>> u;
    TestType const top = std::numeric_limits<TestType>::max();
    u.submit(static_cast<TestType>(top - 9), tags{1}); // over at 0
    u.submit(static_cast<TestType>(top - 4), tags{2});
    CHECK(u.all.timer_at() == deadline<TestType>{0});
    CHECK(u.expire(top).empty());
    CHECK(u.expire(0) == tags{1});
    CHECK(u.expire(4).empty());
    CHECK(u.expire(5) == tags{2});
}
