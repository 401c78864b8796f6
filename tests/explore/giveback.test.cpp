// SPDX-License-Identifier: BSL-1.0
// A core whose callbacks run in a bottom half, in every order of its handler, its bottom half and who wants it to end.
#include "driver.hpp"
#include "explored.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string>

using namespace rig;
using explore::verdict;

namespace {

using lock = explore::explored_irq_spin_lock;

// Who claims a tag writes its item without the lock, and hands it over under it.
constexpr auto handed_over = explore::access_rule::anybody;

template <class Half, class Budget = db::inline_all>
using later = core<lock, Budget, db::in_bottom_half<Half>>;

template <class Core>
explore::report given_back(std::string const& name, bool nested, unsigned resubmissions) {
    return explored(name + (nested ? ", nested" : ", other core"), [&](explore::schedule& s) {
        parts<Core> p{s, 2, false, handed_over};
        unsigned left = resubmissions;
        p.driver.more = [&](unsigned which) {
            if (left != 0) {
                --left;
                explore::require(
                    static_cast<bool>(p.host.submit(db::tag{which})), "a callback can submit its own tag again");
            }
        };
        s.context("submitter", explore::core{0}, [&] {
            explore::require(static_cast<bool>(p.host.submit(typename Core::tags{3U})), "the submission is accepted");
        });
        p.interrupts(nested);
        p.thread();
        p.bottom_half();
        if (s.go()) {
            p.check_end();
        }
    });
}

} // namespace

TEST_CASE("a core that gives back in a bottom half", "[inv:G1][inv:G2][inv:W1]") {
    bool const nested = GENERATE(false, true);
    unsigned const again = 1;
    CHECK(given_back<later<db::inline_all>>("give back later", nested, again).end == verdict::exhausted);
    CHECK(
        given_back<later<db::count_budget<1>>>("give back later, one at a time", nested, again).end ==
        verdict::exhausted);
    CHECK(
        given_back<later<db::inline_all, db::count_budget<1>>>("give back later, with a leftover", nested, 0).end ==
        verdict::exhausted);
}

TEST_CASE("a bottom half against the reset of its core", "[inv:G4][inv:T1][inv:W1]") {
    bool const nested = GENERATE(false, true);
    unsigned const slots = nested or full() ? 2 : 1;
    auto const r = explored(
        "bottom half against reset, " + std::to_string(slots) + " tags" + (nested ? ", nested" : ", other core"),
        [&](explore::schedule& s) {
            using half = later<db::inline_all>;
            parts<half> p{s, slots, true, handed_over};
            s.context("submitter and reset", explore::core{0}, [&] {
                explore::require(
                    static_cast<bool>(p.host.submit(half::tags{slots == 2 ? 3U : 1U})), "the submission is accepted");
                explore::require(p.host.reset() == db::reset_status::done, "the reset is done");
            });
            p.interrupts(nested);
            p.thread();
            p.bottom_half();
            if (s.go()) {
                p.check_end();
            }
        });
    CHECK(r.end == verdict::exhausted);
}
