// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"

#include <bit>
#include <cstdint>

namespace doorbell::testing {

/// A GIC as far as one driver sees it: 32 inputs, lower number first. A level input is pending as long as its wire is
/// high; an active input is delivered again only after its end. A mask is effective at once, so an input that is masked
/// before its end of interrupt does not come again however high its wire is; edges are latched while masked.
class gic {
public:
    static constexpr unsigned none = 32;

    explicit constexpr gic(std::uint32_t edge_inputs = 0) noexcept : edge_(edge_inputs) {}

    constexpr void wire(unsigned input, bool level) noexcept {
        std::uint32_t const bit = std::uint32_t{1} << (input % 32);
        bool const rises = level and (wire_ & bit) == 0;
        wire_ = level ? wire_ | bit : wire_ & ~bit;
        latched_ |= rises ? bit & edge_ : 0u;
    }

    constexpr void pulse(unsigned input) noexcept { latched_ |= (std::uint32_t{1} << (input % 32)) & edge_; }

    constexpr void mask(unsigned input) noexcept { masked_ |= std::uint32_t{1} << (input % 32); }

    constexpr void unmask(unsigned input) noexcept { masked_ &= ~(std::uint32_t{1} << (input % 32)); }

    [[nodiscard]] constexpr bool deliverable() const noexcept { return ready() != 0; }

    constexpr unsigned claim() noexcept {
        std::uint32_t const bits = ready();
        unsigned const input = static_cast<unsigned>(std::countr_zero(bits));
        if (bits != 0) {
            active_ |= bits & (~bits + 1);
            latched_ &= ~(bits & (~bits + 1));
        }
        return input;
    }

    constexpr void end(unsigned input) noexcept { active_ &= ~(std::uint32_t{1} << (input % 32)); }

private:
    [[nodiscard]] constexpr std::uint32_t ready() const noexcept {
        return ((wire_ & ~edge_) | latched_) & ~masked_ & ~active_;
    }

    std::uint32_t edge_;
    std::uint32_t wire_ = 0, latched_ = 0, masked_ = 0, active_ = 0;
};

static_assert(interrupt_chip<gic>);

} // namespace doorbell::testing
