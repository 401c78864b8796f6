// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace replay {

/// What things cost on the virtual machine, in nanoseconds. The defaults are of the order of a phone's system on chip.
struct machine_costs {
    std::uint64_t entry_ns = 1'000;    ///< from the interrupt line to the first instruction of the hard handler
    std::uint64_t read_ns = 200;       ///< a register read: the processor waits for the answer
    std::uint64_t write_ns = 50;       ///< a register write: posted
    std::uint64_t wake_ns = 10'000;    ///< from the wake to the first instruction of the thread
    std::uint64_t callback_ns = 2'000; ///< the upper layer's work on one completed request
};

} // namespace replay
