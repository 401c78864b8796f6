// SPDX-License-Identifier: BSL-1.0
#include <doorbell/deferral/bottom_half.hpp>

#include <doorbell/completion/count_budget.hpp>
#include <doorbell/completion/time_budget.hpp>
#include <doorbell/lock/null_lock.hpp>
#include <doorbell/testing/checking_lock.hpp>
#include <doorbell/testing/manual_clock.hpp>

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <functional>
#include <vector>

namespace {

using namespace doorbell;
using doorbell::testing::checking_lock;
using doorbell::testing::lock_watch;
using doorbell::testing::manual_clock;
using doorbell::testing::manual_time;

struct request : deferred_item {
    request(endpoint& of, int n) : deferred_item{of}, number{n} {}

    int number;
};

/// A bottom half behind a lock that watches; callbacks are written down.
template <class Budget>
struct bench {
    lock_watch watch{};
    manual_time<> time{0};
    bottom_half<request, checking_lock, Budget, manual_clock<>> half{checking_lock{watch}, manual_clock<>{time}};
    std::vector<int> given{};
    unsigned under_lock = 0;
    std::function<void(request&)> on_give{};

    ~bench() {
        CHECK(watch.errors() == 0);
        CHECK(under_lock == 0);
    }

    auto give() {
        return [this](request& r) noexcept {
            under_lock += watch.held() ? 1U : 0U;
            given.push_back(r.number);
            if (on_give) {
                on_give(r);
            }
        };
    }
};

template <std::size_t N>
struct batch {
    std::array<request*, N> items;

    struct iterator {
        request* const* at;

        request& operator*() const { return **at; }

        iterator& operator++() {
            ++at;
            return *this;
        }

        friend bool operator==(iterator, iterator) = default;
    };

    iterator begin() const { return {items.data()}; }

    iterator end() const { return {items.data() + N}; }
};

// A bottom half can be a constant-initialised global.
constinit bottom_half<request, null_lock, inline_all, manual_clock<>>* none = nullptr;

} // namespace

TEST_CASE("A batch is queued in one lock section, and its callbacks run outside of it", "[inv:G1]") {
    bench<inline_all> b;
    endpoint disk;
    request r0{disk, 0}, r1{disk, 1}, r2{disk, 2};
    b.watch.forget_acquisitions();
    auto const queued = b.half.queue(batch<3>{{&r0, &r1, &r2}});
    CHECK(b.watch.acquisitions() == 1);
    CHECK(queued.schedule);
    CHECK(queued.refused == 0);
    CHECK(b.given.empty());
    CHECK_FALSE(b.half.run(b.give()).again());
    CHECK(b.given == std::vector{0, 1, 2});
    CHECK(b.time.reads() == 0);
    CHECK(none == nullptr);
}

TEST_CASE("A run keeps to its budget of count and leaves the rest for the next", "[inv:G2]") {
    bench<count_budget<2>> b;
    endpoint disk;
    request r0{disk, 0}, r1{disk, 1}, r2{disk, 2};
    CHECK(b.half.queue(batch<3>{{&r0, &r1, &r2}}).schedule);
    CHECK(b.half.run(b.give()).again());
    CHECK(b.given == std::vector{0, 1});
    CHECK_FALSE(b.half.run(b.give()).again());
    CHECK(b.given == std::vector{0, 1, 2});
    CHECK_FALSE(b.half.run(b.give()).again());
}

TEST_CASE("A run keeps to its budget of time; a batch of one reads no clock", "[inv:G2][inv:B1]") {
    bench<time_budget<100>> b;
    REQUIRE(b.half.fits());
    endpoint disk;
    request r0{disk, 0}, r1{disk, 1}, r2{disk, 2};
    b.on_give = [&](request&) { b.time.advance(60); };
    (void)b.half.queue(r0);
    CHECK_FALSE(b.half.run(b.give()).again());
    CHECK(b.time.reads() == 0);
    (void)b.half.queue(batch<3>{{&r0, &r1, &r2}});
    CHECK(b.half.run(b.give()).again());
    CHECK(b.given.size() == 3);
    CHECK_FALSE(b.half.run(b.give()).again());
    CHECK(b.given.size() == 4);
}

TEST_CASE("A producer that never stops does not keep a run", "[inv:G2]") {
    bench<inline_all> b;
    endpoint disk;
    request r0{disk, 0}, r1{disk, 1};
    b.on_give = [&](request& r) { CHECK(b.half.queue(r).refused == 0); };
    (void)b.half.queue(batch<2>{{&r0, &r1}});
    for (std::size_t runs = 1; runs < 10; ++runs) {
        CHECK(b.half.run(b.give()).again());
        CHECK(b.given.size() == 2 * runs);
    }
}

TEST_CASE("Queueing twice is refused and costs nobody a callback", "[inv:G1]") {
    bench<inline_all> b;
    endpoint disk;
    request r0{disk, 0}, r1{disk, 1};
    CHECK(b.half.queue(batch<3>{{&r0, &r1, &r0}}).refused == 1);
    auto const again = b.half.queue(r1);
    CHECK(again.refused == 1);
    CHECK_FALSE(again.schedule);
    (void)b.half.run(b.give());
    CHECK(b.given == std::vector{0, 1});
}

TEST_CASE("From inside a callback an item is submitted, queued and unlinked", "[inv:G3]") {
    bench<inline_all> b;
    endpoint disk;
    request r0{disk, 0}, r1{disk, 1};
    std::vector<unlink_status> told;
    b.on_give = [&](request& r) {
        if (r.number == 0 and told.empty()) {
            told.push_back(b.half.unlink(r0));
            told.push_back(b.half.unlink(r1)); // queued: it is done, and comes once
            CHECK(b.half.completing(disk));
            CHECK(b.half.queue(r0).refused == 0); // finished again already
            told.push_back(b.half.unlink(r0));
            CHECK_FALSE(b.half.run(b.give()).again()); // a run inside of a run does nothing
        }
    };
    (void)b.half.queue(batch<2>{{&r0, &r1}});
    CHECK(b.half.run(b.give()).again());
    CHECK(b.given == std::vector{0, 1});
    CHECK_FALSE(b.half.run(b.give()).again());
    CHECK(b.given == std::vector{0, 1, 0});
    CHECK(told == std::vector{unlink_status::completing, unlink_status::already_done, unlink_status::already_done});
    CHECK(b.half.unlink(r0) == unlink_status::not_queued);
    CHECK_FALSE(b.half.completing(disk));
}

TEST_CASE("Empty does not mean that the last completion has run", "[inv:G4]") {
    bench<inline_all> b;
    endpoint disk;
    request r0{disk, 0};
    (void)b.half.queue(r0);
    CHECK(b.half.activity(disk) == endpoint_activity::waiting);
    b.on_give = [&](request&) {
        CHECK(b.half.empty());
        CHECK(b.half.activity(disk) == endpoint_activity::completing);
    };
    (void)b.half.run(b.give());
    CHECK(b.half.activity(disk) == endpoint_activity::quiet);
}

TEST_CASE("Close refuses what comes and gives back what is there", "[inv:G4]") {
    bench<count_budget<1>> b;
    endpoint disk;
    request r0{disk, 0}, r1{disk, 1}, r2{disk, 2};
    (void)b.half.queue(batch<2>{{&r0, &r1}});
    unsigned pauses = 0;
    auto const pause = [&]() noexcept { ++pauses; };
    b.half.close(b.give(), pause);
    CHECK(b.given == std::vector{0, 1});
    auto const late = b.half.queue(r2);
    CHECK(late.refused == 1);
    CHECK_FALSE(late.schedule);
    b.half.open();
    CHECK(b.half.queue(r2).schedule);
    b.half.drain(disk, b.give(), pause);
    CHECK(b.given == std::vector{0, 1, 2});
    CHECK(b.half.empty());
    CHECK(pauses == 0);
}

TEST_CASE("Nothing is quiet while the last callback runs", "[inv:G4]") {
    // One thread plays both: the run stands still inside of its callback while the other one closes, and goes on when
    // that one has paused a few times, which ends the run behind its back.
    giveback_queues q;
    endpoint disk;
    request r0{disk, 0};
    CHECK(q.push(r0));
    REQUIRE(q.begin());
    CHECK(q.next(true) == &r0);
    unsigned looks = 0;
    while (not q.quiet()) {
        CHECK(q.activity(disk) == endpoint_activity::completing);
        if (++looks == 3) {
            CHECK(q.next(true) == nullptr);
            CHECK_FALSE(q.end());
        }
    }
    CHECK(looks == 3);
}
