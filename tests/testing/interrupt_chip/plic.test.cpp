// SPDX-License-Identifier: BSL-1.0
#include <catch2/catch_test_macros.hpp>
#include <doorbell/testing/interrupt_chip/plic.hpp>

using doorbell::testing::plic;

TEST_CASE("PLIC: completing a masked input is ignored, and the input stays silent [inv:H4]", "[inv:H4]") {
    plic chip;
    chip.wire(7, true);
    REQUIRE(chip.claim() == 7);
    chip.mask(7);
    chip.end(7); // ignored
    chip.unmask(7);
    CHECK_FALSE(chip.deliverable()); // although the wire is high
    chip.end(7);
    CHECK(chip.claim() == 7);
}

TEST_CASE("PLIC: complete before masking works") {
    plic chip;
    chip.wire(7, true);
    REQUIRE(chip.claim() == 7);
    chip.end(7);
    chip.mask(7);
    CHECK_FALSE(chip.deliverable());
    chip.unmask(7);
    CHECK(chip.claim() == 7);
}

TEST_CASE("PLIC: a request that went through the gateway stays although the wire falls") {
    plic chip;
    chip.wire(7, true);
    chip.wire(7, false);
    CHECK(chip.claim() == 7);
    chip.end(7);
    CHECK(chip.claim() == plic::none);
}

TEST_CASE("PLIC: an edge during the handler is let through after its completion") {
    plic chip{1u << 4};
    chip.pulse(4);
    REQUIRE(chip.claim() == 4);
    chip.pulse(4);
    CHECK_FALSE(chip.deliverable());
    chip.end(4);
    CHECK(chip.claim() == 4);
}
