// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "ledger.hpp"
#include "policy_results.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace replay {

/// What is told about one recording.
struct recording_report {
    std::string file{};
    std::string format{};
    recording_counts counts{};
    bool multi_queue = false;
    std::uint64_t events = 0; ///< steps of the recording that each policy went through
    double seconds = 0;       ///< of processor time, for reading and all policies
    std::vector<policy_results> policies{};
};

} // namespace replay
