// SPDX-License-Identifier: BSL-1.0
// Requests that are left to their poller, by policy.
#include "../support/rig.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace support;
using db::tag;
using tags = db::tag_set<32>;

using left_alone = rig<db::inline_all, plain_driver, db::statistics, db::leave_polled>;

} // namespace

TEST_CASE("U.C31: an interrupt leaves a polled request to its poller, who needs no interrupt more", "[U.C31][inv:T8]") {
    left_alone r;
    r.started();
    REQUIRE(r.core.submit(tag{0}));
    REQUIRE(r.core.submit_polled(tag{1}));
    r.hw.finish(0b11);
    CHECK(r.irq().handled());
    CHECK(r.driver.ended[0] == 1);
    CHECK(r.driver.ended[1] == 0);
    CHECK(r.hw.status == 0);
    CHECK(r.core.outstanding() == tags{0b10U});
    static_cast<void>(r.core.on_thread());
    CHECK(r.driver.ended[1] == 0);
    static_cast<void>(r.core.poll());
    CHECK(r.driver.ended[1] == 1);
    CHECK(r.core.outstanding().empty());
}

TEST_CASE("U.C32: a polled request whose poller is gone is completed by whoever looks", "[U.C32][inv:T8]") {
    left_alone r;
    r.started();
    REQUIRE(r.core.submit_polled(tag{1}));
    REQUIRE(r.core.submit_polled(tag{2}));
    r.hw.finish(0b010);
    static_cast<void>(r.irq());
    CHECK(r.driver.ended[1] == 0);
    static_cast<void>(r.core.leave_to_anyone(tags{0b110U}));
    CHECK(r.driver.ended[1] == 1);
    r.hw.finish(0b100);
    static_cast<void>(r.irq());
    CHECK(r.driver.ended[2] == 1);
}

TEST_CASE("A tag that was polled once is an ordinary one in its next life", "[inv:T8]") {
    left_alone r;
    r.started();
    REQUIRE(r.core.submit_polled(tag{3}));
    r.hw.finish(0b1000);
    static_cast<void>(r.core.poll());
    REQUIRE(r.core.submit(tag{3}));
    r.hw.finish(0b1000);
    static_cast<void>(r.irq());
    CHECK(r.driver.ended[3] == 2);
}

TEST_CASE("Under the default whoever looks first completes a request", "[inv:T8]") {
    rig<db::inline_all, plain_driver, db::statistics> r;
    r.started();
    REQUIRE(r.core.submit(tag{0}));
    r.hw.finish(0b1);
    static_cast<void>(r.core.poll());
    CHECK(r.driver.ended[0] == 1);
}

TEST_CASE("Stop completes polled requests that have finished", "[inv:T8][inv:D7]") {
    left_alone r;
    r.started();
    REQUIRE(r.core.submit_polled(tag{1}));
    r.hw.finish(0b10);
    CHECK(r.core.stop().empty());
    CHECK(r.driver.ended[1] == 1);
}
