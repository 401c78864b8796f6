// SPDX-License-Identifier: BSL-1.0
#include <catch2/catch_test_macros.hpp>
#include <doorbell/testing/interrupt_chip/gic.hpp>

using doorbell::testing::gic;

TEST_CASE("GIC: a level input comes again after its end as long as its wire is high [inv:H4]", "[inv:H4]") {
    gic chip;
    CHECK(chip.claim() == gic::none);
    chip.wire(3, true);
    CHECK(chip.claim() == 3);
    CHECK_FALSE(chip.deliverable()); // active
    chip.end(3);
    CHECK(chip.claim() == 3);
    chip.wire(3, false);
    chip.end(3);
    CHECK_FALSE(chip.deliverable());
}

TEST_CASE(
    "GIC: a mask before the end of interrupt is effective, and the level is seen after the unmask [inv:H4]",
    "[inv:H4]") {
    gic chip;
    chip.wire(3, true);
    REQUIRE(chip.claim() == 3);
    chip.mask(3);
    chip.end(3);
    CHECK_FALSE(chip.deliverable());
    chip.unmask(3);
    CHECK(chip.deliverable());
    chip.wire(3, false);
    CHECK_FALSE(chip.deliverable()); // nothing survives
}

TEST_CASE("GIC: an edge is latched while masked and delivered once") {
    gic chip{1u << 5};
    chip.mask(5);
    chip.pulse(5);
    CHECK_FALSE(chip.deliverable());
    chip.unmask(5);
    CHECK(chip.claim() == 5);
    chip.end(5);
    CHECK_FALSE(chip.deliverable());
    chip.wire(5, true);
    chip.wire(5, true);
    CHECK(chip.claim() == 5);
    chip.end(5);
    CHECK_FALSE(chip.deliverable()); // the level itself means nothing
}

TEST_CASE("GIC: the lower number comes first") {
    gic chip;
    chip.wire(9, true);
    chip.wire(4, true);
    CHECK(chip.claim() == 4);
    CHECK(chip.claim() == 9);
}
