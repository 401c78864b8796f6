// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"

#include <concepts>
#include <cstdint>

namespace doorbell::testing {

/// How an input of an interrupt chip listens.
enum class trigger : std::uint8_t { level, edge };

/// An interrupt chip between the device's output and the processor. `wire` is the level of an input, `pulse` an edge;
/// `claim` gives the next input to serve, or `none`, and makes it active; `end` is the end of interrupt.
template <typename C>
concept interrupt_chip = requires(C chip, C const& looked_at, unsigned input, bool level) {
    { chip.wire(input, level) } noexcept;
    { chip.pulse(input) } noexcept;
    { chip.mask(input) } noexcept;
    { chip.unmask(input) } noexcept;
    { chip.claim() } noexcept -> std::same_as<unsigned>;
    { chip.end(input) } noexcept;
    { looked_at.deliverable() } noexcept -> std::same_as<bool>;
    { C::none } -> std::convertible_to<unsigned>;
};

} // namespace doorbell::testing
