// SPDX-License-Identifier: BSL-1.0
#include "../strict_model.hpp"

namespace at = doorbell::ufs::offset;
namespace cause = doorbell::ufs::cause;
using doorbell::testing::line_kind;
using doorbell::testing::ufshci_knobs;

TEST_CASE("A level line stands exactly while an enabled cause is set") {
    strict_model m;
    m.raise(cause::uccs);
    CHECK_FALSE(m.line());
    m.store(at::ie, cause::uccs);
    CHECK(m.line());
    m.store(at::is, cause::utrcs);
    CHECK(m.line());
    m.store(at::is, cause::uccs);
    CHECK_FALSE(m.line());
    CHECK(m.rises() == 1);
}

TEST_CASE("Interrupt status is cleared by ones, set bit by bit, and reserved bits stay 0") {
    strict_model m;
    m.raise(0xFFFFFFFFu);
    CHECK(m.load(at::is) == cause::all);
    m.store(at::is, cause::ue | cause::uccs);
    CHECK(m.load(at::is) == (cause::all & ~(cause::ue | cause::uccs)));
    CHECK(m.load(at::is) == (cause::all & ~(cause::ue | cause::uccs)));
}

TEST_CASE(
    "An edge line pulses per bit that goes from 0 to 1, and stays silent while software leaves it at 1 [U.A2]",
    "[U.A2]") {
    running_model m{ufshci_knobs{.line = line_kind::edge}};
    m.store(at::ie, cause::utrcs | cause::utmrcs);
    m.raise(cause::utrcs);
    CHECK(m.take_pulse());
    CHECK_FALSE(m.take_pulse());
    m.store(at::utrldbr, 1u << 3);
    REQUIRE(m.finish(3));
    CHECK(m.load(at::utrldbr) == 0);
    CHECK_FALSE(m.take_pulse());
    m.raise(cause::utmrcs);
    CHECK(m.take_pulse());
    m.store(at::is, cause::utrcs);
    m.raise(cause::utrcs);
    CHECK(m.take_pulse());
    CHECK_FALSE(m.line());
}

TEST_CASE("A message made from a level line pulses only when the whole goes from 0 to not 0") {
    strict_model m{ufshci_knobs{.line = line_kind::edge_line}};
    m.store(at::ie, cause::utrcs | cause::utmrcs);
    m.raise(cause::utrcs);
    CHECK(m.take_pulse());
    m.raise(cause::utmrcs);
    CHECK_FALSE(m.take_pulse());
    m.store(at::is, cause::utrcs | cause::utmrcs);
    m.raise(cause::utmrcs);
    CHECK(m.take_pulse());
}

TEST_CASE("Masked causes latch unless the knob says that they are lost") {
    strict_model keeps;
    keeps.raise(cause::uccs);
    CHECK(keeps.load(at::is) == cause::uccs);
    strict_model loses{ufshci_knobs{.masked_bits_latch = false}};
    loses.raise(cause::uccs);
    CHECK(loses.load(at::is) == 0);
    loses.store(at::ie, cause::uccs);
    loses.raise(cause::uccs);
    CHECK(loses.load(at::is) == cause::uccs);
}

TEST_CASE("Enabling a cause that is set pulses only with pulse_on_enable") {
    for (bool const pulses : {false, true}) {
        strict_model m{ufshci_knobs{.line = line_kind::edge, .pulse_on_enable = pulses}};
        m.raise(cause::utrcs);
        m.store(at::ie, cause::utrcs);
        CHECK(m.take_pulse() == pulses);
    }
}

TEST_CASE("With line_lag the chip sees a fall only after the next read or the time [U.A27]", "[U.A27]") {
    strict_model m{ufshci_knobs{.line_lag = 100}};
    m.store(at::ie, cause::uccs);
    m.raise(cause::uccs);
    m.store(at::is, cause::uccs);
    CHECK(m.line());
    SECTION("read back") {
        CHECK(m.load(at::is) == 0);
        CHECK_FALSE(m.line());
    }
    SECTION("time") {
        m.advance(99);
        CHECK(m.line());
        m.advance(1);
        CHECK_FALSE(m.line());
    }
    SECTION("raised again meanwhile: no fall at all") {
        m.raise(cause::uccs);
        m.advance(200);
        CHECK(m.line());
        CHECK(m.rises() == 1);
    }
}
