// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "text_cursor.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace replay {

/// One event line of a kernel trace, split into its columns.
struct trace_line {
    static constexpr std::uint32_t no_cpu = ~std::uint32_t{0};

    std::uint32_t cpu = no_cpu;
    std::uint64_t time_ns = 0;
    bool counted = false;         ///< the time column is a plain count of some clock, not seconds
    bool flags = false;           ///< the column of irq and preemption flags is there
    std::string_view subsystem{}; ///< `ufs` where `ufs:ufshcd_command` is printed, as perf does
    std::string_view event{};
    bool padded = false; ///< more than one blank after the event name, as trace-cmd prints
    std::string_view payload{};
};

namespace detail {

/// `123.456789:`, with up to nine digits behind the point; or a plain count. False when it is neither or too large.
inline bool take_time(text_cursor& c, trace_line& out) noexcept {
    auto const seconds = c.decimal();
    if (not seconds) {
        return false;
    }
    if (c.skip(':')) {
        out.time_ns = *seconds;
        out.counted = true;
        return true;
    }
    constexpr std::uint64_t second = 1'000'000'000;
    constexpr std::uint64_t longest = 4'000'000'000; // 126 years: times and sums of two of them fit 64 bits
    if (*seconds > longest or not c.skip('.')) {
        return false;
    }
    std::uint64_t fraction = 0;
    std::uint64_t unit = second;
    while (not c.empty() and text_cursor::is_digit(c.rest().front()) and unit > 1) {
        unit /= 10;
        fraction += unit * static_cast<std::uint64_t>(c.rest().front() - '0');
        c.skip(c.rest().front());
    }
    if (unit == second or not c.skip(':')) {
        return false;
    }
    out.time_ns = *seconds * second + fraction;
    return true;
}

/// Names of events hold letters, digits and `_`; perf puts the subsystem and a colon before them.
inline bool take_event(text_cursor& c, trace_line& out) noexcept {
    auto const name = [&c] {
        std::string_view const text = c.rest();
        std::size_t n = 0;
        while (n < text.size() and (text[n] == '_' or text_cursor::is_digit(text[n]) or
                                    (text[n] >= 'a' and text[n] <= 'z') or (text[n] >= 'A' and text[n] <= 'Z'))) {
            ++n;
        }
        c.skip(text.substr(0, n));
        return text.substr(0, n);
    };
    out.event = name();
    if (out.event.empty()) {
        return false;
    }
    if (not c.skip(':')) { // PERF_RECORD_LOST has no colon
        out.payload = c.rest();
        return c.skip_blanks();
    }
    if (not c.empty() and not text_cursor::is_blank(c.rest().front())) {
        out.subsystem = out.event;
        out.event = name();
        if (out.event.empty() or not c.skip(':')) {
            return false;
        }
    }
    std::string_view const before = c.rest();
    c.skip_blanks();
    out.padded = before.size() - c.rest().size() > 1;
    out.payload = c.rest();
    return true;
}

/// Does the text before the CPU column end like a task: `-PID`, ` PID` or `PID/TID`, then perhaps `(TGID)`?
/// The name before it is free text: it may hold blanks, brackets, dashes and colons.
inline bool ends_in_task(std::string_view text) noexcept {
    auto const trim = [&text] {
        while (not text.empty() and text_cursor::is_blank(text.back())) {
            text.remove_suffix(1);
        }
    };
    trim();
    if (text.ends_with(')')) {
        std::size_t const open = text.rfind('(');
        if (open == std::string_view::npos) {
            return false;
        }
        text = text.substr(0, open);
        trim();
    }
    std::size_t digits = 0;
    while (digits < text.size() and text_cursor::is_digit(text[text.size() - 1 - digits])) {
        ++digits;
    }
    if (digits == 0) {
        return false;
    }
    text.remove_suffix(digits);
    return text.empty() or text.back() == '-' or text.back() == '/' or text_cursor::is_blank(text.back());
}

/// The columns behind `[CPU]`.
inline bool take_columns(text_cursor c, trace_line& out) noexcept {
    if (not c.skip_blanks()) {
        return false;
    }
    text_cursor const before = c;
    if (not take_time(c, out)) {
        c = before;
        std::string_view const flags = c.word();
        constexpr std::size_t most_flags = 10;
        if (flags.empty() or flags.size() > most_flags or not c.skip_blanks() or not take_time(c, out)) {
            return false;
        }
        out.flags = true;
    }
    return c.skip_blanks() and take_event(c, out);
}

} // namespace detail

/// Splits an event line as printed by the kernel's trace file, by `trace-cmd report` or by `perf script`:
/// `TASK-PID (TGID) [CPU] FLAGS TIME: EVENT: PAYLOAD`. The columns TGID and FLAGS may be missing.
/// Nothing when the line has no such columns.
[[nodiscard]] inline std::optional<trace_line> split_trace_line(std::string_view text) noexcept {
    for (std::size_t open = text.find('['); open != std::string_view::npos; open = text.find('[', open + 1)) {
        if (open == 0 or not text_cursor::is_blank(text[open - 1])) {
            continue;
        }
        text_cursor c{text.substr(open + 1)};
        auto const cpu = c.decimal();
        trace_line out;
        if (not cpu or *cpu >= trace_line::no_cpu or not c.skip(']') or
            not detail::ends_in_task(text.substr(0, open))) {
            continue;
        }
        out.cpu = static_cast<std::uint32_t>(*cpu);
        if (detail::take_columns(c, out)) {
            return out;
        }
    }
    return {};
}

/// The same for lines without the columns of task and CPU, or with others in their place: the last `TIME: ` that stands
/// right before an event called `event`. To be used when `split_trace_line` finds nothing.
[[nodiscard]] inline std::optional<trace_line>
find_trace_event(std::string_view text, std::string_view event) noexcept {
    for (std::size_t at = text.rfind(event); at != std::string_view::npos and at > 0; at = text.rfind(event, at - 1)) {
        std::size_t time = at;
        if (std::size_t const start = text.find_last_of(" \t", at); start != std::string_view::npos) {
            time = start; // steps over `ufs:`
        }
        while (time > 0 and text_cursor::is_blank(text[time - 1])) {
            --time;
        }
        if (time == 0) {
            break;
        }
        std::size_t const before = text.find_last_of(" \t", time - 1);
        text_cursor c{text.substr(before == std::string_view::npos ? 0 : before + 1)};
        trace_line out;
        if (detail::take_time(c, out) and c.skip_blanks() and detail::take_event(c, out) and out.event == event) {
            return out;
        }
    }
    return {};
}

} // namespace replay
