// SPDX-License-Identifier: BSL-1.0
#include <doorbell/testing/explore.hpp>

#include <catch2/catch_test_macros.hpp>

#include <fstream>
#include <sstream>
#include <string>

// The part between the marks is what docs/explorer.md shows; the last test compares the two.

// [example]
namespace explore = doorbell::testing::explore;

// A device with one request slot, and a driver that keeps one word about it, behind a lock.
template <class Lock>
struct one_slot {
    explicit one_slot(explore::schedule& s)
        : doorbell{s, "doorbell"}, cause{s, "cause"}, outstanding{s, "outstanding"} {}

    void submit() {
        auto const token = lock.acquire();
        outstanding.store(1);
        doorbell.store(1);
        lock.release(token);
    }

    void look_what_finished() {
        auto const token = lock.acquire();
        bool const mine = doorbell.load() == 0 and outstanding.load() == 1;
        if (mine) {
            outstanding.store(0);
        }
        lock.release(token);
        completed += mine ? 1 : 0;
    }

    void on_irq() {
        cause.store(0);
        look_what_finished();
    }

    Lock lock{};
    explore::shared<unsigned> doorbell, cause, outstanding; // each access is a step
    unsigned completed = 0;
};

template <class Lock>
void interrupt_against_poll(explore::schedule& s) {
    one_slot<Lock> disk{s}; // everything is made anew for each schedule
    s.context("poller", explore::core{0}, [&] {
        disk.submit();
        disk.look_what_finished();
    });
    s.service("device", [&] { // a service may be left waiting at the end
        for (;;) {
            disk.doorbell.await(1);
            disk.doorbell.store(0);
            disk.cause.store(1);
        }
    });
    explore::line const level{{disk.cause.what(), explore::mode::read}, [&] { return disk.cause.peek() == 1; }};
    s.hard_handler("irq", explore::core{0}, level, [&] { disk.on_irq(); }); // interrupts the poller
    if (s.go()) {
        s.check(disk.completed == 1, "the request completes once");
    }
}

// [/example]

namespace {

auto const right = interrupt_against_poll<explore::explored_irq_spin_lock>;
auto const wrong = interrupt_against_poll<explore::explored_no_lock>;

} // namespace

TEST_CASE("the worked example passes with its lock, and fails without") {
    auto const good = explore::run("with its lock", right);
    INFO(good.text());
    CHECK(good.end == explore::verdict::exhausted);

    auto const bad = explore::run("without a lock", wrong);
    INFO(bad.text());
    REQUIRE(bad.end == explore::verdict::failed);
    CHECK(explore::replay(bad.fault->replay, wrong).fault->what == bad.fault->what);
}

TEST_CASE("the page shows this example and what it prints") {
    auto const read = [](char const* path) {
        std::ifstream const file{path};
        std::stringstream text;
        text << file.rdbuf();
        return text.str();
    };
    std::string const source = read("tests/explore/example.test.cpp");
    std::string const page = read("docs/explorer.md");
    auto const begin = source.find("// [example]\n") + 13;
    std::string const example = source.substr(begin, source.find("// [/example]") - begin);
    REQUIRE(example.size() > 500);
    CHECK(page.find(example) != std::string::npos);
    CHECK(page.find(explore::run("with its lock", right).text()) != std::string::npos);
    CHECK(page.find(explore::run("without a lock", wrong).text()) != std::string::npos);
}
