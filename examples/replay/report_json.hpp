// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "recording_report.hpp"

#include <nlohmann/json.hpp>

#include <ostream>
#include <vector>

namespace replay {

/// Writes the results of all recordings as JSON.
inline void write_json(std::ostream& out, std::vector<recording_report> const& reports) {
    using json = nlohmann::ordered_json;
    json recordings = json::array();
    for (recording_report const& r : reports) {
        json policies = json::array();
        for (policy_results const& p : r.policies) {
            policies.push_back(
                {{"policy", p.policy},
                 {"requests", p.requests},
                 {"completed", p.completed},
                 {"lost", p.lost},
                 {"doubled", p.doubled},
                 {"interrupts", p.interrupts},
                 {"reads_per_request", p.reads_per_request()},
                 {"writes_per_request", p.writes_per_request()},
                 {"hard_max_ns", p.hard_max_ns},
                 {"lock_max_ns", p.lock_max_ns},
                 {"wakeups", p.wakeups},
                 {"added_mean_ns", p.added_mean_ns()},
                 {"added_max_ns", p.added_max_ns}});
        }
        recordings.push_back(
            {{"file", r.file},
             {"format", r.format},
             {"skipped", r.counts.skipped},
             {"open", r.counts.open},
             {"lost_in_gap", r.counts.lost_in_gap},
             {"queued", r.counts.queued},
             {"policies", std::move(policies)}});
    }
    json const all{{"recordings", std::move(recordings)}};
    out << all.dump(2, ' ', false, json::error_handler_t::replace) << "\n";
}

} // namespace replay
