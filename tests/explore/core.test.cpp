// SPDX-License-Identifier: BSL-1.0
#include "driver.hpp"
#include "explored.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string>

using namespace rig;
using explore::verdict;

namespace {

using inline_core = core<explore::explored_irq_spin_lock, db::inline_all>;

std::string delivery(bool nested) {
    return nested ? ", nested" : ", other core";
}

void take(db::submitted answer) {
    explore::require(static_cast<bool>(answer), "the submission is accepted");
}

} // namespace

TEST_CASE("submit against interrupt: each request completes once", "[inv:T1][inv:T2][inv:W1]") {
    bool const nested = GENERATE(false, true);
    auto const r = explored("submit against interrupt" + delivery(nested), [&](explore::schedule& s) {
        parts<inline_core> p{s, 2};
        s.context("submitter", explore::core{0}, [&] {
            take(p.host.submit(db::tag{0}));
            take(p.host.submit(db::tag{1}));
        });
        p.interrupts(nested);
        if (s.go()) {
            p.check_end();
        }
    });
    CHECK(r.end == verdict::exhausted);
}

TEST_CASE("the reduction on the core itself: sleep sets alone find as many orders") {
    auto const scenario = [](explore::schedule& s) {
        parts<inline_core> p{s, 2};
        s.context("submitter", explore::core{0}, [&] {
            take(p.host.submit(db::tag{0}));
            take(p.host.submit(db::tag{1}));
        });
        p.interrupts(true);
        if (s.go()) {
            p.check_end();
        }
    };
    auto const dynamic = explore::run("dynamic", scenario, {.count_orders = true});
    auto const sleeping =
        explore::run("sleep sets", scenario, {.reduce = explore::reduction::sleep_sets, .count_orders = true});
    CAPTURE(dynamic.text(), sleeping.text());
    CHECK(sleeping.end == verdict::exhausted);
    CHECK(sleeping.orders == dynamic.orders);
}

TEST_CASE("without its lock the core fails, and the string shows how", "[inv:T1]") {
    using bare = core<explore::explored_no_lock, db::inline_all>;
    auto const rule = GENERATE(explore::access_rule::anybody, explore::access_rule::behind_lock);
    auto const scenario = [rule](explore::schedule& s) {
        parts<bare> p{s, 2, false, rule};
        s.context("submitter", [&] {
            take(p.host.submit(db::tag{0}));
            take(p.host.submit(db::tag{1}));
        });
        p.interrupts(false);
        if (s.go()) {
            p.check_end();
        }
    };
    auto const r = explored("submit against interrupt, without a lock", scenario);
    REQUIRE(r.end == verdict::failed);
    CHECK_FALSE(explore::replay(r.fault->replay, scenario).passed());
}

TEST_CASE("two submitters, interrupt and thread", "[inv:T1][inv:H1][inv:H2][inv:H3][inv:W1]") {
    bool const nested = GENERATE(false, true);
    using small = core<explore::explored_irq_spin_lock, db::count_budget<1>>;
    auto const r = explored("two submitters, interrupt, thread" + delivery(nested), [&](explore::schedule& s) {
        parts<small> p{s, 2};
        s.context("submitter 0", explore::core{0}, [&] { take(p.host.submit(db::tag{0})); });
        s.context("submitter 1", explore::core{0}, [&] { take(p.host.submit(db::tag{1})); });
        p.interrupts(nested);
        p.thread();
        if (s.go()) {
            p.check_end();
        }
    });
    CHECK(r.end == verdict::exhausted);
}

TEST_CASE("interrupt against poll", "[inv:T2][inv:T8][inv:W1]") {
    bool const nested = GENERATE(false, true);
    auto const r = explored("interrupt against poll" + delivery(nested), [&](explore::schedule& s) {
        parts<inline_core> p{s, 2};
        s.context("poller", explore::core{0}, [&] {
            take(p.host.submit(db::tag{0}));
            take(p.host.submit(db::tag{1}));
            for (int i = 0; i < 2; ++i) {
                explore::require(not p.host.poll().again(), "a poll leaves no work for a thread");
            }
        });
        p.interrupts(nested);
        if (s.go()) {
            p.check_end();
        }
    });
    CHECK(r.end == verdict::exhausted);
}

TEST_CASE("a budget's leftover against the thread", "[inv:H1][inv:H2][inv:H3][inv:B1]") {
    bool const nested = GENERATE(false, true);
    using small = core<explore::explored_irq_spin_lock, db::count_budget<1>>;
    auto const r = explored("leftover against thread" + delivery(nested), [&](explore::schedule& s) {
        parts<small> p{s, 3};
        s.context("submitter", explore::core{0}, [&] { take(p.host.submit(small::tags{7U})); });
        p.interrupts(nested);
        p.thread();
        if (s.go()) {
            p.check_end();
        }
    });
    CHECK(r.end == verdict::exhausted);
}

TEST_CASE("everything deferred to the thread", "[inv:B1][inv:H3]") {
    bool const nested = GENERATE(false, true);
    using late = core<explore::explored_irq_spin_lock, db::deferred_all>;
    auto const r = explored("deferred to the thread" + delivery(nested), [&](explore::schedule& s) {
        parts<late> p{s, 2};
        s.context("submitter", explore::core{0}, [&] {
            take(p.host.submit(db::tag{0}));
            take(p.host.submit(db::tag{1}));
        });
        p.interrupts(nested);
        p.thread();
        if (s.go()) {
            p.check_end();
        }
    });
    CHECK(r.end == verdict::exhausted);
}

TEST_CASE("a callback submits its own tag again", "[inv:T3][inv:W1]") {
    bool const nested = GENERATE(false, true);
    auto const r = explored("resubmit from the callback" + delivery(nested), [&](explore::schedule& s) {
        parts<inline_core> p{s, 2};
        unsigned again = 1;
        p.driver.more = [&](unsigned which) {
            if (which == 0 and again > 0) {
                --again;
                take(p.host.submit(db::tag{0}));
            }
        };
        s.context("submitter", explore::core{0}, [&] {
            take(p.host.submit(db::tag{0}));
            take(p.host.submit(db::tag{1}));
            (void)p.host.poll();
        });
        p.interrupts(nested);
        if (s.go()) {
            p.check_end();
            s.check(p.driver.completed_ok[0] == 2, "the tag completes twice");
        }
    });
    CHECK(r.end == verdict::exhausted);
}

TEST_CASE("causes recorded in the hard handler reach the thread", "[inv:D2][inv:H1][inv:H3]") {
    bool const nested = GENERATE(false, true);
    using erring = core<
        explore::explored_irq_spin_lock, db::inline_all,
        db::handlers<db::urgent<db::ufshci::uic, &disk::urgent>, db::deferred<db::ufshci::errors, &disk::deferred>>>;
    auto const r = explored("recorded causes" + delivery(nested), [&](explore::schedule& s) {
        parts<erring> p{s, 2};
        s.context("submitter", explore::core{0}, [&] { take(p.host.submit(erring::tags{3U})); });
        p.hardware.raise(s, db::ufs::cause::ue | db::ufs::cause::uccs);
        p.hardware.with_tag_1 = db::ufs::cause::dfes;
        p.interrupts(nested);
        p.thread();
        if (s.go()) {
            p.check_end();
            s.check(p.driver.deferred_seen == (db::ufs::cause::ue | db::ufs::cause::dfes), "every error is delivered");
            s.check(p.driver.urgent_calls == 1, "the urgent handler runs once");
        }
    });
    CHECK(r.end == verdict::exhausted);
}

namespace {

// Both responses land late. Without a `deadline` only what the core has asked for looks again: the thread when it is
// woken, and a timer that the thread arms when it is told `retry`.
explore::report late_response(std::string const& name, bool nested, bool deadline) {
    return explored(name + delivery(nested), [&](explore::schedule& s) {
        parts<inline_core> p{s, 2, true};
        p.hardware.late = true;
        s.context("submitter", explore::core{0}, [&] { take(p.host.submit(inline_core::tags{3U})); });
        if (deadline) {
            s.context("deadline", [&] {
                explore::footprint touches = p.hardware.any_answer();
                touches.add(p.inside.what(), explore::mode::read);
                explore::wait_until("deadline", p.inside.what(), touches, [&] {
                    return p.hardware.answered == 2 and p.inside.count() == 0;
                });
                p.enter();
                (void)p.host.poll();
                p.leave();
            });
        } else {
            s.service("timer", [&] {
                for (;;) {
                    p.timer.sleep();
                    do {
                        explore::wait_until("tick", explore::nothing, p.hardware.any_answer(), [&] {
                            return p.hardware.answered == p.hardware.finished;
                        });
                    } while (p.host.poll().retry());
                }
            });
        }
        p.interrupts(nested);
        p.thread();
        if (s.go()) {
            p.check_end();
        }
    });
}

} // namespace

TEST_CASE("a response that lands late is found at the deadline", "[inv:T11][inv:W1]") {
    bool const nested = GENERATE(false, true);
    CHECK(late_response("late response, deadline", nested, true).end == verdict::exhausted);
}

// Known fault: the thread takes its wake while a second interrupt holds the lagging tag, and finds nothing; that
// interrupt then parks the tag again and asks for nobody, since the thread was told once. Only a deadline finds it.
TEST_CASE("a response that lands late needs no deadline to be found", "[inv:H2][inv:T11][!shouldfail]") {
    CHECK(late_response("late response, no deadline", false, false).end == verdict::exhausted);
}

namespace {

template <class Core>
explore::report stop_against_handler(std::string const& name, bool nested) {
    return explored(name + delivery(nested), [&](explore::schedule& s) {
        parts<Core> p{s, 2, true};
        typename Core::tags held{};
        s.context("owner", explore::core{0}, [&] {
            take(p.host.submit(typename Core::tags{3U}));
            held = p.host.stop();
            explore::require(p.hardware.enabled == 0, "a stopped core has no cause enabled");
            p.hardware.stopped = true;
        });
        p.interrupts(nested);
        p.thread();
        if (s.go()) {
            unsigned const kept = held.contains(db::tag{0}) + held.contains(db::tag{1});
            unsigned const done = p.driver.completed_ok[0] + p.driver.completed_ok[1];
            s.check(kept + done == 2, "each request is completed or told to be held by the hardware");
            s.check(not p.hardware.line_masked, "the line is not masked at the end");
        }
    });
}

} // namespace

TEST_CASE("stop against a running handler", "[inv:D7][inv:H4]") {
    bool const nested = GENERATE(false, true);
    using small = core<explore::explored_irq_spin_lock, db::count_budget<1>>;
    CHECK(stop_against_handler<small>("stop against handler", nested).end == verdict::exhausted);
    using masking = core<explore::explored_irq_spin_lock, db::count_budget<1>, db::mask_line, db::sole_line>;
    if (nested or full()) {
        CHECK(stop_against_handler<masking>("stop against handler, line masked", nested).end == verdict::exhausted);
    }
}

TEST_CASE("reset against interrupt and poll", "[inv:T1][inv:W1]") {
    bool const nested = GENERATE(false, true);
    auto const r = explored("reset against interrupt and poll" + delivery(nested), [&](explore::schedule& s) {
        parts<inline_core> p{s, 2, true};
        s.context("owner", explore::core{0}, [&] {
            take(p.host.submit(inline_core::tags{3U}));
            explore::require(p.host.reset() == db::reset_status::done, "reset ends");
        });
        s.context("poller", [&] {
            p.enter();
            (void)p.host.poll();
            p.leave();
        });
        p.interrupts(nested);
        if (s.go()) {
            p.check_end();
        }
    });
    CHECK(r.end == verdict::exhausted);
}
