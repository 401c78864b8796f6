// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "policy_run.hpp"

#include <array>

namespace replay {

/// The counts that `--count` can name: a count is part of a type.
inline constexpr std::array<unsigned, 6> possible_counts{1, 2, 4, 8, 16, 32};

/// All policies, in the order of the table.
extern std::array<policy_entry, 7> const all_policies;

} // namespace replay
