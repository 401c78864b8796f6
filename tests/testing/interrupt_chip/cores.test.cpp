// SPDX-License-Identifier: BSL-1.0
#include "../strict_model.hpp"

#include <catch2/catch_template_test_macros.hpp>

#include <doorbell/testing/interrupt_chip/cores.hpp>
#include <doorbell/testing/interrupt_chip/gic.hpp>
#include <doorbell/testing/interrupt_chip/nvic.hpp>
#include <doorbell/testing/interrupt_chip/plic.hpp>

namespace at = doorbell::ufs::offset;
namespace cause = doorbell::ufs::cause;
using namespace doorbell::testing;

namespace {

/// A model behind a chip, served by a plain loop.
template <typename Chip>
struct machine {
    explicit machine(ufshci_knobs const& k = {}) : model(k), processors(chip, &machine::entry, this) {
        model.store(at::ie, cause::utrcs);
    }

    machine(machine const&) = delete;
    machine& operator=(machine const&) = delete;

    static void entry(void* context, unsigned core, unsigned) noexcept {
        auto& self = *static_cast<machine*>(context);
        std::uint32_t const is = self.model.load(at::is);
        self.empty += is == 0 ? 1u : 0u;
        self.model.store(at::is, is);
        if (self.reads_back) {
            (void)self.model.load(at::is);
        }
        if (self.inside != nullptr) {
            auto const hook = self.inside;
            self.inside = nullptr;
            hook(self, core);
        }
        sample(self.model, self.chip, 0);
    }

    void ring_and_finish(unsigned slot) {
        model.prepare(slot);
        model.store(at::utrldbr, 1u << slot);
        model.finish(slot);
        sample(model, chip, 0);
    }

    running_model model;
    Chip chip{};
    cores<Chip> processors;
    bool reads_back = false;
    unsigned empty = 0;
    void (*inside)(machine&, unsigned core) = nullptr;
};

} // namespace

TEMPLATE_TEST_CASE("One finished request gives one entry behind each chip", "", gic, nvic, plic) {
    machine<TestType> m;
    for (unsigned slot = 0; slot < 5; ++slot) {
        m.ring_and_finish(slot);
        CHECK(m.processors.deliver_all() == 1);
    }
    CHECK(m.empty == 0);
}

TEMPLATE_TEST_CASE(
    "An acknowledge that has not reached the line costs one empty entry, none with read-back [U.A27]", "[U.A27]", gic,
    nvic) {
    bool const reads_back = GENERATE(false, true);
    machine<TestType> m{ufshci_knobs{.line_lag = 100}};
    m.reads_back = reads_back;
    m.ring_and_finish(0);
    CHECK(m.processors.deliver_all() == (reads_back ? 1u : 2u));
    CHECK(m.empty == (reads_back ? 0u : 1u));
}

TEST_CASE("Entries nest on a core only for another input, and run on another core meanwhile") {
    machine<gic> m;
    m.inside = [](machine<gic>& self, unsigned core) {
        CHECK_FALSE(self.processors.deliver(core)); // its own input is active
        self.chip.wire(5, true);
        CHECK(self.processors.deliver(core));
        self.chip.wire(5, false);
        CHECK(self.processors.deepest() == 2);
        self.chip.wire(6, true);
        CHECK(self.processors.deliver(1));
        self.chip.wire(6, false);
        CHECK(self.processors.depth(0) == 1);
        CHECK(self.processors.depth(1) == 0);
    };
    m.ring_and_finish(0);
    CHECK(m.processors.deliver());
    CHECK(m.processors.entries() == 3);
}

TEST_CASE("A core that masks its interrupts holds entries off") {
    machine<nvic> m;
    m.ring_and_finish(0);
    m.processors.mask_core(0);
    CHECK_FALSE(m.processors.deliver(0));
    m.processors.unmask_core(0);
    CHECK(m.processors.deliver(0));
}

TEST_CASE("A storm is seen, not hung in") {
    machine<gic> m;
    m.model.raise(cause::utrcs);
    m.chip.wire(9, true); // nobody lowers it
    CHECK(m.processors.deliver_all(0, 50) == 50);
}
