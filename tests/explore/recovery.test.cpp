// SPDX-License-Identifier: BSL-1.0
#include "driver.hpp"
#include "explored.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string>

using namespace rig;
using explore::verdict;

namespace {

using plain = core<explore::explored_irq_spin_lock, db::inline_all>;
using small = core<explore::explored_irq_spin_lock, db::count_budget<1>>;

std::string delivery(bool nested) {
    return nested ? ", nested" : ", other core";
}

} // namespace

TEST_CASE("completion against abort", "[inv:T2][inv:T5][inv:W1]") {
    bool const nested = GENERATE(false, true);
    auto const r = explored("completion against abort" + delivery(nested), [&](explore::schedule& s) {
        parts<plain> p{s, 2};
        p.hardware.clear_slots(s);
        s.context("owner", explore::core{0}, [&] {
            auto const sent = p.host.submit(plain::tags{3U});
            unsigned const before = p.driver.completed_ok[0] + p.driver.forced[0];
            auto const how = p.host.abort(sent.ticket_for(db::tag{0}));
            explore::require(
                how == db::abort_status::aborted or how == db::abort_status::already_done,
                "an abort ends its request, or finds it done");
            if (how == db::abort_status::aborted) {
                explore::require(
                    p.driver.completed_ok[0] + p.driver.forced[0] == before + 1,
                    "its callback has run when the abort returns");
            }
        });
        p.interrupts(nested);
        if (s.go()) {
            p.check_end();
            s.check(p.driver.forced[1] == 0, "the other request is left alone");
        }
    });
    CHECK(r.end == verdict::exhausted);
}

TEST_CASE("abort of a tag that is submitted again meanwhile", "[inv:T2][inv:W1]") {
    bool const nested = GENERATE(false, true);
    auto const r = explored("abort against resubmission" + delivery(nested), [&](explore::schedule& s) {
        parts<plain> p{s, 1};
        p.hardware.clear_slots(s);
        bool again = true;
        p.driver.more = [&](unsigned which) {
            if (again) {
                again = false;
                explore::require(static_cast<bool>(p.host.submit(db::tag{which})), "the submission is accepted");
            }
        };
        s.context("owner", explore::core{0}, [&] {
            auto const sent = p.host.submit(db::tag{0});
            (void)p.host.abort(sent.ticket_for(db::tag{0}));
        });
        p.interrupts(nested);
        if (s.go()) {
            p.check_end();
            s.check(p.driver.issued[0] == 2, "it was submitted twice");
            s.check(p.driver.forced[0] <= 1, "the second request is not the abort's");
        }
    });
    CHECK(r.end == verdict::exhausted);
}

TEST_CASE("completion against timeout", "[inv:X2][inv:T5][inv:W1]") {
    bool const nested = GENERATE(false, true);
    auto const r = explored("completion against timeout" + delivery(nested), [&](explore::schedule& s) {
        parts<plain> p{s, 2};
        p.hardware.clear_slots(s);
        s.context("owner", explore::core{0}, [&] {
            explore::require(static_cast<bool>(p.host.submit(plain::tags{3U})), "the submission is accepted");
            for (db::tag const each : p.host.expire_tags(plain::tags{1U})) {
                explore::require(p.host.recover(each) == db::abort_status::aborted, "recovery ends it");
            }
        });
        p.interrupts(nested);
        if (s.go()) {
            p.check_end();
            s.check(p.driver.forced[1] == 0, "the other request is left alone");
        }
    });
    CHECK(r.end == verdict::exhausted);
}

TEST_CASE("completion against timeout against reset", "[inv:T1][inv:T2][inv:T5][inv:W1]") {
    bool const nested = GENERATE(false, true);
    auto const r = explored("completion, timeout, reset" + delivery(nested), [&](explore::schedule& s) {
        parts<plain> p{s, 2, true};
        p.hardware.clear_slots(s);
        explore::shared<unsigned> sent{s, "sent"};
        s.context("owner", explore::core{0}, [&] {
            explore::require(static_cast<bool>(p.host.submit(plain::tags{3U})), "the submission is accepted");
            sent.store(1);
            explore::require(p.host.reset() == db::reset_status::done, "reset ends");
        });
        s.context("timer", [&] {
            sent.await(1);
            p.enter();
            auto const late = p.host.expire_tags(plain::tags{1U});
            p.leave();
            for (db::tag const each : late) {
                (void)p.host.recover(each);
            }
        });
        p.interrupts(nested);
        if (s.go()) {
            p.check_end();
        }
    });
    CHECK(r.end == verdict::exhausted);
}

TEST_CASE("gate and ungate against interrupt and submission", "[inv:P1]") {
    bool const nested = GENERATE(false, true);
    auto const r = explored("gate against interrupt" + delivery(nested), [&](explore::schedule& s) {
        parts<plain> p{s, 2, true};
        s.context("owner", explore::core{0}, [&] {
            explore::require(static_cast<bool>(p.host.submit(db::tag{0})), "the submission is accepted");
            p.host.gate();
            p.hardware.stopped = true;
            explore::boundary("power is off", 0);
            p.hardware.stopped = false;
            (void)p.host.ungate();
        });
        s.context("submitter", [&] {
            p.enter();
            auto const answer = p.host.submit(db::tag{1});
            p.leave();
            explore::require(answer or answer.status() == db::submit_status::gated, "accepted, or gated");
        });
        p.interrupts(nested);
        if (s.go()) {
            p.check_end();
        }
    });
    CHECK(r.end == verdict::exhausted);
}

TEST_CASE("block and drain against submission and interrupt", "[inv:Q1]") {
    bool const nested = GENERATE(false, true);
    auto const r = explored("block against submission" + delivery(nested), [&](explore::schedule& s) {
        parts<plain> p{s, 2};
        bool quiet = false;
        s.context("owner", explore::core{0}, [&] {
            explore::require(static_cast<bool>(p.host.submit(db::tag{0})), "the submission is accepted");
            p.host.block();
            quiet = true;
            unsigned const rung = p.driver.issued[1];
            explore::boundary("quiet", 0);
            explore::require(p.driver.issued[1] == rung, "nothing is rung once block has returned");
            quiet = false;
            p.host.unblock();
        });
        s.context("submitter", [&] {
            auto const answer = p.host.submit(db::tag{1});
            explore::require(answer or answer.status() == db::submit_status::blocked, "accepted, or blocked");
        });
        p.interrupts(nested);
        if (s.go()) {
            p.check_end();
        }
    });
    CHECK(r.end == verdict::exhausted);
}
