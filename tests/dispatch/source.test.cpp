// SPDX-License-Identifier: BSL-1.0
#include <doorbell/dispatch/source.hpp>

#include "../support/rig.hpp"

#include <doorbell/lock/null_lock.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace {

using namespace support;
using db::outcome;
using db::tag;

/// Says which member was asked, and for whom.
struct both_driver {
    journal* log;

    void prepare(tag t) noexcept { say("prepare", t); }

    outcome response(tag t) noexcept {
        say("response", t);
        return outcome{0x1};
    }

    void completed(db::claimed<db::any_context> won, outcome o) noexcept { say("completed", won.get(), o); }

    void task_prepare(tag t) noexcept { say("task_prepare", t); }

    outcome task_response(tag t) noexcept {
        say("task_response", t);
        return outcome{0x2};
    }

    void task_completed(db::claimed<db::thread_context> won, outcome o) noexcept {
        say("task_completed", won.get(), o);
    }

private:
    void say(char const* what, tag t) noexcept { log->add(std::string{what} + " " + std::to_string(t.index)); }

    void say(char const* what, tag t, outcome o) noexcept {
        log->add(std::string{what} + " " + std::to_string(t.index) + " " + hex(static_cast<std::uint32_t>(o)));
    }
};

using transfers = db::source<db::ufshci::transfers, db::transfer_port, db::null_lock>;
using tasks = db::source<db::ufshci::tasks, db::task_port, db::null_lock>;

static_assert(std::is_same_v<transfers::tags, db::tag_set<32>> and std::is_same_v<tasks::tags, db::tag_set<8>>);
static_assert(db::transfer_port::prepares<both_driver> and db::task_port::prepares<both_driver>);
static_assert(not db::transfer_port::prepares<plain_driver> and not db::task_port::prepares<plain_driver>);
static_assert(
    db::transfer_port::completes_in<both_driver, db::hard_context> and
    db::task_port::completes_in<both_driver, db::thread_context>);
static_assert(not db::task_port::completes_in<both_driver, db::hard_context>); // its callback may sleep

} // namespace

TEST_CASE("Each port speaks to its own members of the driver") {
    journal log;
    both_driver driver{&log};
    db::transfer_port::prepare(driver, tag{1});
    CHECK(db::transfer_port::response(driver, tag{1}) == outcome{0x1});
    db::transfer_port::completed<db::hard_context>(driver, tag{1}, outcome::aborted);
    CHECK(log.take() == lines{"prepare 1", "response 1", "completed 1 100"});
    db::task_port::prepare(driver, tag{2});
    CHECK(db::task_port::response(driver, tag{2}) == outcome{0x2});
    db::task_port::completed<db::thread_context>(driver, tag{2}, outcome::success);
    CHECK(log.take() == lines{"task_prepare 2", "task_response 2", "task_completed 2 0"});
}

TEST_CASE("A tag of one source says nothing about the same tag of another") {
    transfers first{};
    tasks second{};
    first.requests.locked([](auto& s) noexcept { s.open(transfers::tags::all()); });
    second.requests.locked([](auto& s) noexcept { s.open(tasks::tags::all()); });
    auto const rung = first.requests.locked(
        [](auto& s) noexcept { return s.submit(transfers::tags{tag{3}}, [](transfers::tags) noexcept {}); });
    CHECK(rung);
    CHECK(first.requests.locked([](auto& s) noexcept { return s.outstanding(); }) == transfers::tags{tag{3}});
    CHECK(second.requests.locked([](auto& s) noexcept { return s.idle(); }));
}
