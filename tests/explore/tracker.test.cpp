// SPDX-License-Identifier: BSL-1.0
// The tracker alone, used without a core: who submits against two who claim, while each tag's device finishes when it
// likes.
#include "explored.hpp"

#include <doorbell/tracking/tracker.hpp>

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstdint>

using namespace rig;
namespace db = doorbell;
using explore::verdict;

namespace {

template <class Lock>
explore::report submit_against_claims(char const* name) {
    return explored(name, [](explore::schedule& s) {
        using tracker = db::tracker<2, Lock>;
        using tags = typename tracker::tags;
        tracker requests{};
        s.watch("tracker", requests, explore::access_rule::behind_lock);
        requests.open(tags::all());
        explore::object const doorbell = s.thing("doorbell");
        std::uint32_t word = 0;
        std::array<unsigned, 2> done{};

        auto const claim = [&] {
            auto const found = requests.claim([&] {
                explore::point("load", doorbell, {doorbell, explore::mode::read});
                return tags{word};
            });
            for (db::tag const each : found.batch) {
                explore::require((word >> each.index & 1U) == 0, "nobody is taken for done whom hardware has");
                ++done[each.index];
                requests.give_back(each);
            }
        };
        s.context("submitter", [&] {
            for (unsigned n = 0; n < 2; ++n) {
                std::uint32_t const bit = 1U << n;
                auto const answer = requests.submit(tags{bit}, [&](tags set) {
                    explore::point("ring", doorbell, {doorbell, explore::mode::write}, bit);
                    word |= set.raw();
                });
                explore::require(static_cast<bool>(answer), "the submission is accepted");
            }
        });
        for (unsigned n = 0; n < 2; ++n) {
            s.service("device", [&, bit = 1U << n] {
                explore::wait_until(
                    "finish", doorbell, {doorbell, explore::mode::write}, [&word, bit] { return (word & bit) != 0; });
                word &= ~bit;
            });
        }
        s.context("interrupt", claim);
        s.context("poller", claim);
        if (s.go()) {
            claim(); // what nobody came by for
            s.check(done[0] == 1 and done[1] == 1, "each request completes once");
            s.check(requests.outstanding().empty(), "nothing is outstanding at the end");
        }
    });
}

} // namespace

TEST_CASE("the tracker alone: submit against two claims", "[inv:T1][inv:T2]") {
    auto const r = submit_against_claims<explore::explored_irq_spin_lock>("tracker, submit against two claims");
    CHECK(r.end == verdict::exhausted);
}

TEST_CASE("the tracker alone fails without its lock", "[inv:T1]") {
    CHECK_FALSE(submit_against_claims<explore::explored_no_lock>("tracker, without a lock").passed());
}
