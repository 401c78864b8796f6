// SPDX-License-Identifier: BSL-1.0
#include "../strict_model.hpp"

namespace at = doorbell::ufs::offset;
namespace cause = doorbell::ufs::cause;
namespace bit = doorbell::ufs::aggregation;
using namespace doorbell::testing;

namespace {

constexpr std::uint32_t threshold(std::uint32_t n) {
    return n << bit::threshold_shift;
}

/// Rings `slots` with the interrupt bit clear and finishes them.
void complete(ufshci_model& m, std::initializer_list<unsigned> slots) {
    for (unsigned const slot : slots) {
        m.prepare(slot, false);
        m.store(at::utrldbr, 1u << slot);
        m.finish(slot);
    }
}

} // namespace

TEST_CASE("Threshold and timeout are taken only together with IAPWEN") {
    running_model m;
    m.store(at::utriacr, bit::enable | threshold(5) | 3);
    CHECK(m.load(at::utriacr) == bit::enable);
    m.store(at::utriacr, bit::enable | bit::parameter_write | threshold(5) | 3);
    CHECK(m.load(at::utriacr) == (bit::enable | bit::parameter_write | threshold(5) | 3));
    m.store(at::utriacr, bit::enable | threshold(9));
    CHECK(m.load(at::utriacr) == (bit::enable | threshold(5) | 3));
}

TEST_CASE("The counter interrupts when it reaches the threshold, once; CTR starts it again and clears itself") {
    running_model m;
    m.store(at::utriacr, bit::enable | bit::parameter_write | threshold(2));
    complete(m, {0});
    CHECK(m.load(at::is) == 0);
    CHECK((m.load(at::utriacr) & bit::counting) != 0);
    complete(m, {1});
    CHECK(m.load(at::is) == cause::utrcs);
    m.store(at::is, cause::utrcs);
    complete(m, {2, 3});
    CHECK(m.load(at::is) == 0);
    m.store(at::utriacr, bit::enable | bit::counter_reset);
    CHECK((m.load(at::utriacr) & (bit::counter_reset | bit::counting)) == 0);
    complete(m, {4, 5});
    CHECK(m.load(at::is) == cause::utrcs);
}

TEST_CASE("A request with I = 1, and a failed one, interrupts at once and is not counted") {
    running_model m;
    m.store(at::utriacr, bit::enable | bit::parameter_write | threshold(2));
    m.prepare(0, true);
    m.store(at::utrldbr, 1);
    m.finish(0);
    CHECK(m.load(at::is) == cause::utrcs);
    CHECK((m.load(at::utriacr) & bit::counting) == 0);
    m.store(at::is, cause::utrcs);
    m.prepare(1, false);
    m.store(at::utrldbr, 2);
    m.finish(1, doorbell::ufs::ocs::fatal_error);
    CHECK(m.load(at::is) == cause::utrcs);
}

TEST_CASE("Without failure_interrupts a failed request is counted like the others") {
    running_model m{ufshci_knobs{.failure_interrupts = false}};
    m.store(at::utriacr, bit::enable | bit::parameter_write | threshold(2));
    m.prepare(1, false);
    m.store(at::utrldbr, 2);
    m.finish(1, doorbell::ufs::ocs::fatal_error);
    CHECK(m.load(at::is) == 0);
    CHECK((m.load(at::utriacr) & bit::counting) != 0);
}

TEST_CASE("The timer interrupts IATOVAL times 40 us after the first counted completion") {
    bool const works = GENERATE(true, false);
    running_model m{ufshci_knobs{.aggregation_timer = works}};
    m.store(at::utriacr, bit::enable | bit::parameter_write | threshold(8) | 2);
    complete(m, {0});
    m.advance(40'000);
    complete(m, {1});
    m.advance(39'999);
    CHECK(m.load(at::is) == 0);
    m.advance(1);
    CHECK(m.load(at::is) == (works ? cause::utrcs : 0u));
}

TEST_CASE("A counter reset after the doorbell was read still lets the last completion be seen [U.C40]", "[U.C40]") {
    bool const reset_first = GENERATE(true, false);
    running_model m;
    m.store(at::ie, cause::utrcs);
    m.store(at::utriacr, bit::enable | bit::parameter_write | threshold(2) | 1);
    complete(m, {0, 1});
    REQUIRE(m.line());
    m.store(at::is, m.load(at::is));
    std::uint32_t seen = 0;
    m.prepare(2, false);
    m.store(at::utrldbr, 1u << 2);
    if (reset_first) {
        m.store(at::utriacr, bit::enable | bit::counter_reset);
        m.finish(2);
        seen = ~m.load(at::utrldbr);
    } else {
        seen = ~m.load(at::utrldbr);
        m.finish(2); // past the threshold: counted, no interrupt
        m.store(at::utriacr, bit::enable | bit::counter_reset);
    }
    m.advance(40'000);
    bool const told = m.line();
    bool const found = (seen & 4u) != 0;
    CHECK(found == reset_first);
    CHECK(told == reset_first);            // it was counted after the reset, so the timer covers it
    CHECK((found or told) == reset_first); // the other order loses it until tag 3 comes
}

TEST_CASE(
    "Aggregation enabled before interrupts: CTR after unmasking makes the counter work again [U.C41]", "[U.C41]") {
    running_model m{ufshci_knobs{.line = line_kind::edge}};
    m.store(at::utriacr, bit::enable | bit::parameter_write | threshold(2));
    complete(m, {0, 1});
    m.store(at::ie, cause::utrcs);
    CHECK_FALSE(m.take_pulse()); // latched before it was enabled: silent
    complete(m, {2, 3});
    CHECK_FALSE(m.take_pulse());
    m.store(at::is, m.load(at::is));
    m.store(at::utriacr, bit::enable | bit::counter_reset);
    CHECK(m.load(at::utrldbr) == 0);
    complete(m, {4, 5});
    CHECK(m.take_pulse());
}

TEST_CASE("A host that forbids CTR faults on it; leaving it out works [U.C42]", "[U.C42]") {
    ufshci_model m{ufshci_knobs{.counter_reset_forbidden = true}};
    m.bring_up();
    m.store(at::utriacr, bit::enable | bit::parameter_write | threshold(1));
    CHECK(m.errors().empty());
    m.store(at::utriacr, bit::enable | bit::counter_reset);
    CHECK(m.errors().count(driver_error::counter_reset) == 1);
    CHECK(m.load(at::is) == cause::hcfes);
}

TEST_CASE(
    "A completion between reset and doorbell read costs one more interrupt with nothing to do [U.C43]", "[U.C43]") {
    running_model m;
    m.store(at::ie, cause::utrcs);
    m.store(at::utriacr, bit::enable | bit::parameter_write | threshold(1));
    m.prepare(0, false);
    m.store(at::utrldbr, 3);
    m.finish(0);
    m.store(at::is, m.load(at::is));
    m.store(at::utriacr, bit::enable | bit::counter_reset);
    m.finish(1); // interrupts although the read that follows sees it
    CHECK(m.load(at::utrldbr) == 0);
    CHECK(m.line());
    m.store(at::is, m.load(at::is));
    CHECK(m.load(at::utrldbr) == 0);
    CHECK_FALSE(m.line());
}

TEST_CASE("A host without aggregation ignores UTRIACR, and disabled aggregation interrupts for each") {
    running_model absent{ufshci_knobs{.aggregation = aggregation_mode::absent}};
    absent.store(at::utriacr, bit::enable | bit::parameter_write | threshold(2));
    CHECK(absent.load(at::utriacr) == 0);
    complete(absent, {0});
    CHECK(absent.load(at::is) == cause::utrcs);
    running_model m;
    m.store(at::utriacr, bit::parameter_write | threshold(2));
    complete(m, {0});
    CHECK(m.load(at::is) == cause::utrcs);
}

TEST_CASE("Without aggregation the interrupt bit counts only where the knob says so") {
    for (bool const required : {false, true}) {
        running_model m{ufshci_knobs{.interrupt_bit_required = required}};
        complete(m, {0});
        CHECK(m.load(at::is) == (required ? 0u : cause::utrcs));
        m.prepare(1, true);
        m.store(at::utrldbr, 2);
        m.finish(1);
        CHECK(m.load(at::is) == cause::utrcs);
    }
}
