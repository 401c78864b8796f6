// SPDX-License-Identifier: BSL-1.0
#include <doorbell/dispatch/collaborators.hpp>
#include <doorbell/dispatch/options.hpp>
#include <doorbell/dispatch/signal.hpp>

#include <doorbell/completion/count_budget.hpp>
#include <doorbell/core/observer.hpp>
#include <doorbell/dma/coherent.hpp>
#include <doorbell/lock/null_lock.hpp>
#include <doorbell/registers/mmio_bank.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>

namespace {

using namespace doorbell;

struct no_clock {
    using rep = std::uint32_t;

    static constexpr rep now() noexcept { return 0; }
};

struct fake_controller {
    struct transfers {
        static constexpr std::size_t slots = 32;
    };
};

struct nobody {};

struct frugal {
    using controller = fake_controller;
    using driver = nobody;
    using bank = mmio_bank;
    using clock = no_clock;
    using budget = count_budget<4>;
    using lock = null_lock;
    using observer = null_observer;
    using dma = coherent;
    using order = acknowledge_first;
    using timeouts = no_timeouts;
    using giveback = in_place;
};

/// What a core has to keep at least: two addresses, the tracker's words and the dispatcher's words.
struct least {
    nobody* driver;
    std::uintptr_t registers;
    request_states<32> requests;
    interrupt_state interrupts;
};

nobody one;
constinit collaborators<frugal> core{.driver = one, .bank = mmio_bank{0x1000}, .clock = {}, .transfers = {}};

} // namespace

TEST_CASE("Collaborators without state take no room", "[inv:W2]") {
    STATIC_CHECK(sizeof(collaborators<frugal>) == sizeof(least));
}

TEST_CASE("A core begins with nothing outstanding and inert", "[inv:D7]") {
    CHECK(core.transfers.requests.outstanding().empty());
    CHECK(core.interrupts.now() == phase::stopped);
    CHECK(&core.driver == &one);
}
