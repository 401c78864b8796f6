// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include "../core/tag_set.hpp"
#include "../tracking/tracker.hpp"
#include "interrupt_state.hpp"

namespace doorbell {

/// Everything a core is made of, in one place that the verbs work on. `Types` names the collaborators:
/// controller, driver, bank, clock, budget, lock, observer, dma, routes, line.
/// Each verb is a function of its own over this; `host` is the front door that owns one.
template <class Types>
struct collaborators {
    using types = Types;
    using controller = typename Types::controller;
    using tags = tag_set<controller::slots>;

    typename Types::driver& driver;
    [[no_unique_address]] typename Types::bank bank;
    [[no_unique_address]] typename Types::clock clock;
    tracker<controller::slots, typename Types::lock> requests;
    [[no_unique_address]] typename Types::observer observer{};
    [[no_unique_address]] typename Types::dma dma{};
    [[no_unique_address]] typename Types::budget::template bound<typename Types::clock> budget{};
    interrupt_state interrupts{};

    using states = typename decltype(requests)::states;
};

} // namespace doorbell
