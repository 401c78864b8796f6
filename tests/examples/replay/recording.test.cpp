// SPDX-License-Identifier: BSL-1.0
#include "texts.hpp"

#include <replay/recording.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using texts::event;
using texts::read;
using kind = replay::recorded_event::kind;

namespace {

texts::read_text sample(std::string const& name) {
    return read(texts::file("tests/data/formats/" + name + ".txt"));
}

} // namespace

TEST_CASE("each printer and each kernel's form is read") {
    struct {
        char const* name;
        char const* format;
        std::uint64_t requests;
        std::uint64_t skipped;
    } const rows[] = {
        {"ftrace-android-tgid", "ftrace", 3, 0},  {"ftrace-4.14", "ftrace", 3, 0},
        {"ftrace-no-device", "ftrace", 1, 0},     {"trace-cmd", "trace-cmd", 1, 1},
        {"trace-cmd-latency", "trace-cmd", 1, 0}, {"perf-script", "perf", 2, 1},
    };

    for (auto const& row : rows) {
        CAPTURE(row.name);
        auto const r = sample(row.name);
        CHECK(r.error == "");
        CHECK(r.format == row.format);
        CHECK(r.counts.requests == row.requests);
        CHECK(r.counts.skipped == row.skipped);
        CHECK(r.counts.open == 0);
        CHECK(r.counts.lost_in_gap == 0);
        CHECK(r.counts.queued == 0);
        CHECK(r.events.size() == 2 * row.requests);
    }
}

TEST_CASE("times are read to the nanosecond") {
    auto const r = sample("trace-cmd-latency");
    REQUIRE(r.events.size() == 2);
    CHECK(r.events[0].time_ns == 1'234'500'100'123);
    CHECK(r.events[1].time_ns == 1'234'500'321'456);
    CHECK(r.events[0].tag == 9);
    CHECK(r.events[0].what == kind::send);
    CHECK(r.events[1].what == kind::finish);
    CHECK(r.events[0].request == r.events[1].request);
}

TEST_CASE("completions and requests at the edges of a gap are counted apart") {
    auto const r = sample("ftrace-lost-events");
    CHECK(r.error == "");
    CHECK(r.counts.requests == 2);
    CHECK(r.counts.skipped == 3);
    CHECK(r.counts.lost_in_gap == 3);
    CHECK(r.counts.open == 1);
}

TEST_CASE("register traffic is read with its log prefix, a microsecond a line") {
    auto const r = sample("qemu-prefixed");
    CHECK(r.error == "");
    CHECK(r.format == "qemu-mmio");
    CHECK(r.counts.requests == 3);
    REQUIRE(r.events.size() == 6);
    CHECK(r.events[0].time_ns == 1000);
    CHECK(r.events[1].time_ns == 1000);
    CHECK(r.events[1].tag == 2);
    CHECK(r.events[2].time_ns == 4000);
    CHECK(r.events[2].tag == 2);
    CHECK(r.events[3].tag == 3); // bit 0 was set already
    CHECK(r.events[5].time_ns == 9000);
    CHECK(read(texts::file("tests/data/formats/qemu-prefixed.txt"), 4096, 250).events[5].time_ns == 2250);
}

TEST_CASE("multi-queue traffic is recognised and is no fault of the input") {
    auto const r = sample("qemu-multi-queue");
    CHECK(r.error == "");
    CHECK(r.multi_queue);
    CHECK(r.format == "qemu-mcq");
}

TEST_CASE("the size of the pieces and CR LF change nothing") {
    for (std::string const name : {"ftrace-lost-events", "perf-script", "qemu-prefixed"}) {
        std::string const text = texts::file("tests/data/formats/" + name + ".txt");
        std::string crlf;
        for (char const c : text) {
            crlf += c == '\n' ? "\r\n" : std::string(1, c);
        }
        for (std::size_t const piece : {std::size_t{1}, std::size_t{7}, std::size_t{100'000}}) {
            CAPTURE(name, piece);
            CHECK(read(text, piece).counts.requests == read(text).counts.requests);
            CHECK(read(text, piece).counts.skipped == read(text).counts.skipped);
            CHECK(read(crlf, piece).counts.requests == read(text).counts.requests);
            CHECK(read(crlf, piece).error == "");
        }
    }
}

TEST_CASE("what cannot be true is told with its line") {
    std::string const good = event("1.0", "send_req", "1") + event("1.1", "complete_rsp", "1");
    CHECK_THAT(
        read(good + event("1.2", "complete_rsp", "1")).error, StartsWith("3: completion of tag 1 without a send"));
    CHECK_THAT(
        read(event("1.0", "send_req", "1") + "other text\n" + event("1.2", "send_req", "1")).error,
        StartsWith("3: tag 1 is sent twice"));
    CHECK_THAT(read(event("1.0", "send_req", "4096")).error, StartsWith("1: tag 4096 is out of range"));
    CHECK_THAT(
        read(good + event("1.0", "send_req", "4294967295")).error, StartsWith("3: tag 4294967295 is out of range"));
    CHECK_THAT(
        read(good + event("0.9", "send_req", "1")).error,
        StartsWith("3: time runs backwards, from 1.100000 to 0.900000"));
    CHECK_THAT(read(good + std::string{"\x01\x02\0\n", 4}).error, StartsWith("3: binary noise"));
    CHECK_THAT(read(good + std::string{"\x01\x02", 2}).error, StartsWith("3: binary noise"));
    CHECK_THAT(read("").error, StartsWith("0: no event at all"));
    CHECK_THAT(read("hello\nworld\n").error, StartsWith("2: no event at all"));
    CHECK_THAT(read("# tracer: nop\n#\n").error, ContainsSubstring("not one ufshcd_command"));
    CHECK_THAT(read("ufs_irq_raise INTx\n").error, ContainsSubstring("no request in it"));
    CHECK_THAT(
        read("ufs_mmio_write addr 0x58 data\nufs_irq_raise INTx\n").error, StartsWith("1: register access without"));
    CHECK_THAT(read("ufs_sendback_req UTRLDBR slot 32\n").error, StartsWith("1: slot 32 is out of range"));
    CHECK_THAT(
        read("x-1 [000] ..... 1.0: ufshcd_command: send_req: nothing\n" + good).error,
        StartsWith("1: ufshcd_command event without a tag"));
    CHECK_THAT(
        read("x-1 [000] ..... 1234: ufshcd_command: send_req: tag: 1, DB: 0\n" + good).error,
        StartsWith("1: times are counts of a clock"));
}

TEST_CASE("a task may have control characters in its name") {
    std::string text = event("1.0", "send_req", "1") + event("1.1", "complete_rsp", "1");
    text.replace(text.find("fio"), 3, "f\x01\x7f");
    CHECK(read(text).error == "");
    CHECK(read(text).counts.requests == 1);
}

TEST_CASE("a tag sent twice is excused by a gap of that time, also by one that is reported later") {
    std::string const twice = event("1.0", "send_req", "1", 0) + event("1.1", "complete_rsp", "1", 1) +
                              event("1.2", "send_req", "1", 0) + event("1.3", "send_req", "1", 0);
    CHECK_THAT(read(twice).error, StartsWith("4: tag 1 is sent twice"));
    CHECK(read(twice + "CPU:1 [LOST 4 EVENTS]\n" + event("1.4", "complete_rsp", "1", 1)).error == "");
    // Processor 0 showed an event at 1.3, so nothing of it is missing before that.
    CHECK_THAT(
        read(twice + event("1.35", "complete_rsp", "1", 0) + "CPU:0 [LOST 4 EVENTS]\n").error,
        StartsWith("4: tag 1 is sent twice"));
    CHECK(read(twice + "##### CPU 1 buffer started ####\n").error == "");
}

TEST_CASE("a recording begins in the middle: the first completion of a tag may lack its send") {
    auto const r = read(
        event("1.0", "complete_rsp", "1") + event("1.1", "send_req", "1") + event("1.2", "complete_rsp", "1") +
        event("1.3", "complete_rsp", "2") + event("1.4", "send_req", "3"));
    CHECK(r.error == "");
    CHECK(r.counts.skipped == 2);
    CHECK(r.counts.requests == 1);
    CHECK(r.counts.open == 1);
    CHECK(r.events.size() == 3);
}

TEST_CASE("a cut last line is left out and told") {
    std::string const good = event("1.0", "send_req", "1") + event("1.1", "complete_rsp", "1");
    std::string const next = event("1.2", "send_req", "2");
    for (std::size_t n = 1; n < next.size(); ++n) {
        auto const r = read(good + next.substr(0, n));
        CHECK(r.error == "");
        CHECK(r.cut_line == 3);
        CHECK(r.counts.sends == 1);
    }
    CHECK(read(good + next.substr(0, next.find(" 2,")) + "\n").cut_line == 3);
    CHECK(read(good + next).cut_line == 0);
    CHECK(read("ufs_sendback_req UTRLDBR slot 3\nufs_mmio_wri").cut_line == 2);
    CHECK(read("ufs_sendback_req UTRLDBR slot 3\nufs_mmio_write addr 0x58\n").cut_line == 2);
}

TEST_CASE("two controllers have tags of their own, logical units of one do not") {
    std::string one = event("1.0", "send_req", "1");
    std::string other = one;
    other.replace(other.find("0:0:0:0"), 7, "1:0:0:0");
    std::string unit = one;
    unit.replace(unit.find("0:0:0:0"), 7, "0:1:2:5");
    CHECK(read(one + other).error == "");
    CHECK_THAT(read(one + unit).error, StartsWith("2: tag 1 is sent twice"));
}

TEST_CASE("sends beyond 32 in flight are counted") {
    std::string text;
    for (unsigned tag = 0; tag < 40; ++tag) {
        text += event("1.0", "send_req", std::to_string(tag));
    }
    CHECK(read(text).counts.queued == 8);
    CHECK(read(text).counts.open == 40);
}

TEST_CASE("requests that a gap swallowed give way when slots are needed") {
    std::string text;
    for (unsigned tag = 0; tag < 32; ++tag) {
        text += event("1.0", "send_req", std::to_string(tag));
    }
    text += "CPU:0 [LOST EVENTS]\n" + event("1.5", "send_req", "100") + event("1.6", "complete_rsp", "0");
    auto const r = read(text);
    CHECK(r.error == "");
    CHECK(r.counts.queued == 0);
    CHECK(r.counts.lost_in_gap == 32);
    CHECK(r.counts.skipped == 1);
    CHECK(r.counts.open == 1);
}

TEST_CASE("memory does not grow with the recording") {
    std::uint64_t lines = 0;
    replay::recording r{
        [&lines, rest = std::string{}](std::span<char> to) mutable {
            if (rest.empty() and lines < 200'000) {
                std::string const time =
                    std::to_string(1 + lines / 1000) + "." + std::to_string(1'000'000 + lines % 1000).substr(1);
                rest = event(time, lines % 2 == 0 ? "send_req" : "complete_rsp", "7");
                ++lines;
            }
            std::size_t const n = std::min(rest.size(), to.size());
            std::copy_n(rest.data(), n, to.data());
            rest.erase(0, n);
            return n;
        },
        1000};
    std::uint64_t i = 0;
    for (; r.at(i) != nullptr; ++i) {
        r.forget(i);
        REQUIRE(r.held() < 10'000);
    }
    CHECK_FALSE(r.error());
    CHECK(i == 200'000);
}
