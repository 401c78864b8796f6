// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

/// Writers in virtual time, whole nanoseconds, seeded: the same figures everywhere.
namespace flush_bench {

/// A small generator of its own.
class dice {
public:
    explicit constexpr dice(std::uint64_t seed) : state_{seed} {}

    [[nodiscard]] constexpr std::uint64_t next() {
        state_ += 0x9E37'79B9'7F4A'7C15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xBF58'476D'1CE4'E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D0'49BB'1331'11EBU;
        return z ^ (z >> 31U);
    }

    [[nodiscard]] constexpr std::uint64_t below(std::uint64_t n) { return n == 0 ? 0 : next() % n; }

private:
    std::uint64_t state_;
};

/// How long a writer takes from an answer to its next request.
enum class pace : std::uint8_t {
    even,    ///< the mean, give or take `spread` percent, evenly
    poisson, ///< exponential, so that requests come at random
    bimodal, ///< mostly a tenth of the mean, one in eight times what keeps the mean
};

struct traffic {
    unsigned writers = 1;
    std::uint64_t flush = 17'500'000; ///< F: what a device flush takes
    std::uint64_t mean = 83'000;      ///< W: what a write takes
    unsigned spread = 20;             ///< percent
    pace how = pace::even;
    std::uint64_t seed = 1;
    std::uint64_t time = 10'000'000'000;
    unsigned flush_spread = 0;  ///< percent, of F
    unsigned later_writers = 0; ///< from `change` on only so many; 0: no change
    std::uint64_t change = 0;
};

/// -ln(x / 2^16) * 2^16 for x in 1 to 2^16, from integers alone: an exponential of mean 2^16.
[[nodiscard]] constexpr std::uint64_t exponential(std::uint64_t x) {
    constexpr std::uint64_t ln2 = 45'426; // * 2^16
    std::uint64_t whole = 0;
    while (x < 0x8000U) {
        x <<= 1U;
        ++whole;
    }
    // x is now 2^15 to 2^16: the logarithm to base 2 bit by bit
    std::uint64_t y = x << 1U; // * 2^16, 1 to 2
    std::uint64_t log2 = 0;
    for (std::uint64_t bit = 0x8000U; bit != 0; bit >>= 1U) {
        y = (y * y) >> 16U;
        if (y >= 0x2'0000U) {
            y >>= 1U;
            log2 |= bit;
        }
    }
    std::uint64_t const upto_one = x >= 0x1'0000U ? 0 : 0x1'0000U - log2;
    return ((whole << 16U) + upto_one) * ln2 >> 16U;
}

[[nodiscard]] constexpr std::uint64_t pause_of(traffic const& t, dice& d) {
    switch (t.how) {
    case pace::even:
        return t.mean - t.mean * t.spread / 100 + d.below(2 * t.mean * t.spread / 100 + 1);
    case pace::poisson:
        return t.mean * exponential(1 + d.below(0x1'0000U)) >> 16U;
    case pace::bimodal:
        return d.below(8) == 0 ? t.mean * 73 / 10 : t.mean / 10;
    }
    return t.mean;
}

} // namespace flush_bench
