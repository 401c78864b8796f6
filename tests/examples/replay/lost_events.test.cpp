// SPDX-License-Identifier: BSL-1.0
#include <replay/lost_events.hpp>

#include <catch2/catch_test_macros.hpp>

using replay::find_lost_events;
using replay::trace_line;

TEST_CASE("each tool's way to say that events are missing is known") {
    struct {
        char const* text;
        std::uint32_t cpu;
        bool from_start;
    } const rows[] = {
        {"CPU:1 [LOST 123 EVENTS]", 1, false},
        {"CPU:12 [LOST EVENTS]", 12, false},
        {"CPU:7 [204600 EVENTS DROPPED]", 7, false},
        {"CPU:7 [EVENTS DROPPED]", 7, false},
        {"##### CPU 3 buffer started ####", 3, true},
        {"swapper     0 [003]  4021.118480: PERF_RECORD_LOST lost 12", 3, false},
        {"PERF_RECORD_LOST lost 12", trace_line::no_cpu, false},
        {"4021.118480 0x1f8 [0x28]: PERF_RECORD_LOST lost 12", trace_line::no_cpu, false},
        {"Processed 100 events and lost 3 chunks!", trace_line::no_cpu, true},
    };

    for (auto const& row : rows) {
        CAPTURE(row.text);
        auto const lost = find_lost_events(row.text);
        REQUIRE(lost);
        CHECK(lost->cpu == row.cpu);
        CHECK(lost->from_start == row.from_start);
    }
}

TEST_CASE("other text is not taken for missing events") {
    for (char const* text :
         {"", "CPU 2 is empty", "CPU:1", "# LOST EVENTS", "swapper 0 [003] 1.5: PERF_RECORD_LOST lost 0",
          " sh-9 [001] ..... 3.0: tracing_mark_write: PERF_RECORD_LOST lost 3",
          " sh-9 [001] ..... 3.0: tracing_mark_write: CPU:1 [LOST 123 EVENTS]"}) {
        CAPTURE(text);
        CHECK_FALSE(find_lost_events(text));
    }
}
