// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"

#include <limits>

namespace doorbell {

/// The longest distance between two readings of a counter that still tells before from after: half its range.
template <counter_rep Rep>
inline constexpr Rep longest_distance = std::numeric_limits<Rep>::max() / 2;

namespace detail {

/// value * multiplier / divisor, rounded down, cut to the longest distance of the counter. Exact in 64-bit arithmetic:
/// whole and rest are scaled apart, which needs divisor * multiplier to fit 64 bits (the caller sees to it) and no
/// 128-bit division. With a constant value, as in every budget, the divisions are done by the compiler.
template <counter_rep Rep>
[[nodiscard]] constexpr Rep scaled(std::uint64_t value, std::uint64_t multiplier, std::uint64_t divisor) noexcept {
    constexpr std::uint64_t most = longest_distance<Rep>;
    std::uint64_t const whole = value / divisor;
    std::uint64_t const rest = value % divisor * multiplier / divisor;
    if (multiplier != 0 and whole > (most - (rest < most ? rest : most)) / multiplier) {
        return static_cast<Rep>(most);
    }
    std::uint64_t const ticks = whole * multiplier + rest;
    return static_cast<Rep>(ticks < most ? ticks : most);
}

/// dividend / divisor, rounded up.
[[nodiscard]] constexpr std::uint64_t divided_up(std::uint64_t dividend, std::uint64_t divisor) noexcept {
    return dividend / divisor + (dividend % divisor != 0 ? 1 : 0);
}

} // namespace detail

} // namespace doorbell
