// SPDX-License-Identifier: BSL-1.0
#include <catch2/catch_test_macros.hpp>
#include <doorbell/testing/interrupt_chip/nvic.hpp>

using doorbell::testing::nvic;

TEST_CASE("NVIC: a pending bit survives the mask and the end of its cause: one spurious entry [inv:H4]", "[inv:H4]") {
    nvic chip;
    chip.wire(2, true);
    REQUIRE(chip.claim() == 2);
    chip.mask(2);
    chip.end(2); // the wire is still high: pends while masked
    chip.wire(2, false);
    CHECK_FALSE(chip.deliverable());
    chip.unmask(2);
    CHECK(chip.claim() == 2); // spurious, once
    chip.end(2);
    CHECK_FALSE(chip.deliverable());
}

TEST_CASE("NVIC: a cause removed inside of the handler does not come again, one that stays does") {
    nvic chip;
    chip.wire(2, true);
    REQUIRE(chip.claim() == 2);
    chip.wire(2, false);
    chip.end(2);
    CHECK_FALSE(chip.deliverable());
    chip.wire(2, true);
    REQUIRE(chip.claim() == 2);
    chip.end(2);
    CHECK(chip.claim() == 2);
}

TEST_CASE("NVIC: a pulse during its own handler is kept") {
    nvic chip;
    chip.pulse(1);
    REQUIRE(chip.claim() == 1);
    chip.pulse(1);
    CHECK_FALSE(chip.deliverable());
    chip.end(1);
    CHECK(chip.claim() == 1);
    CHECK(chip.claim() == nvic::none);
}
