// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"

#include <bit>
#include <cstdint>

namespace doorbell::testing {

/// An NVIC: a high wire sets the input's pending bit, also while it is masked, and nothing but a claim clears it.
/// Masking does not: an input that became pending before its cause was removed is delivered once more after the unmask.
/// That one entry with nothing to do is legal.
class nvic {
public:
    static constexpr unsigned none = 32;

    constexpr void wire(unsigned input, bool level) noexcept {
        std::uint32_t const bit = std::uint32_t{1} << (input % 32);
        wire_ = level ? wire_ | bit : wire_ & ~bit;
        pending_ |= level and (active_ & bit) == 0 ? bit : 0u;
    }

    constexpr void pulse(unsigned input) noexcept { pending_ |= std::uint32_t{1} << (input % 32); }

    constexpr void mask(unsigned input) noexcept { masked_ |= std::uint32_t{1} << (input % 32); }

    constexpr void unmask(unsigned input) noexcept { masked_ &= ~(std::uint32_t{1} << (input % 32)); }

    [[nodiscard]] constexpr bool deliverable() const noexcept { return ready() != 0; }

    constexpr unsigned claim() noexcept {
        std::uint32_t const bits = ready();
        unsigned const input = static_cast<unsigned>(std::countr_zero(bits));
        if (bits != 0) {
            active_ |= bits & (~bits + 1);
            pending_ &= ~(bits & (~bits + 1));
        }
        return input;
    }

    /// Return from the handler: a wire that is still high pends again, masked or not.
    constexpr void end(unsigned input) noexcept {
        std::uint32_t const bit = std::uint32_t{1} << (input % 32);
        active_ &= ~bit;
        pending_ |= wire_ & bit;
    }

private:
    [[nodiscard]] constexpr std::uint32_t ready() const noexcept { return pending_ & ~masked_ & ~active_; }

    std::uint32_t wire_ = 0, pending_ = 0, masked_ = 0, active_ = 0;
};

static_assert(interrupt_chip<nvic>);

} // namespace doorbell::testing
