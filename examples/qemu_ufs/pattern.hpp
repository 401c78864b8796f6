// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

/// The disk: 64 MiB in blocks of 4 KiB, all of which the firmware writes once.
inline constexpr unsigned blocks = 16'384, words_per_block = 1'024;

/// One word of one block.
constexpr std::uint32_t pattern(unsigned block, unsigned n) {
    std::uint32_t const x = (block << 12) ^ (n * 0x9E37'79B9U) ^ 0x5EED'0000U;
    return (x ^ x >> 15) * 0x85EB'CA6BU;
}

/// Which block comes at a place: a permutation, so that each comes once and neighbours do not follow each other.
constexpr unsigned shuffled(unsigned place) {
    return (place * 6'121U + 77U) % blocks;
}
