// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"

#include <cstddef>
#include <cstdint>

namespace doorbell::testing::explore {

inline constexpr std::size_t most_contexts = 16;

/// How many steps of each context come before a step in every order that is equivalent to the one that ran.
class order_clock {
public:
    [[gnu::always_inline]] constexpr void join(order_clock const& other) noexcept {
        for (std::size_t i = 0; i < most_contexts; ++i) {
            steps_[i] = steps_[i] < other.steps_[i] ? other.steps_[i] : steps_[i];
        }
    }

    [[gnu::always_inline]] constexpr void set(unsigned context, std::uint32_t step) noexcept { steps_[context] = step; }

    [[nodiscard, gnu::always_inline]] constexpr std::uint32_t of(unsigned context) const noexcept {
        return steps_[context];
    }

    /// The step number `step` of `context` comes before, or is, the step of this clock.
    [[nodiscard, gnu::always_inline]] constexpr bool after(unsigned context, std::uint32_t step) const noexcept {
        return steps_[context] >= step;
    }

    [[nodiscard]] constexpr std::uint64_t hash(std::uint64_t seed) const noexcept {
        std::uint64_t h = seed + 0x9E3779B97F4A7C15U;
        for (std::uint32_t const s : steps_) {
            h = (h ^ s) * 0xBF58476D1CE4E5B9U;
            h ^= h >> 29;
        }
        h *= 0x94D049BB133111EBU;
        return h ^ (h >> 31);
    }

private:
    std::uint32_t steps_[most_contexts]{};
};

} // namespace doorbell::testing::explore
