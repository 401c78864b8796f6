// SPDX-License-Identifier: BSL-1.0
// Faults of dispatchers: acknowledge, wake, mask, spurious interrupts.
#include "harness.hpp"

namespace {

using namespace scenario;

constexpr std::uint32_t uic_pair = cause::uccs | cause::uhes; // 0x440

/// How a dispatcher reads, acknowledges and looks. Written by hand, wrong in one way each, over the same hardware.
struct handmade {
    bench& machine;
    std::uint32_t out;

    void complete_finished() {
        std::uint32_t const finished = out & ~machine.model.load(at::utrldbr);
        for (db::tag const t : tags{finished}) {
            machine.completed(t.index, db::outcome::success);
        }
        out &= ~finished;
    }

    void ring(std::uint32_t set) {
        for (db::tag const t : tags{set}) {
            machine.model.prepare(t.index);
            ++machine.issued[t.index];
        }
        out |= set;
        tapped_bank{machine}.store(at::utrldbr, set);
    }

    /// Never acknowledges.
    void forgetful_handler() {
        if ((tapped_bank{machine}.load(at::is) & cause::utrcs) != 0) {
            complete_finished();
        }
    }

    /// Acknowledges what it read at entry, but last.
    void late_handler() {
        std::uint32_t const status = tapped_bank{machine}.load(at::is);
        complete_finished();
        tapped_bank{machine}.store(at::is, status);
    }

    /// The right order.
    void right_handler() {
        std::uint32_t const status = tapped_bank{machine}.load(at::is);
        tapped_bank{machine}.store(at::is, status);
        complete_finished();
    }

    /// The chip calls `handler` as often as the line asks for it, at most a few times.
    template <class Handler>
    unsigned deliver(Handler handler) {
        unsigned calls = 0;
        for (; calls < 8; ++calls) {
            bool const asks =
                machine.model.knobs().line == line_kind::level ? machine.model.line() : machine.model.take_pulse();
            if (not asks) {
                break;
            }
            handler();
        }
        return calls;
    }
};

} // namespace

TEMPLATE_TEST_CASE(
    "U.A1: every cause is acknowledged on every path, so that it can be raised again", "[U.A1][inv:D1]", hard, thread,
    two_at_most, edge<hard>, edge<two_at_most>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s.knobs()};
        REQUIRE(m.core.start(tags{s.fit(~0U)}, uic_pair) == db::start_status::started);
        for (unsigned round = 1; round <= 3; ++round) {
            m.model.raise(uic_pair);
            m.idle();
            CHECK(m.is() == 0);
            CHECK(m.urgent_calls == round);
        }
        CHECK(m.urgent_seen == uic_pair);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.A1: that holds for each single cause, with and without threads, handled by somebody or not", "[U.A1][inv:D2]",
    hard, thread, two_at_most, edge<hard>, edge<two_at_most>) {
    for (setup const& s : matrix<TestType>()) {
        for (bool const threads : {true, false}) {
            for (std::uint32_t rest = cause::all; rest != 0; rest &= rest - 1) {
                std::uint32_t const bit = rest & (0U - rest);
                INFO(s.text() << ", threads " << threads << ", cause " << bit);
                machine<TestType> m{s.knobs()};
                REQUIRE(m.core.start(tags{s.fit(~0U)}, cause::all) == db::start_status::started);
                if (not threads) {
                    (void)m.core.template threads_unavailable<db::drained_by<&disk::synchronize>>();
                }
                for (unsigned round = 1; round <= 2; ++round) {
                    m.model.raise(bit);
                    m.deliver();
                    CHECK(m.is() == 0);
                    CHECK(m.handled >= round);
                    m.idle();
                }
                auto const& fault = m.core.observer().counts().fault;
                bool const known = ((cause::utrcs | db::ufshci::uic | db::ufshci::errors) & bit) != 0;
                CHECK(fault.unhandled == (known ? 0U : 2U));
                CHECK(m.urgent_seen == (db::ufshci::uic & bit));
                CHECK(m.deferred_seen == (db::ufshci::errors & bit));
                m.end();
            }
        }
    }
}

TEST_CASE("U.A2: the model shows what a handler that forgets to acknowledge loses", "[U.A2]") {
    for (auto const line : {line_kind::edge, line_kind::edge_line}) {
        bench b{setup{.line = line}.knobs()};
        b.model.bring_up();
        b.model.store(at::ie, cause::utrcs);
        handmade wrong{b, 0};
        wrong.ring(0xC);
        b.finish(0x4);
        CHECK(wrong.deliver([&] { wrong.forgetful_handler(); }) == 1);
        CHECK(b.done() == 0x4);
        b.finish(0x8);
        CHECK(wrong.deliver([&] { wrong.forgetful_handler(); }) == 0); // no pulse: tag 3 is lost
        CHECK(b.done() == 0x4);
    }
    bench b{setup{.line = line_kind::level}.knobs()};
    b.model.bring_up();
    b.model.store(at::ie, cause::utrcs);
    handmade wrong{b, 0};
    wrong.ring(0x4);
    b.finish(0x4);
    CHECK(wrong.deliver([&] { wrong.forgetful_handler(); }) == 8); // a storm
}

TEMPLATE_TEST_CASE(
    "U.A2: the core leaves no handled cause standing, so the next completion pulses again", "[U.A2][inv:D1]", hard,
    thread, two_at_most, edge<hard>, edge<two_at_most>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        for (unsigned round = 1; round <= 4; ++round) {
            unsigned const slot = s.slots == 1 ? 0 : 3;
            m.submit(1U << slot);
            m.finish(1U << slot);
            m.deliver();
            CHECK((m.is() & m.core.enabled()) == 0);
            m.idle();
            CHECK(m.calls() == round);
        }
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.A3: the remainder of a budget completes in the thread without another interrupt", "[U.A3][inv:H1]", one_at_most,
    two_at_most, thread, hard, edge<one_at_most>, edge<thread>, edge<hard>) {
    for (setup const& s : matrix<TestType>()) {
        for (std::uint32_t const set : {0x3FU, ~0U, 0x8000'0001U}) {
            INFO(s.text());
            machine<TestType> m{s};
            std::uint32_t const row = s.fit(set);
            m.submit(row);
            m.finish(row);
            m.deliver();
            unsigned const in_hard = m.calls();
            CHECK(m.is() == 0);
            CHECK(m.woken == (m.done() != row));
            m.on(kit::access_kind::read, at::is, bench::side::before, [] { FAIL_CHECK("the thread asks IS"); });
            m.run_thread();
            CHECK(m.done() == row);
            CHECK(m.called_in_hard == in_hard);
            CHECK(m.thread_runs == (in_hard == m.calls() ? 0U : 1U));
            m.end();
        }
    }
}

TEMPLATE_TEST_CASE(
    "U.A3: the remainder is state: the next interrupt, a poll or stop completes it as well", "[U.A3][inv:H1][inv:H2]",
    one_at_most, two_at_most, edge<one_at_most>) {
    enum class by { interrupt, poll, stop, reset };
    for (setup const& s : wide_matrix<TestType>()) {
        for (by const whom : {by::interrupt, by::poll, by::stop, by::reset}) {
            INFO(s.text() << ", by " << static_cast<int>(whom));
            machine<TestType> m{s};
            m.submit(0x3F);
            m.finish(0x3F);
            m.deliver();
            REQUIRE(m.woken);
            REQUIRE(m.done() != 0x3F);
            if (whom == by::interrupt) {
                for (unsigned more = 0; more < 6 and m.calls() < 12; ++more) {
                    m.submit(0x100U << more);
                    m.finish(0x100U << more);
                    m.deliver();
                    CHECK(m.woken); // a leftover never loses its wake
                }
                m.run_thread();
                CHECK(m.done() == 0x3F3F);
            } else if (whom == by::poll) {
                (void)m.core.poll();
                CHECK(m.done() == 0x3F);
            } else if (whom == by::stop) {
                CHECK(m.core.stop().empty());
                CHECK(m.done() == 0x3F);
            } else {
                CHECK(m.core.reset() == db::reset_status::done);
                CHECK(m.done() == 0x3F);
            }
            CHECK(m.resets == 0);
            m.end();
        }
    }
}

TEMPLATE_TEST_CASE(
    "U.A4: a handled cause beside a stopped budget does not lose the wake", "[U.A4][inv:D3]", one_at_most, thread, hard,
    edge<one_at_most>, edge<hard>) {
    for (setup const& s : matrix<TestType>()) {
        for (std::uint32_t const other : {cause::uccs, cause::ue, cause::utmrcs}) {
            INFO(s.text() << ", cause " << other);
            machine<TestType> m{s};
            (void)m.core.enable(other);
            std::uint32_t const row = s.fit(3);
            m.submit(row);
            m.model.raise(other);
            m.finish(row);
            db::irq_result const result = m.interrupt();
            CHECK(result.handled());
            bool const left = m.done() != row or other == cause::ue;
            CHECK(result.wake_thread() == left);
            CHECK(m.urgent_seen == (other & cause::uccs));
            m.run_thread();
            CHECK(m.done() == row);
            CHECK(m.deferred_seen == (other & cause::ue));
            m.end();
        }
    }
}

TEST_CASE("U.A11: an interrupt without a cause is not mine, is counted and touches nothing", "[U.A11][inv:D5]") {
    for (setup const& s : matrix<hard>()) {
        INFO(s.text());
        machine<hard> m{s};
        m.submit(1);
        m.model.clear_counts();
        unsigned const times = s.line == line_kind::level ? 100'000 : 1'000;
        unsigned mine = 0;
        for (unsigned i = 0; i < times; ++i) {
            db::irq_result const result = m.core.on_hard_irq();
            mine += result == db::irq_result::none ? 0U : 1U;
        }
        CHECK(mine == 0);
        CHECK(m.core.observer().counts().fault.spurious == times);
        CHECK(m.model.reads(at::is) == times);
        CHECK(m.model.reads() == times); // nothing else is looked at
        CHECK(m.model.writes() == 0);
        CHECK(m.calls() == 0);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.A11: causes that are masked are not mine and stay latched for who polls them", "[U.A11][inv:D1][inv:D5]", hard,
    thread, edge<hard>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        m.model.raise(cause::utmrcs | cause::ulss);
        CHECK(m.interrupt() == db::irq_result::none);
        CHECK(m.is() == (cause::utmrcs | cause::ulss));
        CHECK(m.core.observer().counts().fault.spurious == 1);

        m.submit(1); // beside a cause of ours they stay as well
        m.finish(1);
        CHECK(m.interrupt().handled());
        CHECK(m.is() == (cause::utmrcs | cause::ulss));
        m.idle();
        CHECK(m.calls() == 1);
        m.end();
    }
}

TEST_CASE("U.A11: the whole-snapshot policy acknowledges masked causes, still not mine", "[U.A11][inv:D1]") {
    for (setup const& s : matrix<hard>()) {
        INFO(s.text());
        machine<hard, default_clock, db::acknowledge_snapshot> m{s};
        m.model.raise(cause::utmrcs);
        CHECK(m.interrupt() == db::irq_result::none);
        CHECK(m.is() == 0);
        m.model.raise(cause::utmrcs);
        m.submit(1);
        m.finish(1);
        CHECK(m.interrupt().handled());
        CHECK(m.is() == 0);
        CHECK(m.calls() == 1);
        CHECK(m.core.observer().counts().fault.unhandled == 0);
        m.end();
    }
}

TEST_CASE(
    "U.A11: on a line of its own an interrupt without a cause is handled, so that the line is not switched off",
    "[U.A11][inv:D5]") {
    machine<hard, default_clock, db::sole_line> m{setup{}};
    for (unsigned i = 0; i < 1'000; ++i) {
        CHECK(m.interrupt() == db::irq_result::mine);
    }
    CHECK(m.core.observer().counts().fault.spurious == 1'000);
    m.end();
}

TEST_CASE("U.A18: the model shows what an acknowledge written last takes away", "[U.A18]") {
    for (auto const line : {line_kind::level, line_kind::edge, line_kind::edge_line}) {
        for (auto const order : {completion_order::is_before_doorbell, completion_order::doorbell_before_is}) {
            for (bool const right : {false, true}) {
                INFO("line " << static_cast<int>(line) << ", right " << right);
                bench b{setup{.line = line, .order = order}.knobs()};
                b.model.bring_up();
                b.model.store(at::ie, cause::utrcs);
                handmade code{b, 0};
                code.ring(0x3);
                b.finish(0x1);
                b.on_callback = [&](unsigned slot, db::outcome) {
                    if (slot == 0) {
                        b.finish(0x2); // while the handler runs
                    }
                };
                if (right) {
                    (void)code.deliver([&] { code.right_handler(); });
                    CHECK(b.done() == 0x3);
                } else {
                    (void)code.deliver([&] { code.late_handler(); });
                    CHECK(b.done() == 0x1); // tag 1 waits for ever
                    CHECK(b.is() == 0);
                }
            }
        }
    }
}

TEMPLATE_TEST_CASE(
    "U.A18: a request that finishes anywhere while another is served needs no further event", "[U.A18][inv:D1]", hard,
    thread, one_at_most, edge<hard>, edge<thread>, edge<one_at_most>) {
    for (setup const& s : wide_matrix<TestType>()) {
        INFO(s.text());
        at_every_step([&](unsigned k) {
            machine<TestType> m{s};
            m.submit(0xF);
            m.finish(0x1);
            m.intrude(k, false, [&] { m.finish(0x2); });
            m.idle();
            CHECK(m.done() == (m.intruded() ? 0x3U : 0x1U));
            CHECK(m.is() == 0);
            bool const more = m.intruded();
            m.end();
            return more;
        });
    }
}

TEMPLATE_TEST_CASE(
    "U.A18: so does one whose two effects come at different moments", "[U.A18][inv:D1]", hard, thread, one_at_most,
    edge<hard>, edge<thread>, edge<one_at_most>) {
    for (setup const& s : wide_matrix<TestType>()) {
        if (s.order == completion_order::is_before_doorbell) {
            continue; // an interrupt between the two finds nothing, and no other follows: only looking helps
        }
        for (unsigned gap = 0; gap < 12; ++gap) {
            at_every_step([&](unsigned k) {
                INFO(s.text() << ", gap " << gap);
                machine<TestType> m{s};
                m.submit(0x3);
                m.finish(0x1);
                m.intrude(k, false, [&] { (void)m.model.finish_begin(1); });
                m.intrude(k + gap, false, [&] { (void)m.model.finish_end(1); });
                m.idle();
                bool const more = m.intruded(0);
                (void)m.model.finish_begin(1);
                (void)m.model.finish_end(1);
                m.idle();
                CHECK(m.done() == 0x3);
                m.end();
                return more;
            });
        }
    }
}

TEMPLATE_TEST_CASE(
    "U.A18: a burst that finishes one by one while it is served is complete at the end", "[U.A18]", hard, thread,
    one_at_most, two_at_most, edge<hard>, edge<thread>, edge<one_at_most>) {
    for (setup const& s : wide_matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        m.submit(~0U);
        unsigned next = 0;
        m.on_callback = [&](unsigned, db::outcome) {
            if (++next < 32) {
                m.finish(1U << next);
            }
        };
        m.finish(1);
        m.idle();
        CHECK(m.done() == ~0U);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.A21: before start an interrupt finds an inert core: no access, no completion", "[U.A21][inv:D7]", hard, thread,
    one_at_most, edge<hard>, edge<thread>, edge<one_at_most>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s.knobs()};
        m.model.clear_counts();
        m.model.raise(cause::utrcs | cause::uccs | cause::ue);
        for (unsigned i = 0; i < 100; ++i) {
            CHECK(m.interrupt() == db::irq_result::none);
        }
        m.run_thread_anyway();
        (void)m.core.poll();
        (void)m.core.enable(cause::utmrcs);
        m.core.disable(cause::utrcs);
        (void)m.core.resync();
        CHECK(m.core.submit(db::tag{0}).status() == db::submit_status::not_started);
        CHECK(m.core.submit(tags{}).status() == db::submit_status::not_started);
        CHECK(m.core.stop().empty());
        CHECK(m.model.reads() + m.model.writes() == 0);
        CHECK(m.calls() + m.urgent_calls + m.deferred_calls == 0);
        CHECK_FALSE(m.woken);

        // And what stood before start does not silence what comes after it.
        m.start();
        m.idle();
        CHECK(m.calls() == 0);
        m.submit(1);
        m.finish(1);
        m.idle();
        CHECK(m.calls() == 1);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.A21: stop makes the core inert again, and a second start finds what finished meanwhile", "[U.A21][inv:D7]", hard,
    thread, one_at_most, edge<hard>, edge<thread>, edge<one_at_most>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        std::uint32_t const row = s.fit(0x7);
        m.submit(row);
        m.finish(0x1);
        CHECK(m.core.stop() == tags{row & ~1U});
        CHECK(m.done() == 0x1);
        m.model.forbid_access();
        m.model.raise(cause::uccs);
        m.finish(row & 0x2);
        CHECK(m.interrupt() == db::irq_result::none);
        m.run_thread_anyway();
        (void)m.core.poll();
        CHECK(m.core.submit(db::tag{0}).status() == db::submit_status::not_started);
        m.model.allow_access();
        CHECK(m.calls() == 1);

        m.start();
        m.idle();
        CHECK(m.done() == (row & 0x3));
        m.finish(row & 0x4);
        m.idle();
        CHECK(m.done() == row);
        m.submit(1);
        m.finish(1);
        m.idle();
        CHECK(m.called[0] == 2);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.A26: a cause of another source completes no transfer", "[U.A26]", hard, thread, one_at_most, edge<hard>,
    edge<one_at_most>) {
    for (setup const& s : matrix<TestType>()) {
        for (std::uint32_t rest = cause::all & ~cause::utrcs; rest != 0; rest &= rest - 1) {
            std::uint32_t const bit = rest & (0U - rest);
            INFO(s.text() << ", cause " << bit);
            machine<TestType> m{s};
            (void)m.core.enable(bit);
            m.submit(s.fit(0x5));
            m.model.clear_counts();
            m.model.raise(bit);
            m.deliver();
            CHECK(m.model.reads(at::utrldbr) == 0);
            m.idle();
            CHECK(m.calls() == 0);
            CHECK(m.core.outstanding() == tags{s.fit(0x5)});
            m.end();
        }
    }
}
