// SPDX-License-Identifier: BSL-1.0
// Faults of hand-over between hard handler and thread, of masks, of barriers and of waiting.
#include "harness.hpp"

#include <doorbell/lock/interrupt_lock.hpp>
#include <doorbell/lock/lockable.hpp>

#include <mutex>

namespace {

using namespace scenario;

template <class Policy, class... Options>
using masking = machine<Policy, default_clock, db::mask_cause, Options...>;

/// Kinds of the log in order, as far as they are about the doorbell and barriers.
std::string barriers_of(kit::access_log const& log) {
    std::string text;
    for (std::size_t i = 0; i < log.size(); ++i) {
        switch (log[i].kind) {
        case kit::access_kind::before_doorbell:
            text += "b";
            break;
        case kit::access_kind::after_done:
            text += "d";
            break;
        case kit::access_kind::before_unlock:
            text += "u";
            break;
        case kit::access_kind::write:
            text += log[i].offset == at::utrldbr ? "W" : "w";
            break;
        case kit::access_kind::read:
            text += log[i].offset == at::utrldbr ? "R" : "r";
            break;
        default:
            break;
        }
    }
    return text;
}

} // namespace

TEMPLATE_TEST_CASE(
    "U.A5: an urgent cause is served in the hard handler at once, however late the thread runs",
    "[U.A5][Q.B62][inv:D6]", hard, thread, one_at_most, edge<hard>, edge<thread>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        kit::ufshci_knobs k = s.knobs();
        k.uic_latency = 1'000'000;
        machine<TestType> m{k};
        m.start();
        std::uint64_t answered = 0;
        m.on_urgent = [&](std::uint32_t causes) {
            CHECK(causes == cause::uccs);
            CHECK(m.in_hard_handler());
            answered = m.model.now();
        };
        std::uint32_t const row = s.fit(0x3);
        m.submit(row);
        m.finish(row);
        m.deliver();
        unsigned const before = m.calls();
        m.model.store(at::uiccmd, db::ufs::uic::set);
        m.model.advance(1'000'000);
        m.deliver();
        CHECK(answered >= 1'000'000);
        CHECK(answered <= 1'001'000);
        m.model.advance(599'000'000); // only now the thread is scheduled
        CHECK(m.calls() == before);   // transfers stay deferred meanwhile
        m.run_thread();
        CHECK(m.done() == row);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.A6: without threads everything runs in the hard handler, whatever the budget", "[U.A6][inv:D7]", hard, thread,
    one_at_most, edge<hard>, edge<thread>, edge<one_at_most>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        (void)m.core.template threads_unavailable<db::drained_by<&disk::synchronize>>();
        std::uint32_t const row = s.fit(0xFFFF);
        m.submit(row);
        m.model.raise(cause::uccs | cause::ue);
        m.finish(row);
        m.deliver();
        CHECK(m.done() == row);
        CHECK(m.called_in_hard == m.calls());
        CHECK(m.urgent_seen == cause::uccs);
        CHECK(m.deferred_calls == 0); // what may sleep stays recorded
        m.run_thread_anyway();        // the loop that was named
        CHECK(m.deferred_seen == cause::ue);

        (void)m.core.threads_available();
        m.submit(row);
        m.finish(row);
        m.idle();
        CHECK(m.calls() == 2 * tags{row}.size());
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.A6: what was left for a thread that froze is completed by the next interrupt or a poll", "[U.A6][inv:H1]",
    one_at_most, two_at_most, edge<one_at_most>) {
    for (setup const& s : wide_matrix<TestType>()) {
        for (bool const poll : {true, false}) {
            machine<TestType> m{s};
            m.submit(0xFF);
            m.finish(0x7F);
            m.deliver();
            (void)m.core.template threads_unavailable<db::drained_by<&disk::synchronize>>();
            if (poll) {
                (void)m.core.poll();
            } else {
                m.finish(0x80);
                m.deliver();
            }
            CHECK((m.done() & 0x7F) == 0x7F);
            (void)m.core.threads_available();
            m.finish(0xFF);
            m.idle();
            m.end();
        }
    }
}

TEMPLATE_TEST_CASE(
    "U.A7: an error that is acknowledged in the hard handler reaches its handler in the thread, once", "[U.A7][inv:D2]",
    hard, thread, one_at_most, edge<hard>, edge<thread>) {
    for (setup const& s : matrix<TestType>()) {
        for (std::uint32_t rest = db::ufshci::errors; rest != 0; rest &= rest - 1) {
            std::uint32_t const bit = rest & (0U - rest);
            at_every_step([&](unsigned k) {
                INFO(s.text() << ", cause " << bit);
                machine<TestType> m{s};
                m.intrude(k, true, [&] { // nobody takes the note away
                    (void)m.core.poll();
                    m.deliver();
                });
                m.model.raise(bit);
                m.deliver();
                CHECK(m.is() == 0);
                CHECK(m.woken);
                m.idle();
                CHECK(m.deferred_seen == bit);
                CHECK(m.deferred_calls == 1);
                bool const more = m.intruded(0) or k < 4;
                m.end();
                return more;
            });
        }
    }
}

TEST_CASE("U.A8: a lock that a context may not take shows at once", "[U.A8][inv:T9]") {
    machine<hard> m{setup{}};
    m.watch.allow(kit::lock_user::hard_handler, false);
    m.submit(1);
    m.finish(1);
    m.deliver();
    CHECK(m.watch.errors(kit::lock_error::forbidden_context) != 0);
    m.watch.allow(kit::lock_user::hard_handler);
    CHECK(m.calls() == 1);
}

TEST_CASE(
    "U.A9: only a lock that masks interrupts, or a handler that never nests, makes a core", "[U.A9][Q.B47][inv:T9]") {
    // The sentences are in tests/compile_fail; here what they ask.
    STATIC_REQUIRE(db::irq_spin_lock::traits.masks_interrupts);
    STATIC_REQUIRE(db::irq_spin_lock::traits.excludes_cores);
    STATIC_REQUIRE_FALSE(db::spin_lock::traits.masks_interrupts);
    STATIC_REQUIRE(db::interruptible_lock<db::irq_spin_lock, db::hard_handler_nests>);
    STATIC_REQUIRE_FALSE(db::interruptible_lock<db::spin_lock, db::hard_handler_nests>);
    STATIC_REQUIRE(db::interruptible_lock<db::spin_lock, db::hard_handler_elsewhere>);
    STATIC_REQUIRE_FALSE(db::sleepless_lock<db::lockable<std::mutex>>); // Q.B48
}

TEST_CASE("Q.B63: the context is in the type: a handler that may sleep is not urgent", "[Q.B63][Q.B48][inv:D6]") {
    using sleeps = db::handlers<db::urgent<cause::uccs, &disk::link_error>>;
    using anywhere = db::handlers<db::urgent<cause::uccs, &disk::uic_done>>;
    STATIC_REQUIRE_FALSE(sleeps::urgent_may_run_hard<disk>);
    STATIC_REQUIRE(anywhere::urgent_may_run_hard<disk>);
    STATIC_REQUIRE_FALSE(db::sleepless_lock<db::lockable<std::mutex>>);
}

TEMPLATE_TEST_CASE(
    "U.A9: an interrupt that comes while the lock is held waits, and finds everything", "[U.A9][Q.B47][inv:T9]", hard,
    thread, one_at_most, edge<hard>) {
    for (setup const& s : wide_matrix<TestType>()) {
        at_every_step([&](unsigned k) {
            machine<TestType> m{s};
            m.submit(0x3);
            m.finish(0x1);
            m.intrude(k, false, [&] {
                m.finish(0x2);
                (void)m.interrupt(); // held back by the mask where it has to be
            });
            m.run_thread_anyway();
            (void)m.core.poll();
            m.idle();
            CHECK(m.watch.errors() == 0);
            CHECK(m.done() == (m.intruded(0) ? 0x3U : 0x1U));
            bool const more = m.intruded(0);
            m.end();
            return more;
        });
    }
}

TEMPLATE_TEST_CASE(
    "U.A14: on an edge, what appears between reading and clearing is served in the same run", "[U.A14][U.A15][inv:D1]",
    edge<hard>, edge<thread>, edge<one_at_most>, hard) {
    for (setup const& s : wide_matrix<TestType>()) {
        for (std::uint32_t const late : {cause::uccs, cause::ue, cause::utrcs}) {
            at_every_step([&](unsigned k) {
                INFO(s.text() << ", cause " << late);
                machine<TestType> m{s};
                m.submit(0x3);
                m.finish(0x1);
                m.intrude(k, false, [&] {
                    if (late == cause::utrcs) {
                        m.finish(0x2);
                    } else {
                        m.model.raise(late);
                    }
                });
                m.idle();
                bool const more = m.intruded(0);
                if (more) {
                    CHECK(m.is() == 0);
                    CHECK(m.urgent_seen == (late & cause::uccs));
                    CHECK(m.deferred_seen == (late & cause::ue));
                    CHECK(m.done() == (late == cause::utrcs ? 0x3U : 0x1U));
                }
                m.end();
                return more;
            });
        }
    }
}

TEMPLATE_TEST_CASE(
    "U.A15: causes that appear again and again are served, boundedly in the hard handler, the rest in the thread",
    "[U.A15][inv:D7]", edge<hard>, edge<thread>, edge<one_at_most>) {
    for (setup const& s : wide_matrix<TestType>()) {
        for (unsigned const times : {1U, 3U, 4U, 5U, 40U}) {
            INFO(s.text() << ", " << times << " times");
            machine<TestType> m{s};
            unsigned left = times;
            m.at_each(kit::access_kind::write, at::is, bench::side::before, [&] {
                if (left != 0) {
                    --left;
                    m.model.raise(left % 2 == 0 ? cause::uccs : cause::uhes);
                }
            });
            m.model.raise(cause::uhxs);
            m.model.clear_counts();
            (void)m.model.take_pulse();
            (void)m.interrupt();
            CHECK(m.model.reads(at::is) <= 6);
            m.idle();
            CHECK(m.is() == 0);
            CHECK(left == 0);
            CHECK((m.urgent_seen & cause::uccs) != 0);
            m.submit(1); // and nothing is silenced
            m.finish(1);
            m.idle();
            CHECK(m.calls() == 1);
            m.end();
        }
    }
}

TEST_CASE(
    "U.A19: a cause that cannot be cleared storms when nobody masks it, and comes once when it is masked",
    "[U.A19][inv:H4]") {
    auto const stuck = [](auto& m, bool& clearable) {
        m.at_each(kit::access_kind::write, at::is, bench::side::after, [&] {
            if (not clearable) {
                m.model.raise(cause::utrcs);
            }
        });
        m.submit(0x3);
        m.finish(0x3);
        m.deliver();
    };
    {
        machine<thread> m{setup{}};
        bool clearable = false;
        stuck(m, clearable);
        CHECK(m.storms == 1);
        m.storms = 0;
        clearable = true;
        m.idle();
        m.end();
    }
    {
        masking<thread> m{setup{}};
        bool clearable = false;
        stuck(m, clearable);
        CHECK(m.storms == 0);
        CHECK(m.entries == 1);
        CHECK(m.model.peek(at::ie) == (m.core.enabled() & ~cause::utrcs));
        clearable = true; // the thread cleared it over its slow bus
        m.run_thread();
        CHECK(m.model.peek(at::ie) == m.core.enabled());
        m.idle();
        CHECK(m.done() == 0x3);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.A20: what finishes while its cause is masked is not lost when it is unmasked", "[U.A20][Q.B53][inv:H4][inv:H5]",
    thread, one_at_most, edge<thread>, edge<one_at_most>) {
    for (setup const& s : wide_matrix<TestType>()) {
        INFO(s.text());
        at_every_step([&](unsigned k) {
            masking<TestType> m{s};
            m.submit(0xF);
            m.finish(0x3);
            m.deliver();
            m.intrude(k, false, [&] { m.finish(0x4); });
            m.intrude(k + 2, false, [&] { m.finish(0x8); });
            m.intrude(k + 1, true, [&] { m.deliver(); });
            m.idle();
            bool const more = m.intruded(0);
            m.finish(0xF);
            m.idle();
            CHECK(m.done() == 0xF);
            CHECK(m.model.peek(at::ie) == m.core.enabled()); // unmasked at the end
            m.end();
            return more;
        });
    }
}

TEMPLATE_TEST_CASE(
    "Q.B41: a thread that is done before the hard handler returns leaves the cause unmasked", "[Q.B41][inv:H4]", thread,
    one_at_most, edge<thread>, edge<one_at_most>) {
    for (setup const& s : wide_matrix<TestType>()) {
        for (bool const another : {false, true}) {
            INFO(s.text() << ", another " << another);
            at_every_step([&](unsigned k) {
                masking<TestType> m{s};
                m.submit(0x1F);
                m.finish(0x7);
                m.intrude(k, true, [&] { m.run_thread_anyway(); }); // on another core, inside of the handler
                if (another) {
                    m.intrude(k + 1, false, [&] { m.finish(0x18); });
                }
                m.deliver();
                m.idle();
                bool const more = m.intruded(0);
                m.finish(0x1F);
                m.idle();
                CHECK(m.done() == 0x1F);
                CHECK(m.model.peek(at::ie) == m.core.enabled());
                m.end();
                return more;
            });
        }
    }
}

TEMPLATE_TEST_CASE(
    "Q.B42: where nothing is masked for the thread, nothing is left masked", "[Q.B42][inv:H4]", hard, thread,
    one_at_most, edge<thread>) {
    for (setup const& s : matrix<TestType>()) {
        machine<TestType> m{s};
        std::uint32_t const row = s.fit(0x7);
        m.model.clear_counts();
        m.submit(row);
        m.finish(row);
        m.deliver();
        CHECK(m.model.writes(at::ie) == 0);
        CHECK(m.model.peek(at::ie) == m.core.enabled());
        m.idle();
        CHECK(m.model.writes(at::ie) == 0);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "Q.B44: whatever the mode, a UIC cause is written back and a second interrupt sees nothing", "[Q.B44][inv:D1]",
    hard, thread, one_at_most, edge<hard>, edge<thread>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        m.model.raise(cause::uccs);
        CHECK(m.interrupt().handled());
        CHECK(m.is() == 0);
        CHECK(m.interrupt() == db::irq_result::none);
        CHECK(m.urgent_calls == 1);
        m.end();
    }
}

TEST_CASE(
    "Q.B45: eight done, a budget of three, one interrupt: the other five complete in this thread run",
    "[Q.B45][inv:H1]") {
    for (setup const& s : wide_matrix<hard>()) {
        machine<db::count_budget<3>> m{s};
        m.submit(0xFF);
        m.finish(0xFF);
        db::irq_result const result = m.interrupt();
        CHECK(result.handled());
        CHECK(result.wake_thread());
        CHECK(m.calls() == 3);
        CHECK(m.is() == 0);
        CHECK_FALSE(m.core.on_thread().again());
        CHECK(m.calls() == 8);
        CHECK(m.entries == 1);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "Q.B52: a request to the thread with nothing left to do heals itself", "[Q.B52][inv:H2][inv:H3]", thread,
    one_at_most, edge<thread>) {
    for (setup const& s : wide_matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        m.submit(0x3);
        m.finish(0x3);
        m.deliver();
        CHECK(m.woken);
        (void)m.core.poll(); // somebody was faster
        CHECK(m.done() == 0x3);
        m.deliver();
        unsigned const entries = m.entries;
        m.run_thread();
        CHECK(m.thread_runs == 1);
        m.idle();
        CHECK(m.entries == entries);
        CHECK_FALSE(m.core.on_thread().again());
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "Q.B57: the cause is cleared first, so that an event after the scan stands", "[Q.B57][inv:D1]", hard, one_at_most,
    edge<hard>, edge<one_at_most>) {
    for (setup const& s : wide_matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        m.submit(0x3);
        m.finish(0x1);
        m.on(kit::access_kind::read, at::utrldbr, bench::side::after, [&] { m.finish(0x2); });
        m.deliver();
        m.idle();
        CHECK(m.done() == 0x3);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "Q.B58: a poll does not consume the request of the thread", "[Q.B58][inv:H3]", thread, one_at_most, edge<thread>) {
    for (setup const& s : wide_matrix<TestType>()) {
        machine<TestType> m{s};
        m.submit(0x3);
        m.model.raise(cause::ue);
        m.finish(0x3);
        m.deliver();
        (void)m.core.poll();
        CHECK(m.deferred_calls == 0);
        (void)m.core.on_thread();
        CHECK(m.deferred_seen == cause::ue);
        CHECK(m.done() == 0x3);
        m.end();
    }
}

TEST_CASE(
    "U.A27: a line that falls late brings one more entry, which harms nobody, or none behind a read-back", "[U.A27]") {
    auto const play = [](auto& m) {
        m.submit(1);
        m.finish(1);
        CHECK(m.interrupt().handled());
        bool const still_up = m.model.line();
        if (still_up) {
            (void)m.interrupt();
        }
        m.idle();
        CHECK(m.calls() == 1);
        m.end();
        return still_up;
    };
    setup const late{.line_lag = 1'000'000};
    machine<thread> deferred{late}; // nothing is read behind the acknowledge
    CHECK(play(deferred));
    machine<thread, default_clock, db::flushed_acknowledge> flushed{late};
    CHECK_FALSE(play(flushed));
    machine<hard> looks{late}; // the doorbell is
    CHECK_FALSE(play(looks));
}

TEMPLATE_TEST_CASE(
    "U.D1: a barrier stands right before every doorbell write, and what the device sees is whole", "[U.D1][inv:R4]",
    hard, thread, one_at_most) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        kit::ufshci_knobs k = s.knobs();
        k.memory_needs_barriers = true;
        machine<TestType> m{k};
        m.start();
        m.on_prepare = [&](unsigned slot) { m.model.descriptor(slot)[16] = 0x80; };
        m.on_callback = [&](unsigned slot, db::outcome) {
            if (m.called[slot] < 3) {
                (void)m.core.submit(db::tag{slot});
            }
        };
        std::uint32_t const row = s.fit(0x5);
        m.model.log().clear();
        m.submit(row);
        CHECK(barriers_of(m.model.log()) == "bWu");
        CHECK(m.model.seen_descriptor(0)[16] == 0x80); // stores of the driver are there at the ring
        for (unsigned round = 0; round < 3; ++round) {
            m.finish(m.doorbells());
            m.idle();
        }
        CHECK(m.called[0] == 3);
        std::string const all = barriers_of(m.model.log());
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i] == 'W') {
                CHECK(all[i - 1] == 'b');
            }
            if (all[i] == 'R') {
                CHECK(all.substr(i + 1, 1) == "d"); // and one behind every look that finds something done
            }
        }
        m.end();
    }
}

TEST_CASE("U.D1: the model shows a ring without its barrier", "[U.D1]") {
    kit::ufshci_knobs k{};
    k.memory_needs_barriers = true;
    bench b{k};
    b.model.bring_up();
    b.model.prepare(0);
    b.model.descriptor(0)[16] = 0x80;
    b.model.store(at::utrldbr, 1);
    CHECK(b.model.errors().count(kit::driver_error::ring_unpublished) == 1);
    CHECK(b.model.seen_descriptor(0)[16] == 0);
}

TEMPLATE_TEST_CASE(
    "U.D14: the response is read behind the barrier that follows \"done\"", "[U.D14][inv:R4]", hard, thread,
    one_at_most) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        kit::ufshci_knobs k = s.knobs();
        k.memory_needs_barriers = true;
        machine<TestType> m{k};
        m.start();
        std::uint32_t const row = s.fit(0x5);
        m.submit(row);
        m.finish(row, 0x5);
        m.deliver();
        m.run_thread();
        CHECK(m.done() == row);
        CHECK(static_cast<std::uint32_t>(m.last[0]) == 0x5);
        CHECK_FALSE(m.retry);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.D2: nothing of the old life is left after a reset: no leftover, no recorded cause, no wake, no mask", "[U.D2]",
    one_at_most, thread, edge<one_at_most>) {
    for (setup const& s : wide_matrix<TestType>()) {
        INFO(s.text());
        machine<TestType, default_clock, db::mask_cause> m{s};
        std::uint32_t const generation = m.submit(0xFF);
        m.finish(0x1F);
        m.model.raise(cause::ue);
        m.deliver();
        CHECK(m.core.reset() == db::reset_status::done);
        CHECK(m.calls() == 8);
        CHECK(m.resets == 3);
        CHECK(m.core.enabled() == 0);
        m.bring_up_again();
        m.start();
        CHECK(m.model.peek(at::ie) == m.core.enabled());
        CHECK(m.core.leftover().empty());
        CHECK(m.core.outstanding().empty());
        m.run_thread();
        m.run_thread_anyway();
        CHECK(m.deferred_calls == 0);
        CHECK(m.calls() == 8);
        CHECK(m.submit(0xFF) != generation); // old tickets stay old
        m.finish(0xFF);
        m.idle();
        CHECK(m.calls() == 16);
        m.end();
    }
}

TEST_CASE("U.D5: of two requests the one that ends has its callback, the other none", "[U.D5]") {
    for (setup const& s : wide_matrix<hard>()) {
        machine<hard> m{s};
        m.submit(0x3);
        m.finish(0x2);
        m.idle();
        CHECK(m.called[1] == 1);
        CHECK(m.called[0] == 0);
        m.end();
    }
}

TEST_CASE("U.D6: a set of requests is rung together", "[U.D6][inv:T1]") {
    machine<hard> m{setup{}};
    m.model.clear_counts();
    m.submit(0x8000'0011);
    CHECK(m.model.writes() == 1);
    CHECK(m.doorbells() == 0x8000'0011);
    CHECK_FALSE(m.core.submit(tags{0x30})); // all of it or nothing
    CHECK(m.doorbells() == 0x8000'0011);
    CHECK(m.model.writes() == 1);
    m.end();
}

TEST_CASE("U.D12: a wait ends on an error too, when the doorbell never clears", "[U.D12]") {
    using limit = db::deadline<std::uint32_t>;
    for (bool const error : {true, false}) {
        machine<hard> m{setup{}};
        m.submit(0x1);
        m.core.disable(db::ufshci::errors);
        if (error) {
            m.model.raise(cause::hcfes);
        }
        m.on(kit::access_kind::read, at::utrldbr, bench::side::after, [&] { m.time.advance(2'000); }, 3);
        db::wait_status const how = m.core.wait(limit::after(m.time.peek(), 1'000), [&] { return m.called[0] != 0; });
        CHECK(how == (error ? db::wait_status::error : db::wait_status::timed_out));
        m.end();
    }
    machine<hard> m{setup{}};
    m.submit(0x1);
    m.finish(0x1);
    CHECK(m.core.wait(limit::after(0, 1'000), [&] { return m.called[0] != 0; }) == db::wait_status::done);
    m.end();
}
