// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "text_cursor.hpp"
#include "trace_line.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace replay {

/// A place where a recording says that events are missing before it.
struct lost_events {
    std::uint32_t cpu = trace_line::no_cpu; ///< the processor whose events are missing; unknown: any
    bool from_start = false;                ///< everything of it since the beginning is missing, not only a gap
};

/// Recognises what the tools print where a ring buffer overran:
/// `CPU:1 [LOST 123 EVENTS]`, `CPU:1 [LOST EVENTS]` and `##### CPU 1 buffer started ####` (kernel),
/// `CPU:1 [123 EVENTS DROPPED]`, `CPU:1 [EVENTS DROPPED]` (trace-cmd), `PERF_RECORD_LOST lost 123` and
/// `Processed 9 events and lost 3 chunks!` (perf).
[[nodiscard]] inline std::optional<lost_events> find_lost_events(std::string_view text) noexcept {
    constexpr auto npos = std::string_view::npos;
    text_cursor c{text};
    c.skip_blanks();
    if (c.skip("CPU:")) {
        bool const lost = text.find("[LOST ") != npos or text.find(" DROPPED]") != npos;
        if (not lost or text.find("EVENTS") == npos) {
            return {};
        }
        c.skip_blanks();
        auto const cpu = c.decimal();
        return lost_events{cpu ? static_cast<std::uint32_t>(*cpu) : trace_line::no_cpu, false};
    }
    if (c.skip("#####")) {
        c.skip_blanks();
        if (not c.skip("CPU ") or text.find("buffer started") == npos) {
            return {};
        }
        auto const cpu = c.decimal();
        return lost_events{cpu ? static_cast<std::uint32_t>(*cpu) : trace_line::no_cpu, true};
    }
    if (std::size_t const at = text.find("PERF_RECORD_LOST"); at != npos) {
        auto const line = split_trace_line(text);
        if (line and not line->event.starts_with("PERF_RECORD_LOST")) {
            return {}; // some other event that mentions the name
        }
        text_cursor count{text.substr(at)};
        count.word();
        count.skip_blanks();
        count.skip("lost");
        count.skip_blanks();
        if (count.decimal() == std::uint64_t{0}) {
            return {};
        }
        return lost_events{line ? line->cpu : trace_line::no_cpu, false};
    }
    if (text.starts_with("Processed ") and text.find(" events and lost ") != npos) {
        return lost_events{trace_line::no_cpu, true};
    }
    return {};
}

} // namespace replay
