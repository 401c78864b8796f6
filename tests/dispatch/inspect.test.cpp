// SPDX-License-Identifier: BSL-1.0
#include "../support/rig.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace support;
using tags = db::tag_set<32>;

} // namespace

TEST_CASE("Asking what is held takes one section of the lock and touches no register", "[inv:H1]") {
    rig<db::count_budget<1>> r;
    r.started();
    r.in_flight(0b111);
    r.hw.finish(0b011);
    static_cast<void>(r.irq());
    static_cast<void>(r.log.take());
    CHECK(r.core.outstanding() == tags{0b100U});
    CHECK(r.core.leftover() == tags{0b010U});
    CHECK(r.core.quarantined().empty());
    CHECK(r.log.take({"read", "write"}).empty());
    static_cast<void>(r.core.on_thread());
    CHECK(r.core.leftover().empty());
}
