// SPDX-License-Identifier: BSL-1.0
#include "driver.hpp"
#include "explored.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <concepts>
#include <string>

using namespace rig;
using explore::verdict;

namespace {

using lock = explore::explored_irq_spin_lock;

template <class Core>
constexpr bool has_owner = false;
template <class... Parts>
constexpr bool has_owner<db::host<Parts...>> =
    ((std::same_as<Parts, db::mask_cause> or std::same_as<Parts, db::mask_line>) or ...);

// A budget of one leaves something over whenever two finish together; the thread and the handler then share the source.
template <class Core>
explore::report hand_off(std::string const& name, bool nested, bool edge, unsigned slots = full() ? 3 : 2) {
    return explored(name + (nested ? ", nested" : ", other core"), [&](explore::schedule& s) {
        parts<Core> p{s, slots};
        p.hardware.edge = edge;
        p.driver.one_owner = has_owner<Core>;
        s.context("submitter", explore::core{0}, [&] {
            explore::require(static_cast<bool>(p.host.submit(typename Core::tags{3U})), "the submission is accepted");
            if (slots > 2) {
                explore::require(static_cast<bool>(p.host.submit(db::tag{2})), "the submission is accepted");
            }
        });
        p.interrupts(nested);
        p.thread();
        if (s.go()) {
            p.check_end();
            s.check(p.hardware.enabled == p.host.enabled(), "what was masked is unmasked at the end");
        }
    });
}

} // namespace

TEST_CASE("hand-off with the cause masked", "[inv:H4][inv:H5]") {
    bool const nested = GENERATE(false, true);
    CHECK(
        hand_off<core<lock, db::count_budget<1>, db::mask_cause>>("cause masked, level", nested, false).end ==
        verdict::exhausted);
    CHECK(
        hand_off<core<lock, db::deferred_all, db::mask_cause>>("cause masked, all deferred, level", nested, false)
            .end == verdict::exhausted);
    CHECK(
        hand_off<core<lock, db::count_budget<1>, db::mask_cause, db::edge_line<2>>>("cause masked, edge", nested, true)
            .end == verdict::exhausted);
}

TEST_CASE("hand-off with the line masked", "[inv:H4][inv:H5]") {
    bool const nested = GENERATE(false, true);
    CHECK(
        hand_off<core<lock, db::count_budget<1>, db::mask_line, db::sole_line>>("line masked, level", nested, false)
            .end == verdict::exhausted);
    CHECK(
        hand_off<core<lock, db::count_budget<1>, db::mask_line, db::sole_line, db::edge_line<2>>>(
            "line masked, edge", nested, true)
            .end == verdict::exhausted);
}

TEST_CASE("hand-off with nothing masked on an edge line", "[inv:H1][inv:H2][inv:D7]") {
    bool const nested = GENERATE(false, true);
    CHECK(
        hand_off<core<lock, db::count_budget<1>, db::edge_line<2>>>("unmasked, edge", nested, true).end ==
        verdict::exhausted);
    CHECK(
        hand_off<core<lock, db::deferred_all, db::edge_line<2>>>("all deferred, edge", nested, true).end ==
        verdict::exhausted);
}

TEST_CASE("the optimistic order with a poller and an error cause", "[inv:D1a]") {
    bool const nested = GENERATE(false, true);
    using daring =
        core<lock, db::inline_all, db::optimistic<2>, db::handlers<db::deferred<db::ufshci::errors, &disk::deferred>>>;
    auto const scenario = [&](explore::schedule& s) {
        parts<daring> p{s, 2};
        s.context("poller", explore::core{0}, [&] {
            explore::require(static_cast<bool>(p.host.submit(daring::tags{3U})), "the submission is accepted");
            (void)p.host.poll();
        });
        if (full()) {
            p.hardware.raise(s, db::ufs::cause::dfes);
        } else {
            p.hardware.with_tag_1 = db::ufs::cause::dfes;
        }
        p.interrupts(nested);
        p.thread();
        if (s.go()) {
            p.check_end();
            s.check(p.driver.deferred_seen == db::ufs::cause::dfes, "the error is delivered");
        }
    };
    auto const r =
        explored(std::string{"optimistic, poller, error"} + (nested ? ", nested" : ", other core"), scenario);
    CHECK(r.end == verdict::exhausted);
}
