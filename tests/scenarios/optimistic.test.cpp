// SPDX-License-Identifier: BSL-1.0
// The faults of acknowledge, wake and spurious interrupts once more, where the transfer cause is acknowledged unread.
#include "harness.hpp"

namespace {

using namespace scenario;

template <class Policy>
using hopeful = machine<Policy, default_clock, db::optimistic<64>>;

} // namespace

TEMPLATE_TEST_CASE(
    "U.A18: what finishes after the doorbell was read has its cause anew, or was claimed", "[U.A18][Q.B57][inv:D1a]",
    hard, two_at_most) {
    for (setup const& s : wide_matrix<TestType>()) {
        at_every_step([&](unsigned k) {
            INFO(s.text());
            hopeful<TestType> m{s};
            m.submit(0xF);
            m.finish(0x1);
            m.intrude(k, false, [&] { m.finish(0x6); });
            m.intrude(k + 2, true, [&] { (void)m.core.poll(); });
            m.idle();
            bool const more = m.intruded(0);
            CHECK(m.done() == (more ? 0x7U : 0x1U));
            CHECK(m.is() == 0);
            m.finish(0xF);
            m.idle();
            m.end();
            return more;
        });
    }
}

TEMPLATE_TEST_CASE(
    "U.A3: what the budget left completes in the thread, without a cause or an interrupt more", "[U.A3][Q.B45][inv:H1]",
    two_at_most) {
    for (setup const& s : wide_matrix<TestType>()) {
        INFO(s.text());
        hopeful<TestType> m{s};
        m.submit(0x3F);
        m.finish(0x3F);
        CHECK(m.interrupt().wake_thread());
        CHECK(m.calls() == 2);
        CHECK(m.is() == 0);
        CHECK_FALSE(m.core.on_thread().again());
        CHECK(m.done() == 0x3F);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.A7: an error without a transfer, or beside one, is found at the latest when its line asks again",
    "[U.A7][U.A1][U.A4][inv:D1a]", hard, two_at_most) {
    for (setup const& s : wide_matrix<TestType>()) {
        for (std::uint32_t const bit : {cause::ue, cause::uccs, cause::uccs | cause::ue}) {
            at_every_step([&](unsigned k) {
                INFO(s.text() << ", cause " << bit);
                hopeful<TestType> m{s};
                m.submit(0x7);
                m.finish(0x7);
                m.intrude(k, false, [&] { m.model.raise(bit); });
                m.idle();
                bool const more = m.intruded(0);
                if (more) {
                    CHECK(m.is() == 0);
                    CHECK(m.urgent_seen == (bit & cause::uccs));
                    CHECK(m.deferred_seen == (bit & cause::ue));
                }
                CHECK(m.done() == 0x7);
                m.end();
                return more;
            });
        }
    }
}

TEST_CASE("U.A11: an interrupt of somebody else is not mine, also behind a poll's claim but once", "[U.A11][inv:D1a]") {
    for (setup const& s : wide_matrix<hard>()) {
        INFO(s.text());
        hopeful<hard> m{s};
        m.submit(0x3);
        for (unsigned n = 0; n < 1'000; ++n) {
            CHECK(m.interrupt() == db::irq_result::none);
        }
        CHECK(m.calls() == 0);
        m.finish(0x1);
        (void)m.core.poll(); // a poller was faster: the interrupt that comes for it is ours
        CHECK(m.interrupt().handled());
        CHECK(m.interrupt() == db::irq_result::none);
        CHECK(m.calls() == 1);
        m.end();
    }
}

TEST_CASE("U.A26: causes of others complete no transfer", "[U.A26][inv:D1a]") {
    for (setup const& s : wide_matrix<hard>()) {
        for (std::uint32_t rest = cause::all & ~cause::utrcs; rest != 0; rest &= rest - 1) {
            std::uint32_t const bit = rest & (0U - rest);
            INFO(s.text() << ", cause " << bit);
            hopeful<hard> m{s};
            (void)m.core.enable(bit);
            m.submit(0x5);
            m.model.raise(bit);
            m.idle();
            CHECK(m.calls() == 0);
            CHECK(m.is() == 0);
            CHECK(m.core.outstanding() == tags{0x5});
            m.end();
        }
    }
}
