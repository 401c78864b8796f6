// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace doorbell {

/// What one look at the hardware claims: `batch` is the caller's alone, `unknown` was reported but never issued. [T6]
template <class Tags>
struct claim_result {
    // A register each: packed into one, taking them apart would cost every claim a shift.
    alignas(Tags) alignas(std::uintptr_t) Tags batch{};
    alignas(Tags) alignas(std::uintptr_t) Tags unknown{};
};

/// What one look at the hardware claims, and which requests of a set it finds unfinished. [X2]
template <class Tags>
struct expired_result {
    claim_result<Tags> found{};
    Tags expired{};
};

/// How `quarantine` ended.
enum class withdrawal : unsigned {
    won,          ///< the tag is the caller's: no other context will complete this generation
    already_done, ///< another context claimed it: its callback has run or will run once
    stale,        ///< the ticket is of an older generation, or of no request
};

} // namespace doorbell
