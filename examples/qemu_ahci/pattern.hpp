// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

/// How much the firmware writes: blocks of 4 KiB from the begin of the disk, all of them in each of the passes.
inline constexpr unsigned blocks = 256, passes = 32, words_per_block = 1024;

/// One word of one block after one pass.
constexpr std::uint32_t pattern(unsigned pass, unsigned block, unsigned n) {
    std::uint32_t const x = (pass * 0x9E37'79B9U) ^ (block << 12) ^ n;
    return (x ^ x >> 15) * 0x85EB'CA6BU;
}
