// SPDX-License-Identifier: BSL-1.0
// Faults of abort, timeout, slot clear and of requests that come back late; of interrupt aggregation.
#include "harness.hpp"

namespace {

using namespace scenario;

/// The doorbell writes of the log.
std::vector<std::uint32_t> rings_of(kit::access_log const& log) {
    std::vector<std::uint32_t> rung;
    for (std::size_t i = 0; i < log.size(); ++i) {
        if (log[i].kind == kit::access_kind::write and log[i].offset == at::utrldbr) {
            rung.push_back(log[i].value);
        }
    }
    return rung;
}

} // namespace

TEMPLATE_TEST_CASE(
    "U.B9: aborting all that is outstanding ends, also when every callback submits its tag again", "[U.B9][inv:T2]",
    hard, thread, edge<hard>) {
    for (setup const& s : wide_matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        m.submit(0xF);
        m.on_callback = [&](unsigned slot, db::outcome o) {
            if (o == db::outcome::aborted) {
                CHECK(m.core.submit(db::tag{slot}));
            }
        };
        CHECK(m.core.abort_all().empty());
        CHECK(m.calls() == 4);
        CHECK(m.core.outstanding() == tags{0xF});
        CHECK(m.doorbells() == 0xF);
        m.finish(0xF);
        m.idle();
        CHECK(m.calls() == 8);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.C10: an abort and an interrupt anywhere inside of it leave one callback and touch no other request",
    "[U.C10][U.C24][inv:T2]", hard, thread, one_at_most, edge<hard>) {
    for (setup const& s : wide_matrix<TestType>()) {
        for (bool const reuse : {false, true}) {
            at_every_step([&](unsigned k) {
                INFO(s.text() << ", reuse " << reuse);
                machine<TestType> m{s};
                m.submit(0x7);
                db::ticket const ticket = m.submit_one(4);
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
                db::abort_status const how = m.core.abort(ticket);
                CHECK(
                    (how == db::abort_status::aborted or how == db::abort_status::already_done or
                     how == db::abort_status::stale));
                m.idle();
                CHECK(m.called[4] == 1);
                CHECK((m.doorbells() & 0x7) == 0x7); // nobody else is hit
                CHECK(m.core.outstanding() == tags{reuse ? 0x17U : 0x7U});
                CHECK(m.doorbells() == m.core.outstanding().raw());
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
    "U.C10: a ticket of an older use, of a finished request or of nobody aborts nothing", "[U.C10][inv:T2]", hard,
    thread) {
    for (setup const& s : wide_matrix<TestType>()) {
        machine<TestType> m{s};
        db::ticket const old = m.submit_one(4);
        m.finish(0x10);
        m.idle();
        CHECK(m.core.abort(old) == db::abort_status::already_done);
        db::ticket const now = m.submit_one(4);
        CHECK(m.core.abort(old) == db::abort_status::stale);
        CHECK(m.core.abort({db::tag{7}, 0}) != db::abort_status::aborted);
        CHECK(m.core.abort({db::tag{77}, now.generation}) == db::abort_status::stale);
        CHECK(m.model.writes(at::utrlclr) == 0);
        CHECK(m.core.outstanding() == tags{0x10});
        (void)m.core.stop();
        m.model.clear_counts();
        CHECK(m.core.abort(now) == db::abort_status::not_running); // U.C19: no clear while the list may be stopped
        CHECK(m.model.reads() + m.model.writes() == 0);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.C11: a timeout and an interrupt for the same slot at the same moment end it once, as a success",
    "[U.C11][inv:X2]", hard, thread, one_at_most, edge<hard>) {
    for (setup const& s : wide_matrix<TestType>()) {
        for (bool const timer_first : {true, false}) {
            at_every_step([&](unsigned k) {
                INFO(s.text() << ", timer first " << timer_first);
                machine<TestType> m{s};
                m.submit(0x3);
                m.finish(0x1);
                tags expired{};
                if (timer_first) {
                    m.intrude(k, true, [&] { m.deliver(); });
                    expired = m.core.expire_tags(tags{1});
                } else {
                    m.intrude(k, true, [&] { expired = m.core.expire_tags(tags{1}); });
                    m.deliver();
                }
                m.idle();
                CHECK(expired.empty());
                CHECK(m.called[0] == 1);
                CHECK(m.last[0] == db::outcome::success);
                CHECK(m.core.outstanding() == tags{2});
                bool const more = m.intruded(0);
                m.end();
                return more;
            });
        }
    }
}

TEMPLATE_TEST_CASE(
    "U.C12: a clear without a completion is an abort, a completion that beats the clear is a success",
    "[U.C12][inv:T5]", hard, thread) {
    for (setup const& s : wide_matrix<TestType>()) {
        for (bool const beats : {false, true}) {
            machine<TestType> m{s};
            db::ticket const ticket = m.submit_one(3);
            m.on_end_on_device = [&](unsigned) {
                if (beats) {
                    m.finish(0x8);
                }
                return true;
            };
            CHECK(m.core.abort(ticket) == db::abort_status::aborted);
            CHECK(m.last[3] == (beats ? db::outcome::success : db::outcome::aborted));
            CHECK(m.core.outstanding().empty());
            m.idle();
            CHECK(m.calls() == 1);
            m.end();
        }
    }
}

TEST_CASE("U.C14: aborting one of three leaves two doorbells", "[U.C14][inv:T7]") {
    for (unsigned slot = 0; slot < 3; ++slot) {
        machine<hard> m{setup{}};
        m.submit(0x7 & ~(1U << slot));
        db::ticket const ticket = m.submit_one(slot);
        CHECK(m.core.abort(ticket) == db::abort_status::aborted);
        CHECK(m.doorbells() == (0x7 & ~(1U << slot)));
        CHECK(m.model.writes(at::utrlclr) == 1);
        CHECK(m.model.reads(at::utrlclr) == 0);
        m.finish(0x7);
        m.idle();
        m.end();
    }
}

TEST_CASE(
    "U.C15: with the clear register the other way round the quirk does the same, and without it the model shows",
    "[U.C15][inv:T7]") {
    kit::ufshci_knobs k{};
    k.polarity = kit::clear_polarity::write_1_clears;
    machine<quirky<db::ufs::quirk::inverted_clear>> m{k};
    m.start();
    m.submit(0x5);
    db::ticket const ticket = m.submit_one(1);
    CHECK(m.core.abort(ticket) == db::abort_status::aborted);
    CHECK(m.doorbells() == 0x5);
    m.finish(0x5);
    m.idle();
    m.end();

    machine<hard> wrong{k};
    wrong.start();
    wrong.submit(0x5);
    db::ticket const other = wrong.submit_one(1);
    CHECK(wrong.core.abort(other) == db::abort_status::needs_reset); // its bit stands, so it is not given back
    CHECK(wrong.doorbells() == 0x2);
    CHECK(wrong.called[1] == 0);
    wrong.model.errors().clear();
    wrong.end();
}

TEMPLATE_TEST_CASE(
    "U.C17: tag and buffers come back only when the clear took effect", "[U.C17][Q.B29][inv:T5]", hard, thread) {
    for (setup const& s : wide_matrix<TestType>()) {
        for (unsigned const how : {0U, 1U, 2U}) { // late; never; the device cannot say that it has ended it
            INFO(s.text() << ", case " << how);
            kit::ufshci_knobs k = s.knobs();
            k.clear_latency = how == 0 ? 10 : 0;
            k.clear_never = how == 1;
            machine<TestType> m{k};
            m.start();
            db::ticket const ticket = m.submit_one(0);
            m.on_end_on_device = [&](unsigned) { return how != 2; };
            m.on_callback = [&](unsigned, db::outcome) { CHECK(m.doorbells() == 0); };
            db::abort_status const answer = m.core.abort(ticket);
            if (how == 0) {
                CHECK(answer == db::abort_status::aborted);
                CHECK(m.model.now() >= 10);
                CHECK(m.calls() == 1);
            } else {
                CHECK(answer == db::abort_status::needs_reset);
                CHECK(m.calls() == 0);
                CHECK(m.core.quarantined() == tags{1});
                CHECK(m.core.submit(db::tag{0}).status() == db::submit_status::busy);
                m.idle();
                (void)m.core.poll();
                CHECK(m.calls() == 0);
                CHECK(m.core.reset() == db::reset_status::done);
                CHECK(m.calls() == 1);
                CHECK(m.resets == 1);
            }
            m.end();
        }
    }
}

TEMPLATE_TEST_CASE(
    "U.C19: no slot is cleared while the list is stopped, nor does a stopped list end an abort", "[U.C19][inv:T7]",
    hard, thread, edge<hard>) {
    for (setup const& s : wide_matrix<TestType>()) {
        for (bool const drops : {true, false}) {
            for (unsigned const how : {0U, 1U, 2U}) { // stopped; gated; reset while the device is told to end it
                INFO(s.text() << ", doorbells dropped " << drops << ", case " << how);
                kit::ufshci_knobs k = s.knobs();
                k.stop_drops = drops;
                machine<TestType> m{k};
                m.start();
                m.submit(0x2);
                db::ticket const ticket = m.submit_one(0);
                m.on_end_on_device = [&](unsigned) {
                    switch (how) {
                    case 0:
                        (void)m.core.stop();
                        m.model.store(at::utrlrsr, 0); // by whoever stopped it: the doorbell may read 0 now
                        break;
                    case 1:
                        m.core.gate();
                        break;
                    default:
                        CHECK(m.core.reset() == db::reset_status::done);
                        break;
                    }
                    return true;
                };
                CHECK(m.core.abort(ticket) == db::abort_status::needs_reset);
                CHECK(m.model.writes(at::utrlclr) == 0);
                CHECK(m.called[0] == (how == 2 ? 1U : 0U));
                if (how != 2) {
                    CHECK(m.core.quarantined() == tags{1});
                    CHECK(m.core.recover(db::tag{0}) == db::abort_status::not_running);
                    CHECK(m.model.writes(at::utrlclr) == 0);
                    CHECK(m.core.reset() == db::reset_status::done);
                }
                CHECK(m.resets == 2);
                CHECK(m.last[0] == db::outcome::reset);
                m.end();
            }
        }
    }
    bench b{setup{}.knobs()}; // what clearing it does
    b.model.bring_up();
    b.model.store(at::utrldbr, 0x3);
    b.model.store(at::utrlrsr, 0);
    b.model.store(at::utrlclr, ~1U);
    CHECK(b.model.errors().count(kit::driver_error::clear_stopped) == 1);
}

TEMPLATE_TEST_CASE(
    "U.C20: a request that timed out and finishes late is credited to nobody until it is recovered, then to itself",
    "[U.C20][Q.B29][inv:T5]", hard, thread, one_at_most, edge<hard>) {
    for (setup const& s : wide_matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        m.submit(0x1);
        CHECK(m.core.expire_tags(tags{1}) == tags{1});
        m.submit(0x2);
        m.finish(0x1); // late
        m.idle();
        (void)m.core.poll();
        (void)m.core.on_thread();
        CHECK(m.calls() == 0);
        CHECK(m.core.submit(db::tag{0}).status() == db::submit_status::busy);
        CHECK(m.core.observer().counts().fault.unknown == 0);
        CHECK(m.core.recover(db::tag{0}) == db::abort_status::aborted);
        CHECK(m.called[0] == 1);
        CHECK(m.last[0] == db::outcome::success); // what hardware wrote wins
        m.finish(0x2);
        m.idle();
        CHECK(m.called[1] == 1);
        m.submit(0x1);
        m.finish(0x1);
        m.idle();
        CHECK(m.called[0] == 2);
        m.end();
    }
}

TEMPLATE_TEST_CASE("U.C23: the doorbell is never written back", "[U.C23][inv:T1]", hard, thread, one_at_most) {
    for (setup const& s : wide_matrix<TestType>()) {
        machine<TestType> m{s};
        m.model.log().clear();
        m.submit(0x8);
        m.submit(0x3);
        m.finish(0x8);
        m.idle();
        m.submit(0x8);
        m.finish(0x3);
        m.idle();
        (void)m.core.poll();
        CHECK(rings_of(m.model.log()) == std::vector<std::uint32_t>{0x8, 0x3, 0x8});
        m.end();
    }
    bench b{setup{}.knobs()}; // what writing it back does
    b.model.bring_up();
    b.model.store(at::utrldbr, 0x8);
    std::uint32_t const seen = b.model.load(at::utrldbr);
    b.finish(0x8);
    b.model.store(at::utrldbr, seen);
    CHECK(b.doorbells() == 0x8);
    CHECK(b.model.started() == 2);
}

TEMPLATE_TEST_CASE(
    "U.C24: aborting what has finished already completes it as what it is, and the late interrupt finds nothing",
    "[U.C24][inv:T2]", hard, thread, edge<hard>) {
    for (setup const& s : wide_matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        db::ticket const ticket = m.submit_one(3);
        m.finish(0x8); // its interrupt is not delivered yet
        CHECK(m.core.abort(ticket) == db::abort_status::already_done);
        CHECK(m.calls() == 1);
        CHECK(m.last[3] == db::outcome::success);
        CHECK(m.core.outstanding().empty());
        CHECK(m.model.writes(at::utrlclr) == 0);
        m.idle();
        CHECK(m.calls() == 1);
        CHECK(m.handled == 1);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "Q.B23: what was aborted and reported late is swallowed, also when its tag is in use again", "[Q.B23][inv:T2]",
    hard, thread, edge<hard>) {
    for (setup const& s : wide_matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        m.submit(0x1);
        CHECK(m.core.abort_all().empty());
        CHECK(m.last[0] == db::outcome::aborted);
        m.model.duplicate(0);
        m.idle();
        CHECK(m.calls() == 1);
        m.submit(0x1);
        m.model.duplicate(0);
        m.idle();
        CHECK(m.calls() == 1);
        CHECK(m.core.outstanding() == tags{1});
        m.finish(0x1);
        m.idle();
        CHECK(m.calls() == 2);
        m.end();
    }
}

TEST_CASE("Q.B26: after the ring the submission touches nothing of the tag any more", "[Q.B26][inv:T1]") {
    for (setup const& s : wide_matrix<hard>()) {
        INFO(s.text());
        machine<hard> m{s};
        m.on(kit::access_kind::write, at::utrldbr, bench::side::after, [&] {
            m.finish(0x1);
            (void)m.interrupt(); // when the lock is free, before submit() returns
        });
        db::ticket second{};
        m.on_callback = [&](unsigned slot, db::outcome) {
            if (m.called[slot] == 1) {
                second = {db::tag{slot}, m.core.submit(db::tag{slot}).generation()};
            }
        };
        db::ticket const first = m.submit_one(0);
        CHECK(m.called[0] == 1);
        CHECK(m.issued[0] == 2);
        CHECK(m.core.outstanding() == tags{1});
        CHECK(first.generation != second.generation);
        CHECK(m.core.abort(first) == db::abort_status::stale);
        CHECK(m.core.abort(second) == db::abort_status::aborted);
        m.end();
    }
}

TEST_CASE(
    "Q.B30: recovery has a slot of its own when every tag is out, also while submissions are blocked",
    "[Q.B30][inv:X5]") {
    machine<hard> m{setup{}.knobs()};
    REQUIRE(
        m.core.start({.usable = tags::all(), .reserved = tags{0x8000'0000U}, .causes = m.core.all_causes}) ==
        db::start_status::started);
    m.submit(0x7FFF'FFFF);
    CHECK_FALSE(m.core.submit(db::tag{31}));
    m.core.block();
    CHECK(m.core.submit_reserved(db::tag{31}));
    CHECK(m.core.submit_reserved(db::tag{31}).status() == db::submit_status::busy);
    CHECK_FALSE(m.core.submit_reserved(db::tag{3}));
    m.finish(0x8000'0000);
    m.idle();
    CHECK(m.done() == 0x8000'0000);
    m.finish(~0U);
    m.idle();
    m.core.unblock();
    m.end();
}

TEMPLATE_TEST_CASE(
    "U.A25: a completion that no interrupt announced is found by the timeout, as a success, and counted",
    "[U.A25][inv:X2]", hard, thread) {
    for (setup const& s : wide_matrix<TestType>()) {
        kit::ufshci_knobs k = s.knobs();
        k.interrupt_bit_required = true;
        machine<TestType> m{k};
        m.start();
        m.on_prepare = [&](unsigned slot) { m.model.descriptor(slot)[3] = 0; };
        m.submit(0x3);
        m.finish(0x1);
        m.idle();
        CHECK(m.entries == 0);
        CHECK(m.calls() == 0);
        CHECK(m.core.expire_tags(tags{3}) == tags{2});
        CHECK(m.last[0] == db::outcome::success);
        CHECK(m.calls() == 1);
        CHECK(m.core.observer().counts().fault.missed == 1);
        m.end();
    }
}

TEST_CASE(
    "U.C40: with aggregation the counter is reset before the doorbell is read, so nobody waits for the next one",
    "[U.C40][U.C43]") {
    at_every_step([](unsigned k) {
        machine<hard, default_clock, db::gathered<2, 1>> m{setup{}};
        m.submit(0x1F);
        m.on_prepare = {};
        for (unsigned slot = 0; slot < 5; ++slot) {
            m.model.descriptor(slot)[3] = 0; // no interrupt of its own
        }
        m.finish(0x3);
        m.intrude(k, false, [&] { m.finish(0x4); });
        m.deliver();
        bool const more = m.intruded(0);
        if (more) {
            m.model.advance(40'000); // the timer covers the last one
            m.deliver();
        }
        CHECK(m.done() == (more ? 0x7U : 0x3U));
        CHECK(m.entries - m.handled == m.core.observer().counts().fault.spurious);
        m.finish(0x1F);
        m.model.advance(40'000);
        m.idle();
        CHECK(m.calls() == 5);
        m.end();
        return more;
    });
}

TEST_CASE("U.C41: completions that were gathered before interrupts were enabled are found by start", "[U.C41]") {
    for (auto const order : {completion_order::is_before_doorbell, completion_order::doorbell_before_is}) {
        machine<hard, default_clock, db::gathered<2, 1>> m{setup{.order = order}};
        m.submit(0x3);
        (void)m.core.stop();
        m.finish(0x3);
        m.start();
        m.idle();
        CHECK(m.done() == 0x3);
        m.submit(0x1);
        m.finish(0x1);
        m.model.advance(40'000);
        m.idle();
        CHECK(m.called[0] == 2);
        m.end();
    }
}

TEST_CASE("U.C42: a host that forbids the counter reset is not given one", "[U.C42]") {
    kit::ufshci_knobs k{};
    k.counter_reset_forbidden = true;
    machine<quirky<db::ufs::quirk::no_counter_reset>, default_clock, db::gathered<2, 1>> m{k};
    m.start();
    for (unsigned round = 0; round < 3; ++round) {
        m.submit(0x7);
        m.finish(0x7);
        m.model.advance(40'000);
        m.idle();
    }
    CHECK(m.calls() == 9);
    CHECK(m.model.errors().count(kit::driver_error::counter_reset) == 0);
    m.end();

    machine<hard, default_clock, db::gathered<2, 1>> wrong{k};
    wrong.start();
    CHECK(wrong.model.errors().count(kit::driver_error::counter_reset) != 0); // the model shows it
    wrong.model.errors().clear();
    (void)wrong.core.stop();
}
