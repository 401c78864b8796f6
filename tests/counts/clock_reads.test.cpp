// SPDX-License-Identifier: BSL-1.0
// How often a budget reads the clock, for every number of finished requests and wherever they lie.
#include <doorbell/completion/loop.hpp>
#include <doorbell/completion/time_budget.hpp>
#include <doorbell/core/tag_set.hpp>
#include <doorbell/testing/manual_clock.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>

namespace {

using namespace doorbell;
using doorbell::testing::manual_clock;
using doorbell::testing::manual_time;

struct seen {
    std::uint64_t reads = 0;
    unsigned longest = 0; ///< completions without a look at the clock
    unsigned completions = 0;
};

template <class Budget, std::size_t N>
seen complete(typename tag_set<N>::word batch, std::uint64_t cost = 0) {
    manual_time<> time;
    manual_clock<> clock{time};
    typename Budget::template bound<manual_clock<>> budget;
    seen s;
    unsigned since = 0;
    std::uint64_t reads = 0;
    (void)complete_within(budget, clock, tag_set<N>{batch}, [&](tag) noexcept {
        if (time.reads() != reads) {
            reads = time.reads();
            since = 0;
        }
        time.advance(cost);
        ++s.completions;
        s.longest = std::max(s.longest, ++since);
        return true;
    });
    s.reads = time.reads();
    return s;
}

using every_16th = time_budget<1'000'000, every<16>>;

} // namespace

TEST_CASE("With a stride of 16 the clock is read at most twice for 16 completions, wherever they lie", "[counts]") {
    std::minstd_rand random{20'240'701};
    for (unsigned i = 0; i < 20'000; ++i) {
        auto const batch =
            static_cast<std::uint32_t>(random()) & (i % 3 == 0 ? static_cast<std::uint32_t>(random()) : ~0U);
        auto const finished = static_cast<unsigned>(std::popcount(batch));
        seen const s = complete<every_16th, 32>(batch);
        REQUIRE(s.completions == finished);
        REQUIRE(s.longest <= 16);
        REQUIRE(s.reads <= 2 * ((finished + 15) / 16));
    }
    CHECK(complete<every_16th, 32>(1).reads == 0);
    CHECK(complete<every_16th, 32>(0xFFFF).reads == 1);
    CHECK(complete<every_16th, 32>(~0U).reads == 2);
}

TEST_CASE("On a set of 64 tags a stride of 16 is counted", "[counts]") {
    CHECK(complete<every_16th, 64>(~0ULL).reads == 4);
    CHECK(complete<every_16th, 64>(0x8000'8000'8000'8000).reads == 1);
    CHECK(complete<every_16th, 64>(~0ULL).longest == 16);
}

TEST_CASE("With a stride of 16 a run ends at the first look after its time, not more than 16 late", "[counts]") {
    CHECK(complete<every_16th, 32>(~0U, 100'000).completions == 16);
    CHECK(complete<every_16th, 32>(0x5555'5555, 200'000).completions == 8);
    CHECK(complete<every_16th, 32>(0x5555'5555, 100'000).completions == 16);
}
