// SPDX-License-Identifier: BSL-1.0
// Faults of trackers: races between submission, completion, poll and reset.
#include "harness.hpp"

#include <doorbell/controllers/ufshci/descriptor.hpp>

namespace {

using namespace scenario;

} // namespace

TEMPLATE_TEST_CASE(
    "U.C1: of an interrupt and a poll that see the same doorbell exactly one completes the request", "[U.C1][inv:T2]",
    hard, thread, one_at_most, edge<hard>, edge<one_at_most>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        std::uint32_t const row = s.fit(0x7) == 1 ? 1 : 0x4;
        for (bool const poll_first : {true, false}) {
            at_every_step([&](unsigned k) {
                machine<TestType> m{s};
                m.submit(row);
                m.finish(row);
                if (poll_first) {
                    m.intrude(k, true, [&] { m.deliver(); });
                    (void)m.core.poll();
                } else {
                    m.intrude(k, true, [&] { (void)m.core.poll(); });
                    m.deliver();
                }
                m.idle();
                CHECK(m.calls() == 1);
                bool const more = m.intruded(0);
                m.end();
                return more;
            });
        }
    }
}

TEMPLATE_TEST_CASE(
    "U.C1: batches of several claimants are disjoint, whoever comes between", "[U.C1][inv:T2][inv:H5]", hard, thread,
    one_at_most, edge<hard>, edge<one_at_most>) {
    for (setup const& s : wide_matrix<TestType>()) {
        INFO(s.text());
        at_every_step([&](unsigned k) {
            machine<TestType> m{s};
            m.submit(0xFF);
            m.finish(0x0F);
            m.intrude(k, false, [&] { m.finish(0x30); });
            m.intrude(k, true, [&] { (void)m.core.poll(); });
            m.intrude(k + 2, false, [&] { m.finish(0xC0); });
            m.intrude(k + 2, true, [&] { (void)m.core.on_thread(); });
            m.intrude(k + 3, true, [&] { m.deliver(); });
            m.idle();
            bool const more = m.intruded(0);
            if (m.intruded(2)) {
                CHECK(m.done() == 0xFF);
            }
            m.end();
            return more;
        });
    }
}

TEMPLATE_TEST_CASE(
    "U.C2: completion notification is only a hint: stale bits complete nobody, and it is never cleared",
    "[U.C2][U.C33][inv:T6]", hard, thread, edge<hard>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        m.model.set_notifications(0xFF1F'FFFF);
        std::uint32_t const row = s.fit(0x4) == 0 ? 1 : 0x4;
        m.submit(row);
        m.model.raise(cause::utrcs);
        m.idle();
        (void)m.core.poll();
        CHECK(m.calls() == 0);
        m.finish(row);
        m.idle();
        CHECK(m.done() == row);
        m.model.set_notifications(~0U); // set after the start, too
        m.model.raise(cause::utrcs);
        m.idle();
        CHECK(m.calls() == 1);
        CHECK(m.model.reads(at::utrlcnr) + m.model.writes(at::utrlcnr) == 0);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.C3: a request that is recorded but not rung is not completed by whoever comes between", "[U.C3][Q.B54][inv:T1]",
    hard, thread, one_at_most, edge<hard>, edge<one_at_most>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        for (bool const poll : {true, false}) {
            at_every_step([&](unsigned k) {
                machine<TestType> m{s};
                m.intrude(k, true, [&] {
                    if (poll) {
                        (void)m.core.poll();
                    } else {
                        m.model.raise(cause::utrcs); // as another request's completion would
                        m.deliver();
                    }
                });
                m.submit(s.fit(0x21));
                m.idle();
                CHECK(m.calls() == 0);
                bool const more = m.intruded(0) or k < 4;
                m.finish(s.fit(0x21));
                m.idle();
                CHECK(m.done() == s.fit(0x21));
                m.end();
                return more;
            });
        }
    }
}

TEST_CASE(
    "U.C3: descriptors are made ready, recorded and rung in one section that nobody can enter", "[U.C3][inv:T1]") {
    machine<hard> m{setup{}};
    bool held = false;
    m.on(kit::access_kind::write, at::utrldbr, bench::side::before, [&] { held = m.watch.held(); });
    m.watch.forget_acquisitions();
    m.submit(0x21);
    CHECK(held);
    CHECK(m.watch.acquisitions() == 1);
    CHECK(m.model.writes(at::utrldbr) == 1);
    m.end();
}

TEMPLATE_TEST_CASE(
    "U.C4: a submission while somebody polls is not taken for a completion", "[U.C4][inv:T1]", hard, thread,
    one_at_most, edge<hard>, edge<one_at_most>) {
    for (setup const& s : wide_matrix<TestType>()) {
        INFO(s.text());
        for (bool const poll : {true, false}) {
            at_every_step([&](unsigned k) {
                machine<TestType> m{s};
                m.submit(0x1);
                m.finish(0x1);
                m.intrude(k, true, [&] { CHECK(m.core.submit(db::tag{3})); });
                if (poll) {
                    (void)m.core.poll();
                }
                m.idle();
                CHECK(m.done() == 0x1);
                bool const more = m.intruded(0);
                CHECK(m.core.outstanding() == tags{more ? 8U : 0U});
                m.finish(m.doorbells());
                m.idle();
                m.end();
                return more;
            });
        }
    }
}

TEST_CASE("U.C4: every read of the doorbell that claims is made with the lock held", "[U.C4][inv:T1]") {
    machine<one_at_most> m{setup{}};
    unsigned unlocked = 0;
    m.at_each(kit::access_kind::read, at::utrldbr, bench::side::before, [&] { unlocked += m.watch.held() ? 0U : 1U; });
    m.submit(0xF);
    m.finish(0x7);
    m.idle();
    (void)m.core.poll();
    (void)m.core.stop();
    CHECK(unlocked == 0);
    CHECK(m.model.reads(at::utrldbr) >= 4);
    m.end();
}

TEMPLATE_TEST_CASE(
    "U.C5: a request that finishes at the very ring completes once", "[U.C5][Q.B54][inv:T1]", hard, thread, one_at_most,
    edge<hard>, edge<one_at_most>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        for (auto const side : {bench::side::before, bench::side::after}) {
            machine<TestType> m{s};
            std::uint32_t const row = s.fit(0x21);
            m.on(kit::access_kind::write, at::utrldbr, side, [&] {
                m.finish(row);
                m.deliver(); // masked: it comes when the lock is free
            });
            m.submit(row);
            m.idle();
            m.finish(m.doorbells());
            m.idle();
            CHECK(m.done() == row);
            CHECK(m.core.observer().counts().fault.unknown == 0);
            m.end();
        }
    }
}

TEMPLATE_TEST_CASE(
    "U.C5: so does each of a stream of requests with no latency at all", "[U.C5][inv:T1]", hard, thread, one_at_most,
    edge<hard>, edge<one_at_most>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        kit::ufshci_knobs k = s.knobs();
        k.latency = kit::latency_kind::fixed;
        machine<TestType> m{k};
        m.start();
        for (unsigned round = 0; round < 50; ++round) {
            for (unsigned slot = 0; slot < s.slots; ++slot) {
                if (m.core.submit(db::tag{slot})) {
                    m.model.advance(0);
                }
                m.deliver();
            }
            m.run_thread();
        }
        m.idle();
        CHECK(m.calls() == m.requests());
        CHECK(m.calls() >= 50);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.C7: a device that reports a request twice completes it once", "[U.C7][inv:T2]", hard, thread, edge<hard>) {
    for (setup const& s : wide_matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        m.submit(0x80);
        m.finish(0x80);
        m.idle();
        m.model.duplicate(7);
        m.idle();
        CHECK(m.calls() == 1);
        CHECK(m.is() == 0);
        CHECK(m.entries - m.handled == m.core.observer().counts().fault.spurious); // what was acknowledged is ours
        // Also while the tag is in use again.
        m.submit(0x80);
        m.model.duplicate(7);
        m.idle();
        (void)m.core.poll();
        CHECK(m.calls() == 1);
        m.finish(0x80);
        m.model.duplicate(7);
        m.idle();
        CHECK(m.calls() == 2);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.C9: a callback may submit, its own tag too, poll, and look", "[U.C9][Q.B46][inv:T3]", hard, thread, one_at_most,
    edge<hard>, edge<one_at_most>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        std::uint32_t const row = s.fit(0x3);
        unsigned again = 10;
        m.on_callback = [&](unsigned slot, db::outcome) {
            CHECK_FALSE(m.core.outstanding().contains(db::tag{slot})); // out of the set before its callback
            if (again != 0) {
                --again;
                CHECK(m.core.submit(db::tag{slot}));
                CHECK(m.core.outstanding().contains(db::tag{slot}));
                CHECK(m.core.submit(db::tag{slot}).status() == db::submit_status::busy);
                (void)m.core.poll();
                CHECK(m.core.outstanding().contains(db::tag{slot}));
            }
        };
        m.submit(row);
        for (unsigned round = 0; round < 20; ++round) {
            m.finish(m.doorbells());
            m.idle();
        }
        CHECK(m.calls() == 10 + tags{row}.size());
        CHECK(m.watch.errors() == 0);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "Q.B46: a tag that its callback submits again survives in the outstanding set", "[Q.B46][inv:T3]", hard, thread,
    two_at_most, edge<hard>, edge<two_at_most>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        std::uint32_t const row = s.fit(0xFF);
        m.on_callback = [&](unsigned slot, db::outcome) {
            if (m.called[slot] == 1) {
                CHECK(m.core.submit(db::tag{slot}));
            }
        };
        m.submit(row);
        m.finish(row);
        m.idle();
        CHECK(m.done() == row);
        CHECK(m.core.outstanding() == tags{row});
        CHECK(m.doorbells() == row);
        m.finish(row);
        m.idle();
        CHECK(m.calls() == 2 * tags{row}.size());
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.C33: a doorbell bit that nobody rang is counted and ignored", "[U.C33][inv:T6]", hard, thread, one_at_most,
    edge<hard>, edge<one_at_most>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        kit::ufshci_knobs k = s.knobs();
        k.phantom_doorbell = s.slots == 32 ? 0x4000'0100U : 0x8000'0002U; // with one slot: at and above nutrs
        machine<TestType> m{k};
        m.start();
        m.submit(1);
        m.finish(1);
        m.idle();
        (void)m.core.poll();
        CHECK(m.done() == 1);
        CHECK(m.core.observer().counts().fault.unknown >= 2);
        CHECK(m.core.outstanding().empty());
        m.end();
    }
}

TEST_CASE("U.C33: such a bit that vanishes again is no completion", "[U.C33][inv:T6]") {
    for (setup const& s : wide_matrix<hard>()) {
        INFO(s.text());
        machine<hard> m{s};
        m.submit(0x1);
        m.model.poke(at::utrldbr, 0x1 | 0x10);
        m.model.raise(cause::utrcs);
        m.idle();
        CHECK(m.core.observer().counts().fault.unknown == 1);
        m.model.poke(at::utrldbr, 0x1);
        m.model.raise(cause::utrcs);
        m.idle();
        (void)m.core.poll();
        CHECK(m.calls() == 0);
        m.finish(0x1);
        m.idle();
        CHECK(m.calls() == 1);
        m.end();
    }
}

TEST_CASE(
    "U.C33: all 32 bits of a doorbell may be set, it does not mean that the controller is gone", "[U.C33][inv:D4]") {
    machine<hard> m{setup{}};
    m.submit(~0U);
    m.model.raise(cause::utrcs);
    m.idle();
    (void)m.core.poll();
    CHECK(m.calls() == 0);
    CHECK(m.core.observer().counts().fault == db::faults{});
    m.finish(~0U);
    m.idle();
    CHECK(m.calls() == 32);
    m.end();
}

TEST_CASE("U.C33: bits at or above the number of slots stay harmless for as long as they stand", "[U.C33][inv:T6]") {
    for (unsigned const slots : {1U, 8U, 31U}) {
        kit::ufshci_knobs k = setup{.slots = slots}.knobs();
        k.phantom_doorbell = ~0U << slots;
        machine<two_at_most> m{k};
        m.start();
        std::uint32_t const all = (1U << slots) - 1;
        for (unsigned round = 1; round <= 5; ++round) {
            m.submit(all);
            m.finish(all);
            m.idle();
            CHECK(m.calls() == round * slots);
        }
        CHECK(m.core.observer().counts().fault.unknown >= 32 - slots);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.C8: a poll, an interrupt and a thread anywhere inside a reset leave each request with one callback",
    "[U.C8][U.C26][inv:T2]", hard, thread, one_at_most, edge<hard>, edge<one_at_most>) {
    for (setup const& s : wide_matrix<TestType>()) {
        for (std::uint32_t const finished : {0x0U, 0x3U, 0xFU}) {
            INFO(s.text() << ", finished " << finished);
            at_every_step([&](unsigned k) {
                machine<TestType> m{s};
                m.submit(0xF);
                m.finish(finished);
                m.intrude(k, true, [&] { (void)m.core.poll(); });
                m.intrude(k, true, [&] { m.deliver(); });
                m.intrude(k + 1, true, [&] { (void)m.core.on_thread(); });
                CHECK(m.core.reset() == db::reset_status::done);
                bool const more = m.intruded(0);
                CHECK(m.calls() == 4);
                CHECK(m.resets == 4 - tags{finished}.size()); // real completions first
                m.end();
                return more;
            });
        }
    }
}

TEMPLATE_TEST_CASE(
    "U.C8: what finishes while a reset runs has one callback as well", "[U.C8][inv:T2]", hard, thread, one_at_most,
    edge<hard>, edge<one_at_most>) {
    for (setup const& s : wide_matrix<TestType>()) {
        INFO(s.text());
        at_every_step([&](unsigned k) {
            machine<TestType> m{s};
            m.submit(0xF);
            m.finish(0x1);
            m.intrude(k, false, [&] { m.finish(0x2); });
            m.intrude(k, true, [&] { m.deliver(); });
            m.on_callback = [&](unsigned slot, db::outcome) {
                CHECK(m.core.submit(db::tag{slot}).status() != db::submit_status::accepted);
                (void)m.core.poll();
            };
            m.core.disable(cause::utrcs); // nobody but the reset completes
            CHECK(m.core.reset() == db::reset_status::done);
            CHECK(m.calls() == 4);
            bool const more = m.intruded(0);
            m.end();
            return more;
        });
    }
}

TEMPLATE_TEST_CASE(
    "U.C26: a reset forces what is in flight exactly once and the next start is clean", "[U.C26][inv:T1]", hard, thread,
    one_at_most, edge<hard>, edge<one_at_most>) {
    for (setup const& s : matrix<TestType>()) {
        for (bool const drops : {true, false}) {
            for (bool const started_over : {false, true}) {
                INFO(s.text() << ", doorbells dropped " << drops);
                kit::ufshci_knobs k = s.knobs();
                k.disable_drops = drops;
                machine<TestType> m{k};
                m.start();
                std::uint32_t const row = s.fit(0xF);
                m.submit(row);
                CHECK(m.core.reset() == db::reset_status::done);
                CHECK(m.done() == row);
                CHECK(m.resets == tags{row}.size());
                CHECK(m.core.submit(db::tag{0}).status() == db::submit_status::not_started);
                m.bring_up_again();
                m.start();
                CHECK(m.doorbells() == 0);
                m.idle();
                (void)m.core.poll();
                CHECK(m.calls() == tags{row}.size());
                if (started_over) {
                    m.submit(row);
                    m.finish(row);
                    m.idle();
                    CHECK(m.calls() == 2 * tags{row}.size());
                    CHECK(m.last[0] == db::outcome::success);
                }
                m.end();
            }
        }
    }
}

TEST_CASE(
    "U.C26: a controller that does not stop keeps its requests withheld, and is not started over them",
    "[U.C26][inv:T1][inv:T5]") {
    machine<one_at_most> m{setup{}};
    m.submit(0xF);
    m.finish(0x1);
    bool stuck = true; // HCE reads 1 whatever is written
    m.at_each(kit::access_kind::read, at::hce, bench::side::before, [&] { m.model.poke(at::hce, stuck ? 1 : 0); });
    CHECK(m.core.reset() == db::reset_status::controller_stuck);
    stuck = false;
    CHECK(m.done() == 0x1);
    CHECK(m.core.outstanding() == tags{0xE});
    CHECK(m.core.start() == db::start_status::reset_first);
    CHECK_FALSE(m.core.submit(db::tag{1}));
    CHECK_FALSE(m.core.submit(db::tag{9}));
    CHECK(m.core.reset() == db::reset_status::done);
    CHECK(m.done() == 0xF);
    CHECK(m.resets == 3);
    m.bring_up_again();
    m.start();
    m.submit(0xF);
    m.finish(0xF);
    m.idle();
    CHECK(m.calls() == 8);
    m.end();
}

TEMPLATE_TEST_CASE(
    "U.C29: what was queued while the core was closed is rung in its order once it is open", "[U.C29]", hard, thread,
    edge<hard>) {
    for (setup const& s : wide_matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        (void)m.core.stop();
        std::vector<unsigned> queue;
        for (unsigned const slot : {9U, 2U, 5U}) {
            CHECK(m.core.submit(db::tag{slot}).status() == db::submit_status::not_started);
            queue.push_back(slot);
        }
        m.model.log().clear();
        m.start();
        for (unsigned const slot : queue) {
            CHECK(m.core.submit(db::tag{slot}));
        }
        std::vector<std::uint32_t> rung;
        for (std::size_t i = 0; i < m.model.log().size(); ++i) {
            kit::access const& a = m.model.log()[i];
            if (a.kind == kit::access_kind::write and a.offset == at::utrldbr) {
                rung.push_back(a.value);
            }
        }
        CHECK(rung == std::vector<std::uint32_t>{1U << 9, 1U << 2, 1U << 5});
        m.finish(~0U);
        m.idle();
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.C30: a poll inside of a callback does not see what is being completed", "[U.C30][inv:T3]", hard, thread,
    two_at_most, edge<hard>, edge<two_at_most>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        std::uint32_t const row = s.fit(0xFF);
        std::uint32_t running = 0;
        m.on_callback = [&](unsigned slot, db::outcome) {
            CHECK((running & (1U << slot)) == 0);
            running |= 1U << slot;
            (void)m.core.poll();
            running &= ~(1U << slot);
        };
        m.submit(row);
        m.finish(row);
        m.idle();
        CHECK(m.calls() == tags{row}.size());
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.C34: a slot that is used again carries nothing of its last request to the device", "[U.C34][inv:T11]", hard,
    thread, edge<hard>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        auto const words = [&](unsigned char fill) {
            return [&m, fill](unsigned slot) {
                unsigned char* const d = m.model.descriptor(slot); // what a driver fills after clear()
                REQUIRE(d != nullptr);
                d[16] = fill;
                if (fill != 0) {
                    d[28] = 7; // only the first kind of request has a table
                }
            };
        };
        m.on_prepare = words(0x80);
        m.submit(1);
        CHECK(m.model.seen_descriptor(0)[28] == 7);
        m.finish(1, 0x5);
        m.idle();
        CHECK(static_cast<std::uint32_t>(m.last[0]) == 0x5);
        m.on_prepare = words(0);
        m.submit(1);
        auto const& seen = m.model.seen_descriptor(0);
        for (std::size_t i = 0; i < seen.size(); ++i) {
            INFO("byte " << i);
            CHECK(seen[i] == (i == 3 ? 1 : i == 8 ? 0xF : 0));
        }
        m.finish(1);
        m.idle();
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.C35: a status that reads success before hardware wrote it completes nobody", "[U.C35][inv:T11]", hard, thread,
    one_at_most, edge<hard>, edge<one_at_most>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        kit::ufshci_knobs k = s.knobs();
        k.check_descriptors = false;
        machine<TestType> m{k};
        m.start();
        m.on_prepare = [&](unsigned slot) { m.model.descriptor(slot)[8] = 0; }; // a driver that zeroes it
        std::uint32_t const row = s.fit(0x3);
        m.submit(row);
        m.model.raise(cause::utrcs);
        m.idle();
        (void)m.core.poll();
        (void)m.core.on_thread();
        CHECK(m.calls() == 0); // the doorbell says when it is done, never the descriptor
        CHECK(m.core.outstanding() == tags{row});
        m.finish(row);
        m.idle();
        CHECK(m.done() == row);
        m.end();
    }
}

TEST_CASE(
    "U.C35: a descriptor rung without \"not written\" is reported by the model, and clear() writes it", "[U.C35]") {
    bench b{setup{}.knobs()};
    b.model.bring_up();
    b.model.descriptor(0)[8] = 0;
    b.model.store(at::utrldbr, 1);
    CHECK(b.model.errors().count(kit::driver_error::ring_dirty) == 1);

    db::ufs::utrd descriptor{{1, 2, 0, 4, 5, 6, 7, 8}};
    db::ufs::clear(descriptor);
    CHECK(db::ufs::response(descriptor) == db::outcome::not_written);
    CHECK(descriptor.word[0] + descriptor.word[1] + descriptor.word[7] == 0);
}

TEMPLATE_TEST_CASE(
    "U.C36: a cleared doorbell whose status is not written yet is no completion, and later one", "[U.C36][inv:T11]",
    hard, thread, one_at_most, edge<hard>, edge<one_at_most>) {
    enum class by { interrupt, thread, poll, stop };
    for (setup const& s : matrix<TestType>()) {
        for (by const whom : {by::interrupt, by::thread, by::poll, by::stop}) {
            INFO(s.text() << ", found by " << static_cast<int>(whom));
            kit::ufshci_knobs k = s.knobs();
            k.ocs_lag = 3'000;
            machine<TestType> m{k};
            m.start();
            std::uint32_t const row = s.fit(0x5);
            m.submit(row);
            m.finish(row, 0x5);
            m.idle();
            CHECK(m.calls() == 0);
            CHECK(m.retry);
            CHECK(m.core.leftover() == tags{row});
            CHECK(m.core.submit(db::tag{0}).status() == db::submit_status::busy); // hardware may still write
            unsigned const runs = m.thread_runs;
            (void)m.core.poll();
            m.model.raise(cause::utrcs);
            m.idle();
            CHECK(m.calls() == 0);
            if constexpr (std::same_as<TestType, hard>) {
                CHECK(m.thread_runs == runs); // woken once, not at every look
            }
            m.model.advance(3'000);
            switch (whom) {
            case by::interrupt:
                m.model.raise(cause::utrcs);
                break;
            case by::thread:
                m.run_thread_anyway();
                break;
            case by::poll:
                (void)m.core.poll();
                break;
            case by::stop:
                CHECK(m.core.stop().empty());
                break;
            }
            m.idle();
            CHECK(m.done() == row);
            CHECK(static_cast<std::uint32_t>(m.last[0]) == 0x5); // the real status
            CHECK(m.calls() == tags{row}.size());
            m.end();
        }
    }
}

TEMPLATE_TEST_CASE(
    "U.C36: a status that never comes ends with the reset, one that comes during it wins", "[U.C36][inv:T11][inv:T5]",
    hard, thread, one_at_most, edge<hard>, edge<one_at_most>) {
    for (setup const& s : wide_matrix<TestType>()) {
        for (bool const late : {false, true}) {
            INFO(s.text() << ", late " << late);
            kit::ufshci_knobs k = s.knobs();
            k.ocs_stuck = true;
            machine<TestType> m{k};
            m.start();
            m.submit(0x3);
            m.finish(0x1);
            m.idle();
            CHECK(m.calls() == 0);
            if (late) {
                m.on(kit::access_kind::write, at::hce, bench::side::before, [&] { m.model.write_status(0); });
            }
            CHECK(m.core.reset() == db::reset_status::done);
            CHECK(m.calls() == 2);
            CHECK(m.last[0] == (late ? db::outcome::success : db::outcome::reset));
            CHECK(m.last[1] == db::outcome::reset);
            m.end();
        }
    }
}

TEMPLATE_TEST_CASE(
    "U.C36: lagging requests hold up nobody else", "[U.C36][inv:T11]", hard, thread, one_at_most, edge<hard>,
    edge<one_at_most>) {
    for (setup const& s : wide_matrix<TestType>()) {
        INFO(s.text());
        kit::ufshci_knobs k = s.knobs();
        k.ocs_stuck = true;
        machine<TestType> m{k};
        m.start();
        m.submit(~0U);
        m.finish(0x0000'FFFF);
        for (unsigned slot = 1; slot < 16; slot += 2) {
            m.model.write_status(slot);
        }
        m.idle();
        CHECK(m.done() == 0xAAAA);
        CHECK(m.core.leftover() == tags{0x5555U});
        m.finish(0xFFFF'0000);
        for (unsigned slot = 0; slot < 32; slot += 1) {
            m.model.write_status(slot);
        }
        m.idle();
        CHECK(m.done() == ~0U);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.B13: a request that finishes beside one that runs long completes at once, the other does not", "[U.B13]", hard,
    thread, edge<hard>) {
    for (setup const& s : wide_matrix<TestType>()) {
        for (unsigned const first : {0U, 1U}) {
            INFO(s.text());
            machine<TestType> m{s};
            m.submit(0x3);
            m.finish(1U << first);
            m.idle();
            CHECK(m.done() == 1U << first);
            CHECK(m.core.outstanding() == tags{3U & ~(1U << first)});
            m.finish(0x3);
            m.idle();
            m.end();
        }
    }
}

TEST_CASE(
    "A controller that was caught while a command was aborted: nothing finished, nothing completes", "[snapshot]") {
    for (setup const& s : wide_matrix<hard>()) {
        INFO(s.text());
        machine<hard> m{s};
        m.submit(0xAB00'0080);
        m.model.poke(at::cap, 0x1587'031F);
        m.model.poke(at::hcs, 0x10F);
        m.model.poke(at::uecpa, 0x8000'0010);
        m.model.set_notifications(0xFF1F'FFFF);
        (void)m.core.enable(0x0003'0E75);
        CHECK(m.interrupt() == db::irq_result::none);
        (void)m.core.poll();
        (void)m.core.on_thread();
        m.idle();
        CHECK(m.calls() == 0);
        CHECK(m.core.outstanding() == tags{0xAB00'0080});
        m.end();
    }
}
