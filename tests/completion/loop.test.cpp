// SPDX-License-Identifier: BSL-1.0
#include <doorbell/completion/loop.hpp>

#include <doorbell/completion/count_budget.hpp>
#include <doorbell/completion/time_budget.hpp>
#include <doorbell/completion/unbounded.hpp>
#include <doorbell/core/wide_tag_set.hpp>
#include <doorbell/testing/manual_clock.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>

namespace {

using namespace doorbell;
using doorbell::testing::manual_clock;
using doorbell::testing::manual_time;
using ticker = manual_clock<>;
using tags = tag_set<32>;

/// What one run did: which tags it asked, in which order, and what it left.
struct record {
    unsigned asked = 0;
    bool ascending = true;
    tags completed{};
    tags unasked{};
    tags lagging{};
    std::uint64_t reads = 0;
};

/// Runs a budget over a batch on a clock that moves by `cost` per completion; tags of `silent` have no response.
template <class Budget>
constexpr record run(tags batch, tags silent = {}, std::uint64_t cost = 1) {
    manual_time<> time;
    ticker now{time};
    typename Budget::template bound<ticker> budget;
    record seen;
    unsigned next = 0;
    auto const rest = complete_within(budget, now, batch, [&](tag t) noexcept {
        seen.ascending = seen.ascending and t.index >= next;
        next = t.index + 1;
        ++seen.asked;
        time.advance(cost);
        if (silent.contains(t)) {
            return false;
        }
        seen.completed.insert(t);
        return true;
    });
    seen.unasked = rest.unasked;
    seen.lagging = rest.lagging;
    seen.reads = time.reads();
    return seen;
}

/// A set that counts what is done to it, to show what the cost of a run depends on.
struct counted_set {
    tags set{};
    unsigned* steps = nullptr;

    [[nodiscard]] bool empty() const noexcept { return set.empty(); }

    [[nodiscard]] tag front() const noexcept {
        ++*steps;
        return set.front();
    }

    void pop_front() noexcept { set.pop_front(); }

    void insert(tag t) noexcept { set.insert(t); }
};

unsigned steps_for(std::uint32_t bits) {
    unsigned steps = 0;
    manual_time<> time;
    ticker now{time};
    inline_all::bound<ticker> budget;
    static_cast<void>(complete_within(budget, now, counted_set{tags{bits}, &steps}, [](tag) noexcept { return true; }));
    return steps;
}

} // namespace

TEST_CASE("A batch is completed in ascending order, each tag once", "[loop]") {
    constexpr record seen = run<inline_all>(tags{0x8000'0105});
    STATIC_CHECK(seen.ascending);
    STATIC_CHECK(seen.asked == 4);
    STATIC_CHECK(seen.completed == tags{0x8000'0105});
    STATIC_CHECK(seen.unasked.empty());
    STATIC_CHECK(seen.lagging.empty());
}

TEST_CASE("An empty batch asks nobody and reads no clock", "[inv:B1]") {
    constexpr record seen = run<time_budget<10>>(tags{});
    STATIC_CHECK(seen.asked == 0);
    STATIC_CHECK(seen.reads == 0);
    STATIC_CHECK(seen.unasked.empty());
}

TEST_CASE("A batch of one reads no clock", "[inv:B1]") {
    constexpr record seen = run<time_budget<10>>(tags{0x10}, {}, 1000);
    STATIC_CHECK(seen.completed == tags{0x10});
    STATIC_CHECK(seen.reads == 0);
}

TEST_CASE("Every budget completes at least one request", "[inv:B1]") {
    STATIC_CHECK(run<count_budget<1>>(tags{0xF0}).completed == tags{0x10});
    STATIC_CHECK(run<time_budget<1>>(tags{0xF0}, {}, 1000).completed == tags{0x10});
    STATIC_CHECK(run<deferred_all>(tags{0xF0}).completed == tags{0x10}); // who starts a run means it
}

TEST_CASE("The last completion of a batch asks the budget no more", "[inv:B1]") {
    // one reading opens the run, one follows each of the first two completions
    STATIC_CHECK(run<time_budget<1000>>(tags{0x7}).reads == 3);
}

TEST_CASE("What the budget does not allow is handed back unasked", "[inv:H1]") {
    constexpr record seen = run<count_budget<2>>(tags{0b1011'0001});
    STATIC_CHECK(seen.completed == tags{0b0001'0001});
    STATIC_CHECK(seen.unasked == tags{0b1010'0000});
    STATIC_CHECK(seen.lagging.empty());
}

TEST_CASE("A tag without a response is handed back as lagging and ends nothing", "[inv:T11]") {
    constexpr record seen = run<inline_all>(tags{0b1111}, tags{0b0110});
    STATIC_CHECK(seen.asked == 4);
    STATIC_CHECK(seen.completed == tags{0b1001});
    STATIC_CHECK(seen.lagging == tags{0b0110});
    STATIC_CHECK(seen.unasked.empty());
}

TEST_CASE("A lagging tag uses up the budget like any other, so that a run stays bounded", "[inv:B1]") {
    constexpr record seen = run<count_budget<2>>(tags{0b1111}, tags{0b0001});
    STATIC_CHECK(seen.asked == 2);
    STATIC_CHECK(seen.lagging == tags{0b0001});
    STATIC_CHECK(seen.unasked == tags{0b1100});
}

TEST_CASE("A leftover is empty only when nothing is unasked and nothing lags", "[inv:H1]") {
    STATIC_CHECK(leftover<tags>{}.empty());
    STATIC_CHECK_FALSE(leftover<tags>{tags{1}, {}}.empty());
    STATIC_CHECK_FALSE(leftover<tags>{{}, tags{1}}.empty());
}

TEST_CASE("What arrives during a run belongs to the next one", "[inv:H6]") {
    manual_time<> time;
    ticker now{time};
    inline_all::bound<ticker> budget;
    tags finished{0b0011};
    unsigned asked = 0;
    auto const rest = complete_within(budget, now, finished, [&](tag t) noexcept {
        finished.insert(tag{t.index + 8}); // the callback's new request has finished at once
        return ++asked < 100;
    });
    CHECK(asked == 2);
    CHECK(rest.empty());
}

TEST_CASE("The cost of a run grows with what has finished and not with the slots", "[inv:B4]") {
    CHECK(steps_for(0x0000'0001) == 1);
    CHECK(steps_for(0x8000'0000) == 1);
    CHECK(steps_for(0x8000'0001) == 2);
    CHECK(steps_for(0xFFFF'FFFF) == 32);
    CHECK(steps_for(0) == 0);
}

TEST_CASE("A run works on sets of several words, too", "[inv:B4]") {
    manual_time<> time;
    ticker now{time};
    count_budget<2>::bound<ticker> budget;
    tag_set<200> batch;
    for (unsigned const index : {3U, 70U, 199U}) {
        batch.insert(tag{index});
    }
    unsigned asked = 0;
    auto const rest = complete_within(budget, now, batch, [&](tag) noexcept { return ++asked > 0; });
    CHECK(asked == 2);
    CHECK(rest.unasked.single());
    CHECK(rest.unasked.contains(tag{199}));
}
