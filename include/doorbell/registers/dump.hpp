// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"

#include <cstddef>
#include <cstdint>

namespace doorbell {

/// Hands sink(offset, value) the word of each register, in the order given: one load for each, nothing written. Any
/// context that the sink may run in; no lock (the words are no common snapshot); no errors. Registers that a look would
/// change or that tell nothing do not compile [R2], so a dump taken in the middle of trouble does not eat its evidence.
template <register_description... Rs, register_bank Bank, class Sink>
    requires requires(Sink& sink, std::size_t offset, std::uint32_t value) { sink(offset, value); }
constexpr void dump(Bank& bank, [[maybe_unused]] Sink sink) {
    static_assert(
        (not detail::has<Rs, access::read_to_clear> and ...),
        "doorbell: reading this register clears it, so it cannot be part of a dump; leave it out");
    static_assert(
        (dumpable<Rs> and ...),
        "doorbell: what this register returns on a read means nothing, so it cannot be part of a dump");
    (sink(std::size_t{Rs::offset}, std::uint32_t{bank.load(Rs::offset)}), ...);
}

} // namespace doorbell
