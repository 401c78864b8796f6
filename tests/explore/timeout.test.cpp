// SPDX-License-Identifier: BSL-1.0
// Deadlines in every order of events. Time is one number that the scenario moves; the timer is a context that runs
// whenever it is armed and its time has come.
#include "driver.hpp"
#include "explored.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <cstdint>
#include <string>

using namespace rig;
using explore::verdict;

namespace {

using rep = std::uint32_t;

/// The driver of the scenarios with a timer.
struct timed_disk : disk {
    explore::wake_flag* timer = nullptr;
    bool armed = false;
    rep at = 0;

    // Under the lock.
    void arm_timer(db::deadline<rep> when) noexcept {
        explore::require(not explore::unlocked(), "the timer is armed with the lock held");
        armed = true;
        at = when.value();
    }
};

template <class Timeouts>
using timed_core = db::host<
    db::ufshci, timed_disk, bank, explore::step_clock, db::inline_all, explore::explored_irq_spin_lock,
    db::observed_by<db::null_observer>, Timeouts>;

using uniform = timed_core<db::uniform_timeouts<rep, 100>>;
using mixed = timed_core<db::mixed_timeouts<rep, 100>>;

/// A core with deadlines, and what belongs to it.
template <class Core>
struct timed_parts {
    explore::schedule& s;
    machine hardware;
    timed_disk driver;
    Core host;

    timed_parts(explore::schedule& one, unsigned slots, bool finishes = true)
        : s{one}
        , hardware{one, slots}
        , driver{{&hardware, nullptr}}
        , host{driver, bank{machine_bank{&hardware}, machine_map{&hardware}}} {
        s.watch("core", host, explore::access_rule::behind_lock);
        (void)host.start();
        for (unsigned i = 0; i < (finishes ? slots : 0); ++i) {
            hardware.serve(s, i);
        }
        hardware.clear_slots(s);
    }

    void interrupts(bool nested) {
        auto const entry = [this] {
            hardware.take_pulse();
            unsigned const seen = hardware.changes;
            if (not host.on_hard_irq().handled()) {
                hardware.ignore(seen);
            }
        };
        if (nested) {
            s.hard_handler("irq", explore::core{0}, hardware.line(), entry);
        } else {
            s.hard_handler("irq", hardware.line(), entry);
        }
    }

    void check_end() {
        driver.check_books(s);
        s.check(host.outstanding().empty(), "nothing is outstanding at the end");
        s.check(host.quarantined().empty(), "nothing is withheld at the end");
    }
};

std::string where(bool nested) {
    return nested ? ", nested" : ", other core";
}

template <class Core>
explore::report completion_against_timer(std::string const& name, bool nested) {
    return explored(name + where(nested), [&](explore::schedule& s) {
        timed_parts<Core> p{s, 2};
        s.context("owner", explore::core{0}, [&] {
            p.host.tick(0);
            explore::require(static_cast<bool>(p.host.submit(db::tag{0})), "the submission is accepted");
            explore::require(
                static_cast<bool>(p.host.submit_at(50, typename Core::tags{2U})), "the submission is accepted");
            explore::require(p.driver.armed and p.driver.at == 100, "the timer is armed for the first");
            p.driver.armed = false;
            auto const all = p.host.expire(100);
            explore::require(not all.ended.contains(db::tag{1}), "what has time is left alone");
            bool const is_left = p.host.outstanding().contains(db::tag{1});
            explore::require(p.driver.armed or not is_left, "who is left has his timer");
        });
        p.interrupts(nested);
        if (s.go()) {
            p.check_end();
            s.check(p.driver.forced[1] == 0, "the other request is left alone");
        }
    });
}

/// The first request of a tag completes and its callback submits the tag again; the second one's time is not over.
template <class Core>
explore::report walk_against_resubmission(std::string const& name, bool nested) {
    return explored(name + where(nested), [&](explore::schedule& s) {
        timed_parts<Core> p{s, 1};
        bool again = true;
        p.driver.more = [&](unsigned which) {
            if (again) {
                again = false;
                explore::require(
                    static_cast<bool>(p.host.submit_at(90, typename Core::tags{1U << which})),
                    "the submission is accepted");
            }
        };
        s.context("timer", explore::core{0}, [&] {
            explore::require(
                static_cast<bool>(p.host.submit_at(0, typename Core::tags{1U})), "the submission is accepted");
            p.driver.armed = false;
            (void)p.host.expire(100);
            bool const nobody = p.host.outstanding().empty();
            explore::require(p.driver.armed or nobody, "who is left has his timer");
        });
        p.interrupts(nested);
        if (s.go()) {
            p.check_end();
            s.check(p.driver.issued[0] == 2, "it was submitted twice");
            s.check(p.driver.forced[0] <= 1, "the second request is not the timer's");
        }
    });
}

/// A second request comes while the timer fires for the first. The device finishes nothing: the second is there at the
/// end, and has a timer.
template <class Core>
explore::report timer_against_arming(std::string const& name) {
    return explored(name, [&](explore::schedule& s) {
        timed_parts<Core> p{s, 2, false};
        s.context("owner", explore::core{0}, [&] {
            explore::require(
                static_cast<bool>(p.host.submit_at(0, typename Core::tags{1U})), "the submission is accepted");
            p.driver.armed = false; // it fires
            auto const all = p.host.expire(100);
            explore::require(all.ended == typename Core::tags{1U}, "the first has timed out");
        });
        s.context("submitter", [&] {
            explore::require(
                static_cast<bool>(p.host.submit_at(60, typename Core::tags{2U})), "the submission is accepted");
        });
        if (s.go()) {
            s.check(p.host.outstanding() == typename Core::tags{2U}, "the second is outstanding");
            s.check(p.driver.armed, "and has a timer");
            s.check(db::deadline<rep>{p.driver.at}.expired(160), "which fires in time");
        }
    });
}

} // namespace

TEST_CASE("completion against the timer", "[inv:X2][inv:X4][inv:T5][inv:W1]") {
    bool const nested = GENERATE(false, true);
    CHECK(completion_against_timer<uniform>("completion against timer, uniform", nested).end == verdict::exhausted);
    CHECK(completion_against_timer<mixed>("completion against timer, mixed", nested).end == verdict::exhausted);
}

TEST_CASE("the walk of the timer against resubmission of the same tag", "[inv:X4][inv:X3][inv:W1]") {
    bool const nested = GENERATE(false, true);
    CHECK(walk_against_resubmission<uniform>("walk against resubmission, uniform", nested).end == verdict::exhausted);
    CHECK(walk_against_resubmission<mixed>("walk against resubmission, mixed", nested).end == verdict::exhausted);
}

TEST_CASE("the timer against arming", "[inv:X1][inv:X3]") {
    CHECK(timer_against_arming<uniform>("timer against arming, uniform").end == verdict::exhausted);
    CHECK(timer_against_arming<mixed>("timer against arming, mixed").end == verdict::exhausted);
}
