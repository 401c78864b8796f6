// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include "../../core/outcome.hpp"

namespace doorbell::ufs {

/// A UTP transfer request descriptor: eight little-endian words that hardware reads, and in which it writes word 2.
struct utrd {
    std::uint32_t word[8];
};

/// Bit of word 0: the request raises an interrupt of its own when it ends.
inline constexpr std::uint32_t utrd_interrupt = 1U << 24;

/// Empties a descriptor for its next use and marks its status as not written, so that neither a leftover of the last
/// request nor a zero, which means success, is ever taken for a response. [T11] Context: any, by the owner of the tag.
constexpr void clear(utrd& descriptor) noexcept {
    descriptor = {};
    descriptor.word[2] = static_cast<std::uint32_t>(outcome::not_written);
}

/// What hardware wrote into the descriptor. The read is real, each time, since hardware writes behind the compiler's
/// back, and it is ordered before the reads of the response behind it: a tag that lagged was not done yet when the
/// barrier of its claim was passed. [R4] [T11]
[[nodiscard]] inline outcome response(utrd const& descriptor) noexcept {
    return static_cast<outcome>(__atomic_load_n(&descriptor.word[2], __ATOMIC_ACQUIRE) & 0xFFU);
}

} // namespace doorbell::ufs
