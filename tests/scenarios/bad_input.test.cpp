// SPDX-License-Identifier: BSL-1.0
// What a caller does wrong has an answer of its own and no other effect.
#include "harness.hpp"

namespace {

using namespace scenario;
using db::abort_status;
using db::submit_status;

using limit = db::deadline<std::uint32_t>;

/// Everything that somebody could see of a core, and of its hardware.
struct seen {
    tags outstanding, leftover, quarantined;
    std::uint32_t enabled, ie, doorbells;
    unsigned calls;

    friend bool operator==(seen const&, seen const&) = default;
};

template <class Machine>
seen look(Machine& m) {
    return {m.core.outstanding(), m.core.leftover(), m.core.quarantined(), m.core.enabled(), m.model.peek(at::ie),
            m.doorbells(),        m.calls()};
}

/// One misuse: what is called, and what it answers, as a number.
template <class Machine>
struct misuse {
    char const* what;
    std::function<unsigned(Machine&)> call;
    unsigned answer;
};

template <class Enum>
unsigned number(Enum e) {
    return static_cast<unsigned>(e);
}

/// Calls each in turn: each answers as the table says, touches no register and changes nothing.
template <class Machine>
void none_has_an_effect(Machine& m, std::vector<misuse<Machine>> const& table) {
    for (auto const& each : table) {
        INFO(each.what);
        seen const before = look(m);
        m.model.clear_counts();
        CHECK(each.call(m) == each.answer);
        CHECK(m.model.reads() + m.model.writes() == 0);
        CHECK(look(m) == before);
    }
}

template <class Machine>
std::vector<misuse<Machine>> when_not_running(submit_status why, db::ticket const& ticket) {
    return {
        {"submit one", [](auto& m) { return number(m.core.submit(db::tag{1}).status()); }, number(why)},
        {"submit a set", [](auto& m) { return number(m.core.submit(tags{0x30}).status()); }, number(why)},
        {"submit nothing", [](auto& m) { return number(m.core.submit(tags{}).status()); }, number(why)},
        {"submit a reserved tag", [](auto& m) { return number(m.core.submit_reserved(db::tag{1}).status()); },
         number(why)},
        {"an interrupt", [](auto& m) { return number(m.core.on_hard_irq() == db::irq_result::none); }, 1},
        {"a thread run", [](auto& m) { return number(m.core.on_thread() == db::thread_result::idle); }, 1},
        {"a poll", [](auto& m) { return number(m.core.poll() == db::thread_result::idle); }, 1},
        {"abort", [ticket](auto& m) { return number(m.core.abort(ticket)); }, number(abort_status::not_running)},
        {"abort all", [](auto& m) { return m.core.abort_all().raw(); }, 0},
        {"expire", [](auto& m) { return m.core.expire_tags(tags::all()).raw(); }, 0},
        {"recover", [](auto& m) { return number(m.core.recover(db::tag{2})); }, number(abort_status::not_running)},
        {"recover nobody's", [](auto& m) { return number(m.core.recover(db::tag{32})); }, number(abort_status::stale)},
        {"enable", [](auto& m) { return number(m.core.enable(cause::utmrcs) == db::thread_result::idle); }, 1},
        {"disable", [](auto& m) { return m.core.disable(cause::utrcs), 0U; }, 0},
        {"resync", [](auto& m) { return number(m.core.resync() == db::thread_result::idle); }, 1},
        {"wait", [](auto& m) { return number(m.core.wait(limit::after(0, 9), [] { return false; })); },
         number(db::wait_status::error)},
    };
}

/// The same, for a core that was never opened or has been closed.
template <class Machine>
std::vector<misuse<Machine>> when_stopped(submit_status why, db::ticket const& ticket) {
    auto table = when_not_running<Machine>(why, ticket);
    table.push_back({"gate", [](auto& m) { return m.core.gate(), 0U; }, 0});
    table.push_back({"ungate", [](auto& m) { return number(m.core.ungate() == db::thread_result::idle); }, 1});
    table.push_back({"unblock", [](auto& m) { return m.core.unblock(), 0U; }, 0});
    return table;
}

template <class Machine>
std::vector<misuse<Machine>> while_gated() {
    return {
        {"start", [](auto& m) { return number(m.core.start().status()); }, number(db::start_status::already_started)},
        {"gate again", [](auto& m) { return m.core.gate(), 0U; }, 0}};
}

template <class Machine>
std::vector<misuse<Machine>> on_a_running_core(db::ticket const& old, db::ticket const& now) {
    return {
        {"busy", [](auto& m) { return number(m.core.submit(db::tag{2}).status()); }, number(submit_status::busy)},
        {"busy in a set", [](auto& m) { return number(m.core.submit(tags{0x14}).status()); },
         number(submit_status::busy)},
        {"withheld", [](auto& m) { return number(m.core.submit(db::tag{3}).status()); }, number(submit_status::busy)},
        {"beyond the slots", [](auto& m) { return number(m.core.submit(db::tag{16}).status()); },
         number(submit_status::out_of_range)},
        {"beyond them in a set", [](auto& m) { return number(m.core.submit(tags{0x1'0010}).status()); },
         number(submit_status::out_of_range)},
        {"beyond the word", [](auto& m) { return number(m.core.submit(db::tag{32}).status()); },
         number(submit_status::out_of_range)},
        {"beyond everything", [](auto& m) { return number(m.core.submit(db::tag{~0U}).status()); },
         number(submit_status::out_of_range)},
        {"not reserved", [](auto& m) { return number(m.core.submit_reserved(db::tag{4}).status()); },
         number(submit_status::out_of_range)},
        {"reserved beyond", [](auto& m) { return number(m.core.submit_reserved(db::tag{99}).status()); },
         number(submit_status::out_of_range)},
        {"abort of an older use", [old](auto& m) { return number(m.core.abort(old)); }, number(abort_status::stale)},
        {"abort of a free tag", [](auto& m) { return number(m.core.abort({db::tag{7}, 0})); },
         number(abort_status::stale)},
        {"abort beyond the word", [now](auto& m) { return number(m.core.abort({db::tag{32}, now.generation})); },
         number(abort_status::stale)},
        {"abort beyond everything", [now](auto& m) { return number(m.core.abort({db::tag{~0U}, now.generation})); },
         number(abort_status::stale)},
        {"recover what runs", [](auto& m) { return number(m.core.recover(db::tag{2})); }, number(abort_status::stale)},
        {"recover a free tag", [](auto& m) { return number(m.core.recover(db::tag{7})); }, number(abort_status::stale)},
        {"recover beyond", [](auto& m) { return number(m.core.recover(db::tag{32})); }, number(abort_status::stale)},
        {"start of a core that runs", [](auto& m) { return number(m.core.start().status()); },
         number(db::start_status::already_started)},
        {"ungate of one that is not gated", [](auto& m) { return number(m.core.ungate() == db::thread_result::idle); },
         1},
        {"unblock of one that is not blocked", [](auto& m) { return m.core.unblock(), 0U; }, 0}};
}

} // namespace

TEMPLATE_TEST_CASE(
    "Before start, and after stop, each verb says so and touches nothing", "[inv:D7]", thread, edge<two_at_most>) {
    for (setup const& s : wide_matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s.knobs()};
        none_has_an_effect(m, when_stopped<machine<TestType>>(submit_status::not_started, {db::tag{1}, 12}));
        m.start();
        m.submit(0x4);
        db::ticket const one = m.submit_one(1);
        CHECK(m.core.stop() == tags{0x6});
        none_has_an_effect(m, when_stopped<machine<TestType>>(submit_status::not_started, one));
        m.model.clear_counts();
        CHECK(m.core.stop() == tags{0x6}); // again: the same answer
        CHECK(m.model.reads() + m.model.writes() == 0);
        m.start();
        m.finish(0x6);
        m.idle();
        CHECK(m.calls() == 2);
        m.end();
    }
}

TEMPLATE_TEST_CASE("While gated each verb says so and touches nothing", "[inv:P1]", thread, edge<two_at_most>) {
    for (setup const& s : wide_matrix<TestType>()) {
        INFO(s.text());
        machine<TestType> m{s};
        db::ticket const one = m.submit_one(1);
        m.core.gate();
        none_has_an_effect(m, when_not_running<machine<TestType>>(submit_status::gated, one));
        none_has_an_effect(m, while_gated<machine<TestType>>());
        CHECK(m.core.ungate() == db::thread_result::idle);
        m.finish(0x2);
        m.idle();
        CHECK(m.calls() == 1);
        m.end();
    }
}

TEMPLATE_TEST_CASE(
    "A tag that is busy or does not exist, and a ticket of nobody, change nothing", "[inv:T2]", thread,
    edge<two_at_most>) {
    for (setup const& s : wide_matrix<TestType>()) {
        INFO(s.text());
        using machine_type = machine<TestType>;
        kit::ufshci_knobs k = s.knobs();
        k.nutrs = 16;
        machine_type m{k};
        m.start();
        m.submit(0xC);
        db::ticket const old = m.submit_one(1);
        m.finish(0x2);
        m.idle();
        db::ticket const now = m.submit_one(1);
        CHECK(m.core.expire_tags(tags{0x8}) == tags{0x8});
        none_has_an_effect(m, on_a_running_core<machine_type>(old, now));
        CHECK(m.core.recover(db::tag{3}) == abort_status::aborted);
        m.finish(0x6);
        m.idle();
        m.end();
    }
}

namespace {

/// What a callback may ask for, though it is not its to ask. Each answers; nobody is called twice or forgotten.
template <class Machine>
std::vector<misuse<Machine>> from_a_callback(db::ticket const& other) {
    return {
        {"submit its own tag", [](auto& m) { return number(m.core.submit(db::tag{0}).status()); },
         number(submit_status::accepted)},
        {"submit a tag of the same batch", [](auto& m) { return number(m.core.submit(db::tag{1}).status()); },
         number(submit_status::busy)},
        {"submit one that runs", [](auto& m) { return number(m.core.submit(db::tag{8}).status()); },
         number(submit_status::busy)},
        {"abort one of the same batch", [other](auto& m) { return number(m.core.abort(other)); },
         number(abort_status::already_done)},
        {"poll", [](auto& m) { return number(m.core.poll().again()); }, 0},
        {"start", [](auto& m) { return number(m.core.start().status()); }, number(db::start_status::already_started)},
        {"block and unblock", [](auto& m) { return m.core.block(), m.core.unblock(), 0U; }, 0},
        {"expire the same batch", [](auto& m) { return m.core.expire_tags(tags{0x7}).raw(); }, 0},
        {"stop", [](auto& m) { return m.core.stop().raw(); }, 0x100},
        {"reset", [](auto& m) { return number(m.core.reset()); }, number(db::reset_status::done)},
        {"gate", [](auto& m) { return m.core.gate(), number(m.core.submit(db::tag{9}).status()); },
         number(submit_status::gated)},
        {"drain", [](auto& m) { return number(m.core.drain(limit::after(0, 0))); }, number(db::wait_status::timed_out)},
    };
}

} // namespace

TEMPLATE_TEST_CASE(
    "From inside a callback, in the hard handler or in a thread, each verb answers, and each request ends once",
    "[inv:T2][inv:T3][inv:D7]", (machine<thread>), (machine<edge<two_at_most>, default_clock, db::mask_cause>),
    (machine<hard, default_clock, db::optimistic<1>>)) {
    std::size_t const rows = from_a_callback<TestType>({}).size();
    for (std::size_t row = 0; row < rows; ++row) {
        kit::ufshci_knobs k{};
        k.line = TestType::signal::level ? line_kind::level : line_kind::edge;
        TestType m{k};
        m.start();
        auto const rung = m.core.submit(tags{0x107});
        REQUIRE(rung);
        auto const each = from_a_callback<TestType>(rung.ticket_for(db::tag{2}))[row];
        INFO(each.what);
        bool asked = false;
        unsigned accesses = 0;
        m.on_callback = [&](unsigned, db::outcome) {
            if (not std::exchange(asked, true)) {
                m.model.clear_counts();
                CHECK(each.call(m) == each.answer);
                accesses = static_cast<unsigned>(m.model.reads() + m.model.writes());
            }
        };
        m.finish(0x7);
        (void)m.model.take_pulse();
        (void)m.interrupt();
        bool const inert = m.core.enabled() == 0;
        m.run_thread_anyway();
        CHECK(asked);
        CHECK(m.doubled == 0);
        CHECK(m.called[1] == 1);
        CHECK(m.called[2] == 1);
        CHECK(m.last[1] == db::outcome::success);
        CHECK(m.last[2] == db::outcome::success); // what the run had claimed ends as what it was
        if (inert) {
            CHECK(m.model.reads() + m.model.writes() == accesses); // the run touches nothing any more
        }
        m.on_callback = nullptr;
        (void)m.core.ungate();
        if (m.model.peek(at::hce) == 0) {
            m.bring_up_again();
        }
        (void)m.core.start();
        m.finish(m.doorbells());
        m.idle();
        m.end();
    }
}
