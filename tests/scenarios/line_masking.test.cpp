// SPDX-License-Identifier: BSL-1.0
// Faults of hand-over where the whole line is masked while the thread works.
#include "harness.hpp"

namespace {

using namespace scenario;

template <class Policy>
using masking = machine<on_its_line<Policy>, default_clock, db::mask_line, db::sole_line>;

/// Whatever happened: the chip's count is even, one mask is held at a time, and nobody wrote the enable register for
/// it.
template <class Machine>
void line_is_free(Machine& m) {
    CHECK(m.line_masks == 0);
    CHECK(m.most_line_masks <= 1);
    CHECK(m.model.peek(at::ie) == m.core.enabled());
}

} // namespace

TEST_CASE("U.A19: a cause that cannot be cleared comes once while its line is masked", "[U.A19][inv:H4]") {
    masking<thread> m{setup{}};
    bool clearable = false;
    m.at_each(kit::access_kind::write, at::is, bench::side::after, [&] {
        if (not clearable) {
            m.model.raise(cause::utrcs);
        }
    });
    m.submit(0x3);
    m.finish(0x3);
    m.deliver();
    CHECK(m.storms == 0);
    CHECK(m.entries == 1);
    CHECK(m.line_masks == 1);
    clearable = true; // the thread cleared it over its slow bus
    m.run_thread();
    m.idle();
    line_is_free(m);
    CHECK(m.done() == 0x3);
    m.end();
}

TEMPLATE_TEST_CASE(
    "U.A20: what finishes while its line is masked is not lost when it is unmasked", "[U.A20][Q.B53][inv:H4][inv:H5]",
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
            line_is_free(m);
            m.end();
            return more;
        });
    }
}

TEMPLATE_TEST_CASE(
    "Q.B41: a thread that is done before the hard handler returns leaves the line unmasked", "[Q.B41][inv:H4]", thread,
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
                line_is_free(m);
                m.end();
                return more;
            });
        }
    }
}

TEMPLATE_TEST_CASE(
    "Q.B42: what ends the core's life, or its threads, ends the mask of its line", "[Q.B42][inv:H4]", thread,
    one_at_most, edge<thread>, edge<one_at_most>) {
    for (setup const& s : wide_matrix<TestType>()) {
        for (unsigned const how : {0U, 1U, 2U, 3U}) { // stop; reset; gate; no threads any more
            INFO(s.text() << ", case " << how);
            masking<TestType> m{s};
            m.submit(0x1F);
            m.finish(0x7);
            m.deliver();
            CHECK(m.line_masks == 1);
            switch (how) {
            case 0:
                CHECK(m.core.stop() == tags{0x18});
                m.start();
                break;
            case 1:
                CHECK(m.core.reset() == db::reset_status::done);
                m.bring_up_again();
                m.start();
                break;
            case 2:
                m.core.gate();
                CHECK(m.line_masks == 0);
                m.woken = m.core.ungate().again() or m.woken;
                break;
            default:
                m.woken = m.core.template threads_unavailable<db::drained_by<&disk::synchronize>>().again();
                break;
            }
            line_is_free(m);
            m.finish(0x18);
            m.idle();
            CHECK(m.done() == 0x1F);
            line_is_free(m);
            m.end();
        }
    }
}
