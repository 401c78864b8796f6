// SPDX-License-Identifier: BSL-1.0
// A bottom half in every order of events: a producer that queues, a consumer that runs, somebody who wants a request
// back or the whole thing closed.
#include "explored.hpp"

#include <doorbell/completion/count_budget.hpp>
#include <doorbell/deferral/bottom_half.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <array>

using namespace rig;
namespace db = doorbell;
using explore::verdict;

namespace {

struct request : db::deferred_item {
    request(db::endpoint& of, unsigned n) : db::deferred_item{of}, number{n} {}

    unsigned number;
};

template <class Budget>
using half = db::bottom_half<request, explore::explored_irq_spin_lock, Budget, explore::step_clock>;

/// A bottom half of three requests, and its books.
template <class Budget>
struct parts_of_half {
    explore::schedule& s;
    explore::wake_flag wake{s};
    explore::object callbacks{s.thing("callbacks")};
    db::endpoint disk{};
    db::endpoint stream{db::giveback_priority::high};
    request first{disk, 0};
    request second{disk, 1};
    request urgent{stream, 2};
    half<Budget> bottom{};
    std::array<unsigned, 3> queued{};
    std::array<unsigned, 3> given{};
    unsigned inside = 0;

    explicit parts_of_half(explore::schedule& one) : s{one} {
        s.watch("bottom half", bottom, explore::access_rule::behind_lock);
    }

    auto give() {
        return [this](request& r) noexcept {
            explore::require(explore::unlocked(), "no callback runs with the lock held");
            explore::point("begin", callbacks, {callbacks, explore::mode::write}, r.number);
            explore::require(inside == 0, "one callback runs at a time");
            ++inside;
            explore::require(given[r.number] < queued[r.number], "each completion runs once");
            explore::require(
                r.number != 1 or given[0] >= given[1] + (given[1] < queued[0] ? 1 : 0), "in order of the endpoint");
            ++given[r.number];
            explore::point("end", callbacks, {callbacks, explore::mode::write}, r.number);
            --inside;
        };
    }

    void queue(request& r) {
        ++queued[r.number];
        if (bottom.queue(r).schedule) {
            wake.wake();
        }
    }

    void consumer() {
        s.service("consumer", explore::core{1}, [this] {
            for (;;) {
                wake.sleep();
                while (bottom.run(give()).again()) {
                }
            }
        });
    }

    void check_end() { s.check(given == queued and bottom.empty(), "every completion has run once at the end"); }
};

} // namespace

TEST_CASE("bottom half against its producer", "[inv:G1][inv:G2]") {
    auto const run = [](auto budget, char const* name) {
        return explored(name, [&](explore::schedule& s) {
            parts_of_half<decltype(budget)> p{s};
            s.context("producer", explore::core{0}, [&] {
                p.queue(p.first);
                p.queue(p.urgent);
                p.queue(p.second);
            });
            p.consumer();
            if (s.go()) {
                p.check_end();
            }
        });
    };
    CHECK(run(db::inline_all{}, "bottom half against producer").end == verdict::exhausted);
    CHECK(run(db::count_budget<1>{}, "bottom half against producer, one at a time").end == verdict::exhausted);
}

TEST_CASE("bottom half that two contexts run at once", "[inv:G2]") {
    auto const r = explored("bottom half, two contexts run it", [&](explore::schedule& s) {
        parts_of_half<db::inline_all> p{s};
        s.context("producer", explore::core{0}, [&] {
            p.queue(p.first);
            p.queue(p.second);
        });
        s.context("second consumer", explore::core{2}, [&] {
            while (p.bottom.run(p.give()).again()) {
            }
        });
        p.consumer();
        if (s.go()) {
            p.check_end();
        }
    });
    CHECK(r.end == verdict::exhausted);
}

TEST_CASE("bottom half against unlink", "[inv:G3]") {
    auto const r = explored("bottom half against unlink", [&](explore::schedule& s) {
        parts_of_half<db::inline_all> p{s};
        s.context("producer", explore::core{0}, [&] {
            p.queue(p.first);
            p.queue(p.second);
        });
        s.context("canceller", explore::core{2}, [&] {
            unsigned const before = p.queued[0];
            auto const told = p.bottom.unlink(p.first);
            if (told == db::unlink_status::not_queued) {
                explore::require(p.given[0] == p.queued[0] or p.queued[0] > before or before == 1, "it is not here");
            }
        });
        p.consumer();
        if (s.go()) {
            p.check_end();
        }
    });
    CHECK(r.end == verdict::exhausted);
}

TEST_CASE("bottom half against teardown", "[inv:G4]") {
    auto const r = explored("bottom half against teardown", [&](explore::schedule& s) {
        parts_of_half<db::inline_all> p{s};
        explore::shared<unsigned> moved{s, "callback ended"};
        bool closed = false;
        s.context("producer", explore::core{0}, [&] {
            ++p.queued[0];
            auto const answer = p.bottom.queue(p.first);
            p.queued[0] -= answer.refused;
            if (answer.schedule) {
                p.wake.wake();
            }
        });
        auto const give = [&](request& given) noexcept {
            explore::require(not closed, "no callback runs once close has returned");
            p.give()(given);
            explore::require(not closed, "close waits for the callback that runs");
        };
        s.context("owner", explore::core{2}, [&] {
            p.bottom.close(give, [&]() noexcept { moved.await(1); });
            closed = true;
            explore::boundary("closed", 0);
        });
        s.service("consumer", explore::core{1}, [&] {
            for (;;) {
                p.wake.sleep();
                bool more = true;
                while (more) {
                    more = p.bottom.run(give).again();
                    moved.store(1);
                }
            }
        });
        if (s.go()) {
            p.check_end();
        }
    });
    CHECK(r.end == verdict::exhausted);
}

TEST_CASE("bottom half against a producer that never stops", "[inv:G2]") {
    auto const r = explored("bottom half against a busy producer", [&](explore::schedule& s) {
        parts_of_half<db::inline_all> p{s};
        unsigned in_run = 0;
        auto const give = [&](request& q) noexcept {
            p.give()(q);
            explore::require(++in_run <= 2, "a run gives back what was queued when it began");
            if (p.queued[q.number] < 3) { // finished again at once
                ++p.queued[q.number];
                (void)p.bottom.queue(q);
            }
        };
        s.context("producer", explore::core{0}, [&] {
            p.queue(p.first);
            p.queue(p.second);
        });
        s.service("consumer", explore::core{1}, [&] {
            for (;;) {
                p.wake.sleep();
                bool more = true;
                while (more) {
                    in_run = 0;
                    more = p.bottom.run(give).again();
                }
            }
        });
        if (s.go()) {
            p.check_end();
            s.check(p.given[0] == 3 and p.given[1] == 3, "all rounds are over");
        }
    });
    CHECK(r.end == verdict::exhausted);
}
