// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "knobs.hpp"

#include <cstdint>

namespace doorbell::testing {

/// What the ports of one adapter share: knobs, virtual time, and the list of errors. One thread.
struct ahci_clockwork {
    explicit ahci_clockwork(ahci_knobs const& k) : knobs(k) {}

    [[nodiscard]] std::uint64_t later(std::uint64_t ns) const noexcept {
        return ns >= timer_table::never - now ? timer_table::never : now + ns;
    }

    void arm(unsigned id, std::uint64_t ns) noexcept {
        if (std::uint64_t const due = later(ns); due != timer_table::never) {
            timers.arm(id, due);
        }
    }

    ahci_knobs knobs;
    std::uint64_t now = 0;
    timer_table timers{};
    ahci_errors errors{};
};

} // namespace doorbell::testing
