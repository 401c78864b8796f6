// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"

#include <bit>
#include <cstdint>

namespace doorbell::testing {

/// A PLIC: each input has a gateway that lets one request through and then waits for its completion. Completing an
/// input that is masked at that moment is ignored: the gateway stays shut, and the input is silent until it is
/// completed while enabled. A request that went through stays pending although its wire falls.
class plic {
public:
    static constexpr unsigned none = 32;

    explicit constexpr plic(std::uint32_t edge_inputs = 0) noexcept : edge_(edge_inputs) {}

    constexpr void wire(unsigned input, bool level) noexcept {
        std::uint32_t const bit = std::uint32_t{1} << (input % 32);
        bool const rises = level and (wire_ & bit) == 0;
        wire_ = level ? wire_ | bit : wire_ & ~bit;
        edges_ |= rises ? bit & edge_ : 0u;
        pass();
    }

    constexpr void pulse(unsigned input) noexcept {
        edges_ |= (std::uint32_t{1} << (input % 32)) & edge_;
        pass();
    }

    constexpr void mask(unsigned input) noexcept { masked_ |= std::uint32_t{1} << (input % 32); }

    constexpr void unmask(unsigned input) noexcept { masked_ &= ~(std::uint32_t{1} << (input % 32)); }

    [[nodiscard]] constexpr bool deliverable() const noexcept { return (pending_ & ~masked_) != 0; }

    constexpr unsigned claim() noexcept {
        std::uint32_t const bits = pending_ & ~masked_;
        pending_ &= ~(bits & (~bits + 1));
        return static_cast<unsigned>(std::countr_zero(bits));
    }

    /// Completion; without effect for an input that is masked.
    constexpr void end(unsigned input) noexcept {
        shut_ &= ~((std::uint32_t{1} << (input % 32)) & ~masked_);
        pass();
    }

private:
    constexpr void pass() noexcept {
        std::uint32_t const asks = ((wire_ & ~edge_) | edges_) & ~shut_;
        pending_ |= asks;
        shut_ |= asks;
        edges_ &= ~asks;
    }

    std::uint32_t edge_;
    std::uint32_t wire_ = 0, edges_ = 0, pending_ = 0, masked_ = 0;
    std::uint32_t shut_ = 0; // gateways that wait for a completion
};

static_assert(interrupt_chip<plic>);

} // namespace doorbell::testing
