// SPDX-License-Identifier: BSL-1.0
// Faults of budgeted loops and of time that wraps.
#include "harness.hpp"

#include <doorbell/time/deadline.hpp>

#include <limits>

namespace {

using namespace scenario;

using budget_20us = db::time_budget<20'000>;
using every_4th = db::time_budget<20'000, db::every<4>>;
using time_or_count = db::first_of<db::count_budget<16>, budget_20us>;

/// Interrupts and thread in turn, and says how many callbacks the longest entry of the hard handler made.
template <class Machine>
unsigned longest_entry(Machine& m) {
    unsigned longest = 0;
    while (true) {
        unsigned const before = m.called_in_hard;
        bool const asked = m.model.line();
        if (asked) {
            (void)m.interrupt();
        }
        unsigned const made = m.called_in_hard - before;
        longest = longest < made ? made : longest;
        if (not asked and not m.woken) {
            return longest;
        }
        m.run_thread();
    }
}

} // namespace

TEST_CASE("U.B1: 20 us of 15 us callbacks are two callbacks, not 66, and the thread does the rest", "[U.B1][inv:B1]") {
    for (setup const& s : wide_matrix<budget_20us>()) {
        INFO(s.text());
        machine<budget_20us, kit::manual_clock<std::uint32_t, 1'000>> m{s};
        m.callback_cost = 15;
        m.submit(~0U);
        m.finish(~0U);
        m.deliver();
        CHECK(m.called_in_hard == 2);
        m.run_thread();
        CHECK(m.calls() == 32);
        CHECK(m.called_in_hard == 2);
        m.end();
    }
}

TEST_CASE(
    "U.B1: the limit holds for every clock that is fine enough, with an overshoot of at most one callback",
    "[U.B1][inv:B1][inv:B2]") {
    auto const run = [](auto& m, std::uint32_t tick_ns) {
        m.callback_cost = 1 + 1'000 / tick_ns; // a microsecond and a bit
        m.submit(~0U);
        m.finish(~0U);
        auto const begin = m.time.peek();
        m.deliver();
        auto const spent = static_cast<std::uint64_t>(static_cast<std::uint32_t>(m.time.peek() - begin)) * tick_ns;
        CHECK(spent <= 20'000 + std::uint64_t{m.callback_cost} * tick_ns);
        CHECK(m.called_in_hard >= 1);
        m.run_thread();
        CHECK(m.calls() == 32);
        m.end();
    };
    machine<budget_20us, kit::manual_clock<std::uint32_t, 1>> a{setup{}};
    run(a, 1);
    machine<budget_20us, kit::manual_clock<std::uint64_t, 41>> b{setup{}};
    run(b, 41);
    machine<budget_20us, kit::manual_clock<std::uint32_t, 15'000>> c{setup{}};
    run(c, 15'000);
    machine<budget_20us, kit::manual_clock<std::uint32_t, 20'000>> d{setup{}};
    run(d, 20'000);
}

TEST_CASE("U.B1: a clock that turns out too coarse at run time keeps the core inert", "[U.B1][Q.B60][inv:B2]") {
    for (std::uint64_t const hz : {0U, 1U, 100U, 1'000U, 49'999U}) {
        INFO(hz << " Hz");
        machine<budget_20us, kit::measured_manual_clock<std::uint32_t>> m{setup{}.knobs(), hz};
        m.model.clear_counts();
        CHECK(m.core.start() == db::start_status::clock_too_coarse);
        CHECK(m.core.start(tags::all(), cause::utrcs) == db::start_status::clock_too_coarse);
        CHECK(m.model.writes() == 0);
        CHECK(m.core.submit(db::tag{0}).status() == db::submit_status::not_started);
        CHECK(m.interrupt() == db::irq_result::none);
        m.end();
    }
    for (std::uint64_t const hz : {50'000U, 1'000'000U, 24'000'000U, 1'000'000'000U}) {
        INFO(hz << " Hz");
        machine<budget_20us, kit::measured_manual_clock<std::uint32_t>> m{setup{}.knobs(), hz};
        m.start();
        m.callback_cost = static_cast<std::uint32_t>(hz / 66'667); // 15 us or the nearest below
        m.submit(~0U);
        m.finish(~0U);
        m.deliver();
        CHECK(m.called_in_hard == (hz == 50'000 ? 32 : 2)); // there 15 us are less than a tick: it stands still
        m.idle();
        CHECK(m.calls() == 32);
        m.end();
    }
}

TEST_CASE("U.B2: a deadline that comes out as 0 is a deadline", "[U.B2][inv:B3]") {
    for (std::uint32_t const cost : {1U, 5U, 7U, 10U, 19U, 20U, 21U}) {
        INFO("cost " << cost);
        machine<db::time_budget<20>> m{setup{}};
        m.time.set(0U - 20U);
        m.callback_cost = cost;
        m.submit(~0U);
        m.finish(~0U);
        m.deliver();
        CHECK(m.called_in_hard == (20 + cost - 1) / cost);
        m.idle();
        CHECK(m.calls() == 32);
        m.end();
    }
}

TEST_CASE("U.B1: a clock known to be too coarse makes no core", "[U.B1][Q.B60][inv:B2]") {
    // The sentence is in tests/compile_fail/clock_coarser_than_the_budget.cpp; here where the limit lies.
    STATIC_REQUIRE_FALSE(db::budget_fits<budget_20us, kit::manual_clock<std::uint32_t, 1'000'000>>); // a tick of 1 ms
    STATIC_REQUIRE_FALSE(db::budget_fits<budget_20us, kit::manual_clock<std::uint32_t, 20'001>>);
    STATIC_REQUIRE(db::budget_fits<budget_20us, kit::manual_clock<std::uint32_t, 20'000>>);
    STATIC_REQUIRE_FALSE(db::budget_fits<time_or_count, kit::manual_clock<std::uint64_t, 1'000'000>>);
    STATIC_REQUIRE_FALSE(db::budget_fits<every_4th, kit::manual_clock<std::uint16_t, 1'000'000>>);
    STATIC_REQUIRE(db::budget_fits<db::count_budget<16>, kit::manual_clock<std::uint32_t, 1'000'000>>);
}

TEST_CASE("U.B2: a deadline of 0 limits, no limit is a type of its own", "[U.B2][Q.B35][inv:B3]") {
    auto const zero = db::deadline<std::uint32_t>::after(0U - 20U, 20);
    STATIC_REQUIRE(db::deadline<std::uint32_t>::after(0U - 20U, 20).value() == 0);
    CHECK_FALSE(zero.expired(0U - 20U));
    CHECK_FALSE(zero.expired(0U - 1U));
    CHECK(zero.expired(0));
    CHECK(zero.expired(1));
    STATIC_REQUIRE_FALSE(db::unlimited::expired(std::uint32_t{0}));
    STATIC_REQUIRE_FALSE(std::is_convertible_v<int, db::deadline<std::uint32_t>>);

    machine<hard> m{setup{}};
    m.callback_cost = 0x1000'0000;
    m.submit(~0U);
    m.finish(~0U);
    m.deliver();
    CHECK(m.called_in_hard == 32);
    CHECK(m.time.reads() == 0);
    m.end();
}

TEMPLATE_TEST_CASE(
    "U.B3: the limit is the same on both sides of the wrap, and across it", "[U.B3][inv:B3]", std::uint16_t,
    std::uint32_t, std::uint64_t) {
    using rep = TestType;
    rep const top = std::numeric_limits<rep>::max();
    rep const half = static_cast<rep>(top / 2);
    for (rep const base : {rep{0}, half, top}) {
        for (int offset = -40; offset <= 40; ++offset) {
            auto const now = static_cast<rep>(base + static_cast<rep>(offset));
            INFO("now " << now);
            machine<db::time_budget<0x20>, kit::manual_clock<rep, 1>> m{setup{}};
            m.time.set(now);
            m.callback_cost = 8;
            m.submit(~0U);
            m.finish(~0U);
            m.deliver();
            CHECK(m.called_in_hard == 4);
            m.idle();
            m.end();
        }
    }
}

TEST_CASE("U.B3: the row itself: now 0xFFFFFFF0, budget 0x20, work of 8 ticks: four items", "[U.B3][inv:B3]") {
    for (setup const& s : wide_matrix<hard>()) {
        machine<db::time_budget<0x20>> m{s};
        m.time.set(0xFFFF'FFF0);
        m.callback_cost = 8;
        m.submit(~0U);
        m.finish(~0U);
        m.deliver();
        CHECK(m.called_in_hard == 4);
        CHECK(m.time.peek() == 0x10);
        m.end();
    }
}

TEST_CASE("U.B3: a clock that steps back a little or stands still ends nothing and blocks nothing", "[U.B3][inv:B3]") {
    machine<db::time_budget<1'000>> back{setup{}};
    back.time.set(3);
    back.on_callback = [&](unsigned slot, db::outcome) {
        if (slot == 0) {
            back.time.step_back(10); // over the wrap
        }
    };
    back.submit(~0U);
    back.finish(~0U);
    back.deliver();
    CHECK(back.called_in_hard == 32);
    back.end();

    machine<db::first_of<db::time_budget<1'000>, db::count_budget<5>>> frozen{setup{}};
    frozen.submit(~0U);
    frozen.finish(~0U);
    frozen.deliver();
    CHECK(frozen.called_in_hard == 5);
    CHECK(frozen.woken);
    frozen.end();
}

TEMPLATE_TEST_CASE(
    "U.B6: callbacks that cause the next completion do not keep the hard handler", "[U.B6][inv:H6]", hard, budget_20us,
    two_at_most, every_4th, time_or_count, edge<hard>, edge<two_at_most>) {
    for (setup const& s : matrix<TestType>()) {
        for (std::uint32_t const set : {0x1U, 0x7U, ~0U}) {
            INFO(s.text());
            machine<TestType> m{s};
            std::uint32_t const row = s.fit(set);
            unsigned more = 500;
            m.callback_cost = 1'000;
            m.on_callback = [&](unsigned slot, db::outcome) {
                if (more != 0) {
                    --more;
                    CHECK(m.core.submit(db::tag{slot}));
                    m.finish(1U << slot);
                }
            };
            m.submit(row);
            m.finish(row);
            unsigned largest = 0;
            while (true) {
                unsigned const before = m.calls();
                (void)m.interrupt();
                unsigned const made = m.calls() - before;
                if (made == 0) {
                    break;
                }
                largest = largest < made ? made : largest;
                m.run_thread();
            }
            CHECK(largest <= tags{row}.size());
            m.idle();
            CHECK(m.calls() == 500 + tags{row}.size());
            m.end();
        }
    }
}

TEMPLATE_TEST_CASE(
    "U.B6: nor the thread: it returns after its snapshot", "[U.B6][Q.B49][inv:H6]", thread, two_at_most,
    edge<two_at_most>) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        std::uint32_t const row = s.fit(~0U);
        bool resubmit = true;
        m.on_callback = [&](unsigned slot, db::outcome) {
            if (resubmit) {
                CHECK(m.core.submit(db::tag{slot}));
                m.finish(1U << slot);
            }
        };
        m.submit(row);
        m.finish(row);
        for (unsigned run = 0; run < 20; ++run) {
            unsigned const before = m.calls();
            (void)m.core.on_thread();
            CHECK(m.calls() - before <= tags{row}.size());
        }
        resubmit = false;
        m.idle();
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.B8: a full mask whose callbacks refill it completes each tag at most once in a snapshot", "[U.B8][inv:H6]", hard,
    two_at_most, time_or_count, thread, edge<hard>, edge<two_at_most>) {
    for (setup const& s : wide_matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        unsigned more = 320;
        std::uint32_t seen = 0;
        m.on_callback = [&](unsigned slot, db::outcome) {
            CHECK((seen & (1U << slot)) == 0);
            seen |= 1U << slot;
            if (more != 0) {
                --more;
                CHECK(m.core.submit(db::tag{slot}));
                m.finish(1U << slot);
            }
        };
        m.submit(~0U);
        m.finish(~0U);
        for (unsigned run = 0; run < 1'000 and m.calls() < 352; ++run) {
            seen = 0;
            if (run % 2 == 0) {
                (void)m.interrupt();
            } else {
                (void)m.core.on_thread();
            }
        }
        CHECK(m.calls() == 352);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "U.B10: a budget that is used up at entry still completes one request per entry", "[U.B10][inv:B1]",
    db::time_budget<1>, db::count_budget<1>, time_or_count) {
    for (setup const& s : matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        m.callback_cost = 1'000'000;
        m.submit(1);
        m.finish(1);
        m.deliver();
        CHECK(m.called_in_hard == 1);
        CHECK_FALSE(m.woken);

        std::uint32_t const row = s.fit(0xF);
        unsigned const before = m.calls();
        m.submit(row);
        m.finish(row);
        m.deliver();
        CHECK(m.calls() == before + 1);
        CHECK(m.woken == (row != 1)); // then hand over
        m.idle();
        m.end();
    }
}

TEST_CASE("U.B10: a batch of one reads no clock", "[U.B10][inv:B1]") {
    machine<budget_20us> m{setup{}};
    m.submit(1);
    m.finish(1);
    m.deliver();
    CHECK(m.calls() == 1);
    CHECK(m.time.reads() == 0);
    m.end();
}

TEMPLATE_TEST_CASE(
    "U.B12: the highest slot is a slot like any other", "[U.B12]", hard, thread, two_at_most, budget_20us, edge<hard>,
    edge<two_at_most>) {
    for (setup const& s : wide_matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        for (std::uint32_t const set : {0x8000'0000U, 0x8000'0001U, ~0U, 0xC000'0000U}) {
            m.submit(set);
            CHECK(m.core.outstanding() == tags{set});
            m.finish(set);
            m.idle();
        }
        CHECK(m.called[31] == 4);
        m.end();
    }
}

TEST_CASE(
    "U.B12: a host with fewer slots refuses those it does not have, and rings nothing", "[U.B12][U.C33][inv:T6]") {
    for (unsigned const slots : {1U, 2U, 7U, 31U, 32U}) {
        machine<hard> m{setup{.slots = slots}};
        CHECK(m.core.submit(db::tag{slots - 1}));
        CHECK(m.core.submit(db::tag{slots}).status() == db::submit_status::out_of_range);
        CHECK(m.core.submit(db::tag{32}).status() == db::submit_status::out_of_range);
        CHECK(m.core.submit(db::tag{33}).status() == db::submit_status::out_of_range);
        CHECK(m.core.submit(db::tag{~0U}).status() == db::submit_status::out_of_range);
        if (slots != 32) {
            CHECK(m.core.submit(tags{1U | 1U << slots}).status() == db::submit_status::out_of_range); // all of it
        }
        CHECK(m.core.observer().counts().fault.refused == (slots != 32 ? 5U : 4U));
        CHECK(m.model.writes(at::utrldbr) == 1);
        m.finish(1U << (slots - 1));
        m.idle();
        CHECK(m.done() == 1U << (slots - 1));
        m.end();
    }
}

TEST_CASE("U.A10: a device that always finishes one more does not keep the hard handler", "[U.A10][inv:B1]") {
    for (auto const line : {line_kind::level}) { // an edge line is bounded by its pulses
        machine<time_or_count> m{setup{.line = line}};
        m.callback_cost = 3'000;
        unsigned more = 2'000;
        m.on_callback = [&](unsigned slot, db::outcome) {
            if (more != 0) {
                --more;
                unsigned const next = (slot + 1) % 32;
                if (m.issued[next] == m.called[next] and m.core.submit(db::tag{next})) {
                    m.finish(1U << next);
                }
                if (m.core.submit(db::tag{slot})) {
                    m.finish(1U << slot);
                }
            }
        };
        m.submit(1);
        m.finish(1);
        CHECK(longest_entry(m) <= 7); // 20 us of 3 us
        m.end();
    }
}

TEST_CASE("Q.B35: a deadline at 0 expires at 0, once passed it stays passed for half the range", "[Q.B35][inv:B3]") {
    auto const d = db::deadline<std::uint32_t>::after(0U - 10U, 10);
    unsigned times = 0;
    bool before = false;
    for (std::uint32_t now = 0U - 10U; now != 100; ++now) {
        bool const passed = d.expired(now);
        CHECK(passed == (static_cast<std::int32_t>(now) >= 0));
        times += passed and not before ? 1U : 0U;
        before = passed;
    }
    CHECK(times == 1);
}

TEST_CASE("Q.B36: no early expiry at the wrap", "[Q.B36][inv:B3]") {
    auto const d = db::deadline<std::uint32_t>::after(0xFFFF'FFF0, 100);
    CHECK_FALSE(d.expired(0xFFFF'FFFF));
    CHECK_FALSE(d.expired(0));
    CHECK_FALSE(d.expired(0x53));
    CHECK(d.expired(0x54));
    CHECK(d.remaining(0) == 0x54);
    CHECK(d.remaining(0x60) == 0);

    auto const small = db::deadline<std::uint16_t>::after(0xFFF0, 100); // integers promote: the classic trap
    CHECK_FALSE(small.expired(0xFFFF));
    CHECK_FALSE(small.expired(0));
    CHECK_FALSE(small.expired(0x53));
    CHECK(small.expired(0x54));

    auto const large = db::deadline<std::uint64_t>::after(~std::uint64_t{0} - 15, 100);
    CHECK_FALSE(large.expired(~std::uint64_t{0}));
    CHECK_FALSE(large.expired(0));
    CHECK(large.expired(0x54));
}

TEST_CASE("Q.B37: waiting across the wrap takes as long as it takes", "[Q.B37][inv:B3]") {
    auto const d = db::deadline<std::uint32_t>::after(0xFFFF'FFF0, 5'000);
    std::uint32_t waited = 0;
    while (not d.expired(0xFFFF'FFF0 + waited)) {
        ++waited;
    }
    CHECK(waited == 5'000);

    auto const small = db::deadline<std::uint16_t>::after(0xFFF0, 5'000);
    waited = 0;
    while (not small.expired(static_cast<std::uint16_t>(0xFFF0 + waited))) {
        ++waited;
    }
    CHECK(waited == 5'000);
}
