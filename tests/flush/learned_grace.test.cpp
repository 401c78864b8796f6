// SPDX-License-Identifier: BSL-1.0
#include <doorbell/flush/learned_grace.hpp>

#include "../../benchmarks/flush/criteria.hpp"
#include "desk.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace flush_bench;

namespace {

constexpr std::uint64_t ms = 1'000'000;

} // namespace

TEST_CASE("sixteen writers with a slow flush: the figures that were published, and those that are safe", "[inv:F5]") {
    traffic const sixteen{.writers = 16, .time = 5'000 * ms};
    traffic const one{.writers = 1, .time = 5'000 * ms};
    std::uint64_t const strict = simulate<strict_level>(one).rate();
    CHECK(strict >= 55);
    CHECK(strict <= 60);
    CHECK(simulate<strict_level>(sixteen).rate() == strict);
    CHECK(simulate<double_buffer>(sixteen).rate() >= 450);
    CHECK(simulate<double_buffer>(sixteen).rate() <= 460);
    CHECK(simulate<riding_level>(sixteen).rate() == simulate<double_buffer>(sixteen).rate());
    swept_grace::ns = sixteen.flush / 2;
    CHECK(simulate<swept_level>(sixteen).rate() >= 600);
    CHECK(simulate<swept_level>(sixteen).rate() <= 610);
    CHECK(simulate<learned_level>(sixteen).rate() >= 900);
    CHECK(simulate<learned_level>(one).rate() >= strict);
    traffic const second{.writers = 1, .time = 1'000 * ms};
    std::uint64_t const patch = simulate<deferred_patch>(second).rate();
    CHECK(patch >= 11'500);
    CHECK(patch <= 12'500);
    CHECK(simulate<unsafe_level>(second).rate() == patch);
}

TEST_CASE("when sixteen writers become one, there is no grace any more after four flushes", "[inv:F5]") {
    auto const waits =
        simulate<learned_level>({.writers = 16, .time = 4'000 * ms, .later_writers = 1, .change = 2'000 * ms}).waits;
    REQUIRE(waits.size() > 20);
    for (std::size_t i = 4; i < waits.size(); ++i) {
        CHECK(waits[i] == 0);
    }
}

TEST_CASE("the learned grace is about as good as the best fixed one, and never much worse than none", "[inv:F5]") {
    std::vector<traffic> cells;
    for (auto const how : {pace::even, pace::poisson, pace::bimodal}) {
        for (std::uint64_t const flush : {400'000U, 3'000'000U}) {
            for (unsigned const n : {3U, 12U}) {
                traffic t{.writers = n, .flush = flush, .mean = 300'000, .spread = 33, .how = how, .seed = 5 + n};
                t.time = 3'000 * (t.flush + t.mean);
                cells.push_back(t);
            }
        }
    }
    for (traffic const& t : cells) {
        worst const w = judge({t}, true);
        CAPTURE(static_cast<int>(t.how), t.flush, t.writers);
        CHECK(w.best >= (t.how == pace::even ? 950U : 850U));
        CHECK(w.buffered >= 980);
    }
}

TEST_CASE("the learned grace is bounded, and a clock that is set back does no harm", "[inv:F5]") {
    using namespace flush_test;
    desk<db::grouped<db::learned_grace<1'000>>> d;
    std::uint64_t longest = 0;
    for (unsigned round = 0; round < 200; ++round) {
        d.write();
        std::uint64_t const asked = d.time.peek();
        unsigned const a = d.flush(round % 2);
        while (d.told(a) == answer::none) {
            if (d.due) {
                d.pass(*d.due - d.time.peek() < 5'000 ? *d.due - d.time.peek() : 0);
                longest = d.time.peek() - asked > longest ? d.time.peek() - asked : longest;
            }
            if (round % 17 == 3) {
                d.time.step_back(50'000);
            }
            if (d.flushes() > round) {
                d.time.advance(70'000);
                d.end(round + 1);
            } else {
                d.time.advance(1'000);
                d.timer();
            }
        }
        d.time.advance(300);
    }
    CHECK(d.flushes() == 200);
    CHECK(longest <= 1'000);
}
