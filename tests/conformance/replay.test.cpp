// SPDX-License-Identifier: BSL-1.0
#include "replayer.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <sstream>

using namespace conformance;

namespace {

/// Every recording of register traffic in tests/data, from wherever in the tree the test is started.
std::vector<std::string> recordings() {
    std::filesystem::path const data = std::filesystem::path(__FILE__).parent_path().parent_path() / "data";
    std::vector<std::string> out;
    for (auto const& entry : std::filesystem::directory_iterator(data)) {
        if (entry.path().extension() == ".mmio") {
            out.push_back(entry.path().string());
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

recording text(std::string const& lines) {
    std::istringstream in(lines);
    return parse(in, "x.mmio");
}

std::string complaint(std::string const& lines) {
    try {
        text(lines);
    } catch (std::runtime_error const& e) {
        return e.what();
    }
    return "accepted";
}

} // namespace

TEST_CASE("The register model answers every access of every recording as the recorded controller did") {
    auto const files = recordings();
    REQUIRE(files.size() >= 3);
    for (std::string const& file : files) {
        recording const r = parse_file(file);
        result const got = replayer<>(r).run();
        INFO(file);
        INFO((got.differences.empty() ? std::string() : got.differences.front()));
        CHECK(got.conforms());
        CHECK(got.reads > 10'000);
        CHECK(got.line_changes > 2'000);
        for (std::uint32_t const named : {0x20u, 0x24u, 0x30u, 0x34u, 0x94u, 0x98u, 0x9Cu}) {
            CHECK(got.compared.at(named) > 0);
        }
        CHECK(got.compared.contains(r.queues ? 0x101Cu : 0x58u));
        CHECK(got.compared.contains(r.queues ? 0x1020u : 0x58u));
    }
}

TEST_CASE("Recorded values reach only the comparator: a recording that lies about one read does not conform") {
    recording r = parse_file(recordings().front());
    std::size_t const n = GENERATE(3u, 1000u, 9999u);
    std::size_t seen = 0;
    for (event& e : r.events) {
        if (e.kind == event_kind::read and ++seen == n) {
            e.b ^= 1u;
            break;
        }
    }
    result const got = replayer<>(r).run();
    REQUIRE(got.differences.size() == 1);
    CHECK(got.differences[0].find(": read of ") != std::string::npos);
}

TEST_CASE("A line change that is missing, or too much, does not conform") {
    recording const whole = parse_file(recordings().front());
    std::size_t at = 500;
    while (whole.events[at].kind != event_kind::raise or whole.events[at + 1].kind == event_kind::raise or
           whole.events[at - 1].kind != event_kind::sendback) {
        ++at;
    }
    SECTION("missing") {
        recording r = whole;
        r.events.erase(r.events.begin() + static_cast<std::ptrdiff_t>(at));
        CHECK_FALSE(replayer<>(r).run().conforms());
    }
    SECTION("too much") {
        recording r = whole;
        r.events[at].kind = event_kind::lower;
        CHECK_FALSE(replayer<>(r).run().conforms());
    }
}

TEST_CASE("A deferred post may run late, but not for ever, not early and not twice") {
    std::string const start =
        "ufs_mmio_write addr 0x34 data 0x1 size 4\nufs_mmio_write addr 0x24 data 0x100000 size 4\n"
        "ufs_irq_lower INTx\nufs_mmio_write addr 0x420 data 0x80000207 size 4\n"
        "ufs_mmio_write addr 0x400 data 0x80000207 size 4\n";
    std::string const one = start + "ufs_mmio_write addr 0x1004 data 0x20 size 4\n";
    std::string const done = "ufs_mcq_complete_req sqid 0\n";
    std::string const nothing = "ufs_mmio_read addr 0x20 data 0x0 size 4\n";
    std::string const seen = "ufs_irq_raise INTx\nufs_mmio_read addr 0x20 data 0x100000 size 4\n";
    auto const conforms = [](std::string const& lines) {
        recording const r = text(lines);
        return replayer<>(r).run().conforms();
    };
    CHECK(conforms(one + done + seen));
    CHECK(conforms(one + done + nothing + nothing + seen));
    CHECK_FALSE(conforms(one + seen + done));
    CHECK_FALSE(conforms(one + done + seen + nothing));
    CHECK_FALSE(conforms(one + done + done + seen));
    CHECK_FALSE(conforms(one + done + seen + "ufs_mmio_read addr 0x1020 data 0x40 size 4\n"));
    CHECK(conforms(one + done + seen + "ufs_mmio_read addr 0x1020 data 0x20 size 4\n"));
}

TEST_CASE("A malformed recording is refused with file and line") {
    CHECK(
        complaint("ufs_mmio_read addr 0x20 data 0x0 size 4\nhello\n") ==
        "x.mmio:2: 'hello' is no event of this device");
    CHECK(complaint("") == "x.mmio:0: no event of this device");
    CHECK(complaint("ufs_mmio_read addr 0x20 data\n") == "x.mmio:1: '' is not a 32-bit number");
    CHECK(
        complaint("ufs_mmio_read addr 0x20 data 0x1ffffffff size 4\n") ==
        "x.mmio:1: '0x1ffffffff' is not a 32-bit number");
    CHECK(complaint("ufs_mmio_read addr 0x2x data 0x0 size 4\n") == "x.mmio:1: '0x2x' is not a number");
    CHECK(complaint("ufs_mmio_read addr 0x20 data 0x0 size 8\n") == "x.mmio:1: access is not 4 bytes wide");
    CHECK(complaint("ufs_mmio_read addr 0x21 data 0x0 size 4\n") == "x.mmio:1: no register can be at this offset");
    CHECK(complaint("ufs_mmio_read addr 0x20 data 0x0 size 4 more\n") == "x.mmio:1: 'more' after the end of the event");
    CHECK(complaint("ufs_mmio_read base 0x20\n") == "x.mmio:1: expected 'addr', found 'base'");
    CHECK(complaint("ufs_sendback_req UTRLDBR slot 32\n") == "x.mmio:1: slot 32 does not exist");
    CHECK(complaint("ufs_mcq_complete_req sqid 32\n") == "x.mmio:1: queue 32 does not exist");
    CHECK(
        complaint("ufs_mcq_create_cq mcq create cq cqid 99, addr 0x0, size 65\n") ==
        "x.mmio:1: queue 99 does not exist");
    CHECK(complaint("ufs_mmio_read addr 0x20 data 0x0 size 4\n") == "accepted");
    CHECK_THROWS_WITH(parse_file("/nowhere.mmio"), "/nowhere.mmio:0: cannot be opened");
}
