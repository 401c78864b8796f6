// SPDX-License-Identifier: BSL-1.0
#include <doorbell/timeout/mixed.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <limits>

namespace {

using namespace doorbell;
using deadlines = mixed_deadlines<32, std::uint32_t, 100, 5>;
using tags = deadlines::tags;
using at = deadline<std::uint32_t>;

template <class Deadlines>
struct user {
    using rep = typename Deadlines::rep;

    Deadlines all{};
    tags live{};
    unsigned armed = 0;

    void submit(rep now, tags which, typename Deadlines::limit_type limit = {}) {
        all.tick(now);
        if (all.ready(which, limit)) {
            all.note(which, limit);
        } else {
            armed += all.link(which, limit) ? 1U : 0U;
        }
        live |= which;
    }

    tags expire(rep now) {
        tags due{};
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

using own = within<std::uint32_t>;

} // namespace

TEST_CASE("The timer is moved for a request with a shorter time of its own", "[inv:X1]") {
    user<deadlines> u;
    u.submit(0, tags{1});
    CHECK(u.armed == 1);
    CHECK(u.all.timer_at() == at{100});
    u.submit(0, tags{2}, own{96}); // within the tolerance
    CHECK(u.armed == 1);
    u.submit(0, tags{4}, own{20});
    CHECK(u.armed == 2);
    CHECK(u.all.timer_at() == at{20});
    u.submit(10, tags{8}, own{1000});
    CHECK(u.armed == 2);
}

TEST_CASE("Each request is due at its own time, once", "[inv:X4]") {
    user<deadlines> u;
    u.submit(0, tags{1});
    u.submit(0, tags{2}, own{20});
    u.submit(0, tags{4}, own{300});
    CHECK(u.expire(19).empty());
    CHECK(u.expire(20) == tags{2});
    CHECK(u.all.timer_at() == at{100});
    CHECK(u.expire(100) == tags{1});
    CHECK(u.all.timer_at() == at{300});
    CHECK(u.expire(299).empty());
    CHECK(u.expire(5000) == tags{4});
    CHECK_FALSE(u.all.timer().armed());
}

TEST_CASE("A time of 0 is over at the next look, and one beyond half the range is cut short", "[inv:B3]") {
    user<deadlines> u;
    u.submit(7, tags{1}, own{0});
    CHECK(u.all.timer_at() == at{7});
    CHECK(u.expire(7) == tags{1});
    u.submit(7, tags{2}, own{0xFFFF'FFFF});
    CHECK(u.all.ending_of(tag{1}) == at{7 + at::longest});
    CHECK(u.expire(8).empty());
    CHECK(u.expire(7 + at::longest - 1).empty());
    CHECK(u.expire(7 + at::longest) == tags{2});
}

TEST_CASE("A walk looks at each tag of its snapshot once and at no other", "[inv:X4]") {
    user<deadlines> u;
    u.submit(0, tags{0xFFFF}, own{10});
    auto walk = u.all.begin(u.live);
    auto const first = u.all.step(u.live, 10, walk);
    CHECK(first.due == tags{0xFF});
    CHECK_FALSE(first.done);
    // Meanwhile 8 completes, 9 completes and begins anew, 16 begins with a deadline that is over at once.
    u.all.tick(10);
    u.all.note(tags{0x200}, own{10});
    (void)u.all.link(tags{0x1'0000}, own{0});
    u.live = tags{0x1'FE00};
    auto const second = u.all.step(u.live, 10, walk);
    CHECK(second.due == tags{0xFC00});
    CHECK(second.done);
    CHECK_FALSE(u.all.rearm(walk)); // 16 armed the timer for itself
    CHECK(u.all.timer_at() == at{10});
}

TEMPLATE_TEST_CASE(
    "Deadlines are kept across the wrap of the counter", "[inv:B3]", std::uint16_t, std::uint32_t, std::uint64_t) {
    user<mixed_deadlines<32, TestType, 10, 0>> u;
    TestType const top = std::numeric_limits<TestType>::max();
    u.submit(static_cast<TestType>(top - 9), tags{1});
    u.submit(static_cast<TestType>(top - 9), tags{2}, within<TestType>{5});
    CHECK(u.expire(static_cast<TestType>(top - 5)).empty());
    CHECK(u.expire(static_cast<TestType>(top - 4)) == tags{2});
    CHECK(u.all.timer_at() == deadline<TestType>{0});
    CHECK(u.expire(top).empty());
    CHECK(u.expire(0) == tags{1});
}
