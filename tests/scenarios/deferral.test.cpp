// SPDX-License-Identifier: BSL-1.0
// Faults of bottom halves, on a core whose callbacks run in one.
#include "harness.hpp"

namespace {

using namespace scenario;

/// The disk of the scenarios with a bottom half: it is asked for, and runs when the script says so.
template <class Policy, class Budget = db::inline_all>
class deferring : public machine<Policy, default_clock, db::in_bottom_half<Budget>> {
public:
    explicit deferring(setup const& s) : machine<Policy, default_clock, db::in_bottom_half<Budget>>{s} {}

    /// One batch; remembers whether another was asked for.
    bool run() {
        ++runs;
        this->giveback_wanted = this->core.run_bottom_half().again();
        return this->giveback_wanted;
    }

    /// Interrupts, thread and bottom half, until nothing is left to do.
    void settle() {
        do {
            this->idle();
        } while (this->giveback_wanted and (run(), true));
        this->idle();
    }

    unsigned runs = 0;
};

} // namespace

TEMPLATE_TEST_CASE(
    "Q.B49: each completion brings another, and a run ends after what it found and asks for one more",
    "[Q.B49][inv:G2]", hard, thread, one_at_most, edge<hard>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        deferring<TestType> m{s};
        m.submit(s.fit(0x3));
        m.finish(s.fit(0x3));
        m.on_callback = [&](unsigned slot, db::outcome) {
            if (m.issued[slot] < 50) {
                CHECK(m.core.submit(db::tag{slot}));
                m.finish(1U << slot);
                m.deliver(); // finished again before its callback has ended
                m.run_thread();
            }
        };
        m.idle();
        unsigned const each = s.slots == 1 ? 1 : 2;
        for (unsigned n = 1; n <= 5; ++n) {
            CHECK(m.giveback_wanted);
            CHECK(m.run());               // another source gets its turn before the next batch
            CHECK(m.calls() == n * each); // the snapshot, and nothing that came since
        }
        m.settle();
        CHECK(m.calls() == 50 * each);
        CHECK(m.under_lock == 0);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "A request that is aborted while its completion is queued has one callback, with its own status",
    "[inv:G3][inv:T2]", hard, thread, edge<hard>) {
    for (setup const& s : wide_matrix<TestType>()) {
        at_every_step([&](unsigned k) {
            INFO(s.text());
            deferring<TestType> m{s};
            m.submit(0x2);
            db::ticket const ticket = m.submit_one(0);
            m.finish(0x1, 5);
            m.intrude(k, true, [&] { (void)m.run(); });
            m.deliver();
            m.run_thread();
            CHECK(m.core.abort(ticket) == db::abort_status::already_done);
            bool const more = m.intruded();
            m.settle();
            CHECK(m.called[0] == 1);
            CHECK(m.last[0] == db::outcome{5});
            m.finish(0x2);
            m.settle();
            m.end();
            return more;
        });
    }
}

TEMPLATE_TEST_CASE(
    "Stopping with a full bottom half gives every request its callback", "[inv:G4][inv:D7][inv:W1]", hard, thread,
    one_at_most, edge<hard>) {
    for (setup const& s : matrix<TestType>()) {
        for (bool const reset : {false, true}) {
            INFO(s.text() << ", reset " << reset);
            deferring<TestType, db::count_budget<1>> m{s};
            m.submit(s.fit(0xFF));
            m.finish(s.fit(0x3F));
            m.deliver();
            if (reset) {
                CHECK(m.core.reset() == db::reset_status::done);
                CHECK(m.resets == (s.slots == 1 ? 0 : 2));
            } else {
                CHECK(m.core.stop() == tags{s.fit(0xC0)});
            }
            CHECK((m.done() & s.fit(0x3F)) == s.fit(0x3F));
            m.end();
        }
    }
}

TEST_CASE("A late request whose completion waits in the bottom half is no timeout", "[inv:G1][inv:X2]") {
    for (setup const& s : matrix<hard>()) {
        machine<hard, default_clock, db::in_bottom_half<db::inline_all>, db::uniform_timeouts<std::uint32_t, 100>> m{s};
        m.core.tick(0U);
        m.submit(1);
        m.finish(1);
        m.deliver();
        auto const found = m.core.expire(1000);
        CHECK((found.ended | found.missed | found.stuck).empty());
        CHECK(m.calls() == 0);
        CHECK_FALSE(m.core.run_bottom_half().again());
        CHECK(m.last[0] == db::outcome::success);
        CHECK(m.calls() == 1);
        m.end();
    }
}
