// SPDX-License-Identifier: BSL-1.0
// Faults of deadlines: who is judged, when, and what becomes of races. The time limit is 100 ticks.
#include "harness.hpp"

namespace {

using namespace scenario;
using uniform = db::uniform_timeouts<std::uint32_t, 100>;
using mixed = db::mixed_timeouts<std::uint32_t, 100>;
using asked = db::mixed_timeouts<std::uint32_t, 100, 0, db::ask_driver>;
using withheld = db::uniform_timeouts<std::uint32_t, 100, 0, db::quarantine_until_reset>;
using own = db::within<std::uint32_t>;

/// A machine with a timer that fires when its time has come.
template <class Policy, class Timeouts = uniform, class... Options>
class timed : public machine<Policy, default_clock, Timeouts, Options...> {
public:
    explicit timed(setup const& s, std::uint32_t begin = 0) : machine<Policy, default_clock, Timeouts, Options...>{s} {
        go(begin);
    }

    ~timed() { CHECK(this->arms_without_lock == 0); }

    db::expiry<tags> last_expiry{};

    /// Time passes up to `now`, with no timer.
    void go(std::uint32_t now) {
        this->time.set(now);
        this->core.tick(now);
    }

    /// The timer, if its time has come. Returns whether it fired.
    bool fire() {
        db::deadline<std::uint32_t> const at{static_cast<std::uint32_t>(this->timer_at)};
        if (not this->timer_is_armed or not at.expired(this->time.peek())) {
            return false;
        }
        this->timer_is_armed = false;
        last_expiry = this->core.expire(this->time.peek());
        return true;
    }

    /// Time passes, and the timer fires whenever it is due.
    void live_until(std::uint32_t now) {
        go(now);
        for (unsigned n = 0; fire(); ++n) {
            REQUIRE(n < 100);
        }
    }

    /// The device finishes these and no interrupt tells.
    void finish_silently(std::uint32_t set) {
        this->finish(set);
        this->model.store(at::is, 1);
        (void)this->model.take_pulse();
    }
};

} // namespace

TEMPLATE_TEST_CASE(
    "U.A25: a completion without any interrupt is found before its timeout, as a success, and counted",
    "[U.A25][inv:X2]", hard, thread, edge<hard>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        timed<TestType> m{s};
        m.submit(s.fit(0x3));
        m.finish_silently(0x1);
        m.live_until(99);
        CHECK(m.calls() == 0);
        m.live_until(100);
        CHECK(m.called[0] == 1);
        CHECK(m.last[0] == db::outcome::success);
        CHECK(m.core.observer().counts().fault.missed == 1);
        if (s.slots > 1) { // nothing told of this one either, and it was not finished
            CHECK(m.last[1] == db::outcome::timed_out);
        }
        m.idle();
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.B15: time counts from the doorbell on, and what has finished needs no timer", "[U.B15][inv:X3]", hard, thread) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        timed<TestType> m{s};
        m.go(90); // prepared at 0, rung at 90
        m.submit(0x1);
        m.live_until(150);
        CHECK(m.calls() == 0);
        m.finish(0x1);
        m.idle();
        CHECK(m.last[0] == db::outcome::success);
        unsigned const arms = m.arms;
        m.live_until(190); // it wakes for nothing and rests
        CHECK(m.arms == arms);
        CHECK_FALSE(m.timer_is_armed);
        CHECK(m.core.observer().counts().fault.missed == 0);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "Q.B17: a tag that was recycled while the walker had it in hand is left alone", "[Q.B17][inv:X4]", hard, thread,
    edge<hard>) {
    for (setup const& s : wide_matrix<TestType>()) {
        for (bool const has_own_time : {false, true}) {
            at_every_step([&](unsigned k) {
                INFO(s.text() << ", own time " << has_own_time);
                timed<TestType, mixed> m{s};
                m.submit(0x2FF);
                m.go(100);
                bool recycled = false;
                m.intrude(k, true, [&] {
                    if (m.core.outstanding().contains(db::tag{9})) {
                        m.finish(0x200);
                        m.deliver();
                        m.run_thread();
                        m.watch.run_as(kit::lock_user::thread);
                        recycled = static_cast<bool>(
                            has_own_time ? m.core.submit_within(tags{0x200}, own{50}) : m.core.submit(db::tag{9}));
                    }
                });
                (void)m.core.expire(100);
                bool const more = m.intruded();
                CHECK(m.called[9] == 1);
                if (recycled) {
                    CHECK(m.last[9] == db::outcome::success);
                    CHECK(m.core.outstanding() == tags{0x200});
                    CHECK(m.timer_is_armed);
                    m.live_until(149);
                    CHECK(m.core.outstanding() == tags{0x200});
                    m.live_until(200);
                    CHECK(m.called[9] == 2);
                }
                m.end();
                return more;
            });
        }
    }
}

TEMPLATE_TEST_CASE(
    "Q.B18, U.D10: a request is never seen with a deadline that is not its own", "[Q.B18][U.D10][inv:X3]", uniform,
    mixed) {
    for (std::uint32_t const now : {0U, 0x8000'0001U, 0xFFFF'FFF0U}) {
        for (setup const& s : matrix<hard>()) {
            INFO(s.text() << " at " << now);
            // The slot of the deadline is zero, or was used long ago.
            timed<hard, TestType> m{s, now};
            unsigned judged_early = 0;
            m.on_prepare = [&](unsigned) { CHECK(m.watch.held()); }; // no walk comes between deadline, mark and ring
            m.submit(0x1);
            (void)m.core.expire(now);
            (void)m.core.expire(now + 99);
            judged_early += m.calls();
            CHECK(judged_early == 0);
            (void)m.core.expire(now + 100);
            CHECK(m.calls() == 1);
            m.end();
        }
    }
}

TEMPLATE_TEST_CASE(
    "Q.B19: a request that is being submitted for long is not judged meanwhile", "[Q.B19][inv:X3]", uniform, mixed) {
    for (setup const& s : matrix<hard>()) {
        INFO(s.text());
        timed<hard, TestType> m{s};
        bool looked = false;
        // The driver takes 31 s to make its descriptor; the walk of the timer has to wait until it is rung.
        m.on_prepare = [&](unsigned) { m.time.advance(31'000); };
        m.intrude(0, true, [&] {
            m.core.tick(m.time.peek());
            looked = (m.core.expire(m.time.peek()).ended | m.core.quarantined()).empty();
        });
        (void)m.core.submit_at(m.time.peek() + 31'000, tags{1}); // the caller says when it began
        m.step();
        CHECK(looked);
        CHECK(m.calls() == 0);
        CHECK(m.doorbells() == 1);
        m.on_prepare = nullptr;
        (void)m.core.expire(31'099);
        CHECK(m.calls() == 0);
        (void)m.core.expire(31'100);
        CHECK(m.calls() == 1);
        m.end();
    }
}

TEST_CASE("Q.B20: what a walker holds means one generation", "[Q.B20][inv:X4][inv:T2]") {
    for (setup const& s : matrix<hard>()) {
        timed<hard, mixed> m{s};
        db::ticket const first = m.submit_one(0);
        m.finish(1);
        m.idle();
        m.go(50);
        m.submit(1); // the same tag, reused
        CHECK(m.core.extend(first, own{1}) == db::extend_status::stale);
        CHECK(m.core.abort(first) == db::abort_status::stale);
        m.live_until(149);
        CHECK(m.calls() == 1);
        m.live_until(150);
        CHECK(m.calls() == 2);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "Q.B21: a timeout that lost its race arms nothing and writes nothing", "[Q.B21][inv:X4]", hard, thread,
    edge<hard>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        timed<TestType, asked> m{s};
        m.on_timed_out = [](unsigned) { return db::timeout_verdict<std::uint32_t>{db::timeout_action::extend, 100}; };
        db::ticket const ticket = m.submit_one(0);
        m.finish(1);
        m.idle();
        unsigned const arms = m.arms;
        m.live_until(100);
        CHECK(m.last_expiry.extended.empty());
        CHECK(m.core.extend(ticket, own{100}) == db::extend_status::already_done);
        CHECK(m.arms == arms);
        CHECK_FALSE(m.timer_is_armed);
        CHECK(m.calls() == 1);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "Q.B31: arming twice makes one timer, and of its callback and a cancel exactly one owns the request",
    "[Q.B31][inv:X1][inv:X2]", hard, thread, edge<hard>) {
    for (setup const& s : wide_matrix<TestType>()) {
        for (bool const cancel : {false, true}) {
            at_every_step([&](unsigned k) {
                INFO(s.text() << ", cancel " << cancel);
                timed<TestType> m{s};
                db::ticket const ticket = m.submit_one(0);
                m.submit(0x2);
                CHECK(m.arms == 1);
                m.go(100);
                m.intrude(k, true, [&] {
                    if (cancel) {
                        (void)m.core.abort(ticket);
                    } else {
                        (void)m.core.expire(100); // the other timer callback
                    }
                });
                (void)m.core.expire(100);
                bool const more = m.intruded();
                m.idle();
                CHECK(m.called[0] == 1);
                CHECK(m.called[1] == 1);
                m.submit(0x1); // and the timer still works
                CHECK(m.timer_is_armed);
                m.live_until(200);
                CHECK(m.called[0] == 2);
                m.end();
                return more;
            });
        }
    }
}

TEMPLATE_TEST_CASE(
    "Q.B35, Q.B36: a deadline at 0 and one behind the wrap fire once, at their time", "[Q.B35][Q.B36][inv:B3]", uniform,
    mixed) {
    for (setup const& s : matrix<hard>()) {
        timed<hard, TestType> m{s, 0U - 100U};
        m.submit(1);
        CHECK(m.timer_is_armed);
        CHECK(m.timer_at == 0);
        m.live_until(0xFFFF'FFFF);
        CHECK(m.calls() == 0);
        m.live_until(0);
        CHECK(m.calls() == 1);
        m.live_until(1);
        CHECK(m.calls() == 1);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "Q.B39: without a walk for half the counter's range a passed deadline is lost for as long; the bound is documented",
    "[Q.B39][inv:X1][inv:B3]", uniform, mixed) {
    for (setup const& s : matrix<hard>()) {
        {
            timed<hard, TestType> m{s};
            m.submit(1);
            m.go(100U + 0x7FFF'FFFF); // just within the bound
            CHECK(m.core.expire(m.time.peek()).ended == tags{1});
            m.end();
        }
        timed<hard, TestType> m{s};
        m.submit(1);
        m.go(100U + 0x8000'0001); // beyond it: it looks like one to come
        CHECK(m.core.expire(m.time.peek()).ended.empty());
        CHECK(m.timer_is_armed); // so the timer comes by at the latest then
        m.live_until(100);
        CHECK(m.calls() == 1);
        m.end();
    }
}

// ---- Again, with deadlines on.

TEMPLATE_TEST_CASE(
    "U.C10 with deadlines: the timer ends a request while an interrupt completes it, anywhere",
    "[U.C10][inv:X2][inv:X4]", hard, thread, one_at_most, edge<hard>) {
    for (setup const& s : wide_matrix<TestType>()) {
        for (bool const reuse : {false, true}) {
            at_every_step([&](unsigned k) {
                INFO(s.text() << ", reuse " << reuse);
                timed<TestType> m{s};
                m.submit(0x10);
                m.go(50);
                m.submit(0x7);
                m.go(100);
                bool reused = false;
                m.intrude(k, false, [&] { m.finish(reused ? 0U : 0x10U); });
                m.intrude(k, true, [&] {
                    m.deliver();
                    m.run_thread();
                });
                m.on_callback = [&](unsigned slot, db::outcome) {
                    if (reuse and slot == 4 and not reused) {
                        reused = true;
                        CHECK(m.core.submit(db::tag{4}));
                    }
                };
                (void)m.core.expire(100);
                m.idle();
                CHECK(m.called[4] == 1);
                CHECK((m.doorbells() & 0x7) == 0x7);
                CHECK(m.core.outstanding() == tags{reuse ? 0x17U : 0x7U});
                CHECK(m.timer_is_armed);
                bool const more = m.intruded(0);
                m.finish(0x17);
                m.idle();
                m.end();
                return more;
            });
        }
    }
}

TEMPLATE_TEST_CASE(
    "U.C11 with deadlines: timer and interrupt at the same tick end a finished request once, as a success",
    "[U.C11][inv:X2]", hard, thread, one_at_most, edge<hard>) {
    for (setup const& s : matrix<TestType>()) {
        for (bool const timer_first : {true, false}) {
            INFO(s.text() << ", timer first " << timer_first);
            timed<TestType> m{s};
            m.submit(1);
            m.finish(1);
            m.go(100);
            if (timer_first) {
                CHECK(m.fire());
                CHECK(m.last_expiry.ended.empty());
                CHECK(m.last_expiry.missed == tags{1});
            }
            m.idle();
            if (not timer_first) {
                CHECK(m.fire());
                CHECK((m.last_expiry.ended | m.last_expiry.missed).empty());
            }
            CHECK(m.called[0] == 1);
            CHECK(m.last[0] == db::outcome::success);
            m.end();
        }
    }
}

TEMPLATE_TEST_CASE(
    "U.C12 with deadlines: a slot that was cleared times out, a completion that beat the clear is a success",
    "[U.C12][inv:X2][inv:T5]", hard, thread, edge<hard>) {
    for (setup const& s : matrix<TestType>()) {
        for (bool const completes : {false, true}) {
            INFO(s.text() << ", completes " << completes);
            timed<TestType> m{s};
            m.submit(1);
            if (completes) {
                m.on(kit::access_kind::write, at::utrlclr, bench::side::before, [&] { m.finish(1); });
            }
            m.live_until(100);
            CHECK(m.called[0] == 1);
            CHECK(m.last[0] == (completes ? db::outcome::success : db::outcome::timed_out));
            m.idle();
            CHECK(m.called[0] == 1);
            m.end();
        }
    }
}

TEMPLATE_TEST_CASE(
    "U.C20, Q.B29 with deadlines: a request that timed out and finishes late is credited to nobody else, its tag stays "
    "withheld",
    "[U.C20][Q.B29][inv:T5][inv:X4]", hard, thread, edge<hard>) {
    for (setup const& s : wide_matrix<TestType>()) {
        timed<TestType, withheld> m{s};
        m.submit(1);
        m.live_until(100);
        CHECK(m.last_expiry.stuck == tags{1});
        m.submit(2);
        m.finish(1); // late
        m.idle();
        CHECK(m.calls() == 0);
        CHECK(m.core.submit(db::tag{0}).status() == db::submit_status::busy);
        m.live_until(199);
        CHECK(m.calls() == 0); // once per arming
        CHECK(m.core.recover(db::tag{0}) == db::abort_status::aborted);
        CHECK(m.last[0] == db::outcome::success);
        m.finish(2);
        m.idle();
        CHECK(m.called[1] == 1);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "Q.B23 with deadlines: what comes after everything was aborted is swallowed, and harms no later request of the tag",
    "[Q.B23][inv:T2][inv:T5]", hard, thread, edge<hard>) {
    for (setup const& s : wide_matrix<TestType>()) {
        timed<TestType> m{s};
        m.submit(0x3);
        m.live_until(100);
        CHECK(m.calls() == 2);
        CHECK(m.last[0] == db::outcome::timed_out);
        m.submit(0x1);
        (void)m.interrupt(); // the late interrupt of the first
        m.run_thread();
        CHECK(m.called[0] == 1);
        m.finish(0x1);
        m.idle();
        CHECK(m.called[0] == 2);
        CHECK(m.last[0] == db::outcome::success);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "Q.B30: recovery has a tag when all others are out, with a short deadline of its own", "[Q.B30][inv:X5]", hard,
    thread) {
    for (setup const& s : wide_matrix<TestType>()) {
        timed<TestType, mixed> m{s};
        (void)m.core.stop();
        CHECK(
            m.core.start(db::start_options<tags>{
                .usable = tags::all(), .reserved = tags{0x8000'0000}, .causes = cause::utrcs}) ==
            db::start_status::started);
        m.submit(0x7FFF'FFFF);
        m.core.block();
        CHECK(m.core.submit_reserved(db::tag{31}, own{10}));
        CHECK(m.timer_at == 10);
        m.finish(0x8000'0000);
        m.idle();
        CHECK(m.called[31] == 1);
        m.live_until(99);
        CHECK(m.calls() == 1);
        m.live_until(100);
        CHECK(m.calls() == 32);
        m.end();
    }
}
