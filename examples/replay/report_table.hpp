// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "recording_report.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ostream>
#include <string>
#include <vector>

namespace replay {

namespace detail {

inline std::string decimal(double value, int digits) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, value);
    return text.data();
}

inline std::string micro(double ns) {
    return decimal(ns / 1000.0, 2);
}

} // namespace detail

/// Prints the table of one recording.
inline void print_table(std::ostream& out, recording_report const& r) {
    using detail::decimal;
    using detail::micro;
    auto const exact = [](std::uint64_t ns) { return micro(static_cast<double>(ns)); };
    out << r.file << " (" << r.format << ")\n";
    if (r.multi_queue) {
        out << "  register traffic of a driver that uses submission and completion queues: not replayable yet\n\n";
        return;
    }
    out << "  " << r.counts.requests << " requests; completions skipped " << r.counts.skipped << ", requests left open "
        << r.counts.open << ", lost in a gap " << r.counts.lost_in_gap << ", queued " << r.counts.queued << "\n";
    std::vector<std::vector<std::string>> rows{
        {"policy", "requests", "completed", "lost", "doubled", "interrupts", "reads/req", "writes/req", "hard max",
         "lock max", "wake-ups", "added mean", "added max"}};
    for (policy_results const& p : r.policies) {
        rows.push_back(
            {p.policy, std::to_string(p.requests), std::to_string(p.completed), std::to_string(p.lost),
             std::to_string(p.doubled), std::to_string(p.interrupts), decimal(p.reads_per_request(), 2),
             decimal(p.writes_per_request(), 2), exact(p.hard_max_ns), exact(p.lock_max_ns), std::to_string(p.wakeups),
             micro(p.added_mean_ns()), exact(p.added_max_ns)});
    }
    std::vector<std::size_t> widths(rows.front().size());
    for (auto const& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    for (auto const& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            std::string const gap(widths[i] - row[i].size(), ' ');
            out << "  " << (i == 0 ? row[i] + gap : gap + row[i]);
        }
        out << "\n";
    }
    double const events = static_cast<double>(r.events) * static_cast<double>(r.policies.size());
    out << "  times in us; " << r.events << " events, " << r.policies.size() << " policies, "
        << decimal(r.seconds * 1000.0, 1)
        << " ms of one core: " << decimal(r.seconds > 0 ? events / r.seconds / 1e6 : 0.0, 2)
        << " million events/s per policy\n\n";
}

} // namespace replay
