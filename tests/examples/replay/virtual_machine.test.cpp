// SPDX-License-Identifier: BSL-1.0
#include "texts.hpp"

#include <replay/policies.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

using replay::policy_results;
using texts::event;

namespace {

policy_results
run(std::string const& policy, std::string text, replay::machine_costs costs = {},
    replay::policy_settings settings = {}) {
    replay::recording source{texts::source(std::move(text)), 1000};
    for (auto const& entry : replay::all_policies) {
        if (entry.name == policy) {
            auto const it = entry.make({source, costs, settings});
            it->run_to(1'000'000);
            auto results = it->finish();
            REQUIRE_FALSE(source.error());
            return results;
        }
    }
    FAIL("no such policy");
    return {};
}

// Without a cost of writing, requests that are sent at the same time also finish at the same time.
constexpr replay::machine_costs free_writes{.write_ns = 0};

std::string together(unsigned requests, std::string const& finish) {
    std::string text;
    for (unsigned tag = 0; tag < requests; ++tag) {
        text += event("1.0", "send_req", std::to_string(tag));
    }
    for (unsigned tag = 0; tag < requests; ++tag) {
        text += event(finish, "complete_rsp", std::to_string(tag));
    }
    return text;
}

} // namespace

// Costs: entry 1000, read 200, write 50, wake 10000, callback 2000.

TEST_CASE("one request in the hard handler: what it costs can be added up by hand") {
    auto const r = run("hard", together(1, "1.001"));
    CHECK(r.requests == 1);
    CHECK(r.completed == 1);
    CHECK(r.lost == 0);
    CHECK(r.doubled == 0);
    CHECK(r.interrupts == 1);
    CHECK(r.reads == 2);  // status, doorbell
    CHECK(r.writes == 2); // ring, acknowledge
    CHECK(r.added_sum_ns == 1000 + 200 + 50 + 200);
    CHECK(r.hard_max_ns == 200 + 50 + 200 + 2000);
    CHECK(r.lock_max_ns == 200); // the doorbell is read under it
    CHECK(r.wakeups == 0);
    CHECK(r.faults.empty());
}

TEST_CASE("one request in the thread") {
    auto const r = run("thread", together(1, "1.001"));
    CHECK(r.completed == 1);
    CHECK(r.wakeups == 1);
    CHECK(r.interrupts == 1);
    CHECK(r.hard_max_ns == 200 + 50);
    CHECK(r.added_sum_ns == 1000 + 200 + 50 + 10'000 + 200);
}

TEST_CASE("one request through each of the kernel's loops: 4 reads and 2 writes, as measured on real kernels") {
    for (char const* policy : {"linux-hardirq", "linux-threaded", "linux-budgeted"}) {
        CAPTURE(policy);
        auto const r = run(policy, together(1, "1.001"));
        CHECK(r.completed == 1);
        CHECK(r.interrupts == 1);
        CHECK(r.reads == 4);
        CHECK(r.writes == 2);
    }
    CHECK(run("linux-threaded", together(1, "1.001")).hard_max_ns == 0);
    CHECK(run("linux-hardirq", together(1, "1.001")).added_sum_ns == 1000 + 200 + 200 + 50 + 200);
    CHECK(run("linux-threaded", together(1, "1.001")).wakeups == 1);
}

TEST_CASE("costs are what the options say") {
    replay::machine_costs const costs{.entry_ns = 7, .read_ns = 100, .write_ns = 30, .wake_ns = 1, .callback_ns = 5};
    auto const r = run("hard", together(1, "1.001"), costs);
    CHECK(r.added_sum_ns == 7 + 100 + 30 + 100);
    CHECK(r.hard_max_ns == 100 + 30 + 100 + 5);
}

TEST_CASE("the time budget ends the hard handler and the thread serves the rest") {
    auto const r = run("time", together(32, "1.001"), free_writes);
    CHECK(r.completed == 32);
    CHECK(r.lost == 0);
    CHECK(r.wakeups == 1);
    CHECK(r.hard_max_ns == 200 + 200 + 10 * 2000); // looked at after each callback, from the claim on
    CHECK(run("hard", together(32, "1.001"), free_writes).hard_max_ns == 200 + 200 + 32 * 2000);
    auto const shorter = run("time", together(32, "1.001"), free_writes, {.budget_ns = 6000});
    CHECK(shorter.hard_max_ns == 200 + 200 + 3 * 2000);
    CHECK(shorter.completed == 32);
    auto const tiny = run("time", together(32, "1.001"), free_writes, {.budget_ns = 1});
    CHECK(tiny.hard_max_ns == 200 + 200 + 2000);
    CHECK(tiny.completed == 32);
}

TEST_CASE("the count budget ends the hard handler after so many") {
    for (unsigned const count : replay::possible_counts) {
        auto const r = run("count", together(32, "1.001"), free_writes, {.count = count});
        CHECK(r.completed == 32);
        CHECK(r.hard_max_ns == 200 + 200 + count * 2000);
        CHECK(r.wakeups == (count < 32 ? 1 : 0));
    }
}

TEST_CASE("the budgeted kernel loop holds the lock over its callbacks and loses its leftover") {
    auto const fine = run("linux-budgeted", together(32, "1.001"), free_writes, {.tick_ns = 1});
    CHECK(fine.completed == 10);
    CHECK(fine.lost == 22);
    CHECK(fine.lock_max_ns == 200 + 10 * 2000);
    CHECK(fine.wakeups == 1);
    CHECK_FALSE(fine.own);
    // A tick at 1.004: the 20 us last until then.
    CHECK(run("linux-budgeted", together(32, "1.001"), free_writes).lost == 0);
    CHECK(run("linux-budgeted", together(32, "1.001"), free_writes).lock_max_ns == 200 + 32 * 2000);
}

TEST_CASE("a submitter waits for the lock, and the device starts when the doorbell is rung") {
    // The second request is sent while the callbacks of the first run with the lock held.
    std::string const text = event("1.0", "send_req", "0") + event("1.001", "complete_rsp", "0") +
                             event("1.001002", "send_req", "1") + event("1.002002", "complete_rsp", "1");
    replay::machine_costs const slow{.callback_ns = 50'000};
    auto const unlocked = run("linux-hardirq", text, slow);
    auto const locked = run("linux-budgeted", text, slow);
    CHECK(unlocked.completed == 2);
    CHECK(locked.completed == 2);
    CHECK(unlocked.lock_max_ns == 200);
    CHECK(locked.lock_max_ns == 200 + 50'000);
}

TEST_CASE("the hard handler interrupts the thread between two callbacks and within one") {
    // 32 finish at once and go to the thread; one more finishes while the thread is in its callbacks.
    std::string text;
    for (unsigned tag = 0; tag < 32; ++tag) {
        text += event("1.0", "send_req", std::to_string(tag));
    }
    for (unsigned tag = 0; tag < 31; ++tag) {
        text += event("1.001", "complete_rsp", std::to_string(tag));
    }
    text += event("1.001021", "complete_rsp", "31");
    auto const r = run("thread", text, free_writes);
    CHECK(r.completed == 32);
    CHECK(r.interrupts == 2);
    CHECK(r.wakeups == 1); // the second wake finds the thread awake
}

TEST_CASE("an interrupt in the middle of a callback makes the callback end later") {
    std::string const text = event("1.0", "send_req", "0") + event("1.0005", "send_req", "1") +
                             event("1.001", "complete_rsp", "0") + event("1.001030", "complete_rsp", "1");
    auto const r = run("thread", text, {.callback_ns = 50'000});
    CHECK(r.completed == 2);
    CHECK(r.interrupts == 2);
    // From the first finish: to the first callback, the callback, the second hard handler in it, and the second claim.
    std::uint64_t const first_callback = 1000 + 200 + 50 + 10'000 + 200;
    std::uint64_t const second_callback = first_callback + 50'000 + (1000 + 200 + 50) + 200;
    CHECK(r.added_max_ns == second_callback - 30'000);
}

TEST_CASE("the hard handler waits for a submitter that holds the lock") {
    std::string const text = event("1.0", "send_req", "0") + event("1.001", "complete_rsp", "0") +
                             event("1.001021100", "send_req", "1") + event("1.002", "complete_rsp", "1");
    auto const r = run("hard", text, {.write_ns = 10'000});
    CHECK(r.completed == 2);
    // The first finish is at 1.001010000. The handler wants the lock 11200 later, 100 after the submitter took it.
    CHECK(r.added_max_ns == 11'100 + 10'000 + 200);
    CHECK(r.lock_max_ns == 10'000);
}

TEST_CASE("a send beyond 32 in flight waits for a slot") {
    std::string text;
    for (unsigned tag = 0; tag < 40; ++tag) {
        text += event("1.0", "send_req", std::to_string(tag * 100));
    }
    for (unsigned tag = 0; tag < 40; ++tag) {
        text += event("1.001", "complete_rsp", std::to_string(tag * 100));
    }
    for (auto const& policy : replay::all_policies) {
        CAPTURE(policy.name);
        auto const r = run(std::string{policy.name}, text);
        CHECK(r.requests == 40);
        CHECK(r.completed == 40);
        CHECK(r.lost == 0);
        CHECK(r.faults.empty());
    }
}

TEST_CASE("requests left open are neither completed nor lost, and their slots stay taken") {
    auto const r = run(
        "hard", event("1.0", "send_req", "5") + event("1.0", "send_req", "6") + event("1.001", "complete_rsp", "6"));
    CHECK(r.requests == 1);
    CHECK(r.completed == 1);
    CHECK(r.lost == 0);
    CHECK(r.faults.empty());
}

TEST_CASE("a request whose completion a gap swallowed gives its slot back without being counted") {
    std::string text;
    for (unsigned round = 0; round < 100; ++round) {
        std::string const second = std::to_string(round + 1);
        text += event(second + ".0", "send_req", "1") + "CPU:0 [LOST 3 EVENTS]\n";
    }
    text += event("200.0", "send_req", "2") + event("200.1", "complete_rsp", "2");
    for (auto const& policy : replay::all_policies) {
        auto const r = run(std::string{policy.name}, text);
        CHECK(r.handed == 101);
        CHECK(r.writes_per_request() <= 2.0);
        CHECK(r.requests == 1);
        CHECK(r.completed == 1);
        CHECK(r.lost == 0);
        CHECK(r.faults.empty());
    }
}

TEST_CASE("random loads: the library's policies lose nothing and double nothing, whatever things cost") {
    std::mt19937 random{20240607};
    auto const up_to = [&random](unsigned most) { return std::uniform_int_distribution<unsigned>{0, most}(random); };
    for (unsigned load = 0; load < 60; ++load) {
        std::vector<unsigned> open;
        std::vector<bool> busy(64);
        std::string text;
        std::uint64_t now_us = 1'000'000;
        unsigned const depth = 1 + up_to(47);
        unsigned const pace = up_to(40);
        for (unsigned n = 0; n < 400; ++n) {
            now_us += up_to(pace);
            std::string const time =
                std::to_string(now_us / 1'000'000) + "." + std::to_string(1'000'000 + now_us % 1'000'000).substr(1);
            if (open.size() < depth and (open.empty() or up_to(1) == 0)) {
                unsigned tag = up_to(63);
                while (busy[tag]) {
                    tag = (tag + 1) % 64;
                }
                busy[tag] = true;
                open.push_back(tag);
                text += event(time, "send_req", std::to_string(tag));
            } else {
                std::size_t const which = up_to(static_cast<unsigned>(open.size()) - 1);
                text += event(time, "complete_rsp", std::to_string(open[which]));
                busy[open[which]] = false;
                open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
            }
        }
        replay::machine_costs const costs{
            .entry_ns = up_to(3000),
            .read_ns = up_to(1500),
            .write_ns = up_to(400),
            .wake_ns = up_to(60'000),
            .callback_ns = up_to(1) == 0 ? up_to(3000) : up_to(40'000)};
        replay::policy_settings const settings{
            .budget_ns = 1 + up_to(50'000), .tick_ns = 1 + up_to(10'000), .count = replay::possible_counts[up_to(5)]};
        CAPTURE(
            load, depth, pace, costs.entry_ns, costs.read_ns, costs.write_ns, costs.wake_ns, costs.callback_ns,
            settings.budget_ns, settings.count);
        for (auto const& policy : replay::all_policies) {
            CAPTURE(policy.name);
            auto const r = run(std::string{policy.name}, text, costs, settings);
            CHECK(r.doubled == 0);
            if (r.own) {
                CHECK(r.faults.empty());
                CHECK(r.lost == 0);
                CHECK(r.completed == r.requests);
            } else if (policy.name != "linux-budgeted") { // which may also run out of slots
                CHECK(r.completed == r.requests);
            }
        }
    }
}
