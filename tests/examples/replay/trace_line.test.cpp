// SPDX-License-Identifier: BSL-1.0
#include <replay/trace_line.hpp>

#include <catch2/catch_test_macros.hpp>

#include <string>

using replay::find_trace_event;
using replay::split_trace_line;

TEST_CASE("an event line is split whatever columns its printer has") {
    struct {
        char const* text;
        unsigned cpu;
        std::uint64_t time_ns;
    } const rows[] = {
        {"  fio-100   [003] .....  5.000001: ufshcd_command: rest", 3, 5'000'001'000},
        {"  fio-100   [003] ....  5.000001: ufshcd_command: rest", 3, 5'000'001'000},
        {"  fio-100   ( 1204) [003] d.h1  5.000001: ufshcd_command: rest", 3, 5'000'001'000},
        {"  fio-100   (-----) [003] d.h1.  5.000001: ufshcd_command: rest", 3, 5'000'001'000},
        {"  fio-100   [127]  5.000001: ufshcd_command:       rest", 127, 5'000'001'000},
        {"fio   100 [000]  5.000001234:    ufs:ufshcd_command: rest", 0, 5'000'001'234},
        {"fio   100/101 [000]  5.5: ufs:ufshcd_command: rest", 0, 5'500'000'000},
    };

    for (auto const& row : rows) {
        CAPTURE(row.text);
        auto const line = split_trace_line(row.text);
        REQUIRE(line);
        CHECK(line->cpu == row.cpu);
        CHECK(line->time_ns == row.time_ns);
        CHECK(line->event == "ufshcd_command");
        CHECK(line->payload == "rest");
    }
}

TEST_CASE("a task may be called anything") {
    for (std::string const name :
         {"<idle>", "a b", "a-b-c", "[x]", "x[392]", "[", "a [", "[1]", "x [1] 2.5: y", "a: b", "ufshcd_command:", "-",
          "((", "x-1 [1]", "]["}) {
        for (std::string const rest :
             {"-12   [002] d.h1.  7.000002: ufshcd_command: send", // kernel
              "-12   ( 12) [002] d.h1  7.000002: ufshcd_command: send",
              "-12   [002]  7.000002: ufshcd_command:    send",       // trace-cmd
              "   12 [002]  7.000002:   ufs:ufshcd_command: send"}) { // perf
            std::string const text = "   " + name + rest;
            CAPTURE(text);
            auto const line = split_trace_line(text);
            REQUIRE(line);
            CHECK(line->cpu == 2);
            CHECK(line->time_ns == 7'000'002'000);
            CHECK(line->event == "ufshcd_command");
            CHECK(line->payload == "send");
        }
    }
}

TEST_CASE("the columns, not the payload, name the event") {
    auto const line =
        split_trace_line(" sh-9 [001] .....  3.0: tracing_mark_write: x-1 [002] 5.5: ufshcd_command: send");
    REQUIRE(line);
    CHECK(line->event == "tracing_mark_write");
    CHECK(line->cpu == 1);
}

TEST_CASE("text that is no event line is not taken for one") {
    for (char const* text :
         {"", "[", "[001]", " [001] ", "# tracer: nop", "CPU:1 [LOST 12 EVENTS]", "x-1 [001] ..... : a: b",
          "x-1 [001] ..... 1.5 a: b", "x-1 [001] ..... 99999999999.0: a: b", "x-1 [99999999999999999999] . 1.0: a: b",
          "x-1 [001] ..... 1.0000000001: a: b", "x [001] ..... 1.0: a: b"}) {
        CAPTURE(text);
        CHECK_FALSE(split_trace_line(text));
    }
}

TEST_CASE("a count instead of seconds is noticed") {
    auto const line = split_trace_line(" fio-1 [000] ..... 123456789: ufshcd_command: send");
    REQUIRE(line);
    CHECK(line->counted);
}

TEST_CASE("without a CPU column the time before the event is enough") {
    for (char const* text :
         {"313.828168: ufshcd_command: send", "  fio-9   3d.h2. 313.828168: ufshcd_command: send",
          "fio 9 313.828168: ufs:ufshcd_command: send", "[x 313.828168:   ufs:ufshcd_command: send"}) {
        CAPTURE(text);
        auto const line = find_trace_event(text, "ufshcd_command");
        REQUIRE(line);
        CHECK(line->time_ns == 313'828'168'000);
        CHECK(line->payload == "send");
        CHECK(line->cpu == replay::trace_line::no_cpu);
    }
    for (char const* text :
         {"ufshcd_command: send", " ufshcd_command: send", "x: ufshcd_command: send", "313.828168 ufshcd_command: send",
          ""}) {
        CAPTURE(text);
        CHECK_FALSE(find_trace_event(text, "ufshcd_command"));
    }
}
