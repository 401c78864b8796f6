// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "bad_input.hpp"
#include "ledger.hpp"
#include "line_reader.hpp"
#include "lost_events.hpp"
#include "text_cursor.hpp"
#include "trace_line.hpp"
#include "ufshcd_command.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace replay {

/// Reads `ufshcd_command` events from the text of a kernel trace and enters them in the ledger.
class kernel_trace {
public:
    static constexpr std::string_view event_name = "ufshcd_command";
    static constexpr std::size_t most_controllers = 16;

    /// Which tool printed the text, as far as its lines have shown.
    enum class printer : std::uint8_t { unknown, kernel, trace_cmd, perf };

    /// Is this a line that only a kernel trace has?
    [[nodiscard]] static bool recognises(std::string_view text) noexcept {
        return text.starts_with("# tracer:") or text.starts_with("# entries-in-buffer/") or text.starts_with("cpus=") or
               find_lost_events(text).has_value() or split_trace_line(text).has_value() or
               find_trace_event(text, event_name).has_value();
    }

    /// Takes one line. True when it is part of a trace, false when it is other text. Throws `bad_input`.
    bool take(text_line const& line, ledger& book) {
        std::string_view const text = line.text;
        if (text.starts_with('#') and not text.starts_with("#####")) {
            if (text.starts_with("# tracer:")) {
                printed_by_ = printer::kernel;
            }
            return true;
        }
        if (printed_by_ == printer::unknown and text.starts_with("cpus=")) {
            printed_by_ = printer::trace_cmd;
        }
        if (auto const event = split_trace_line(text)) {
            if (event->event == event_name) {
                enter(*event, line, book);
            } else if (event->event.starts_with("PERF_RECORD_LOST")) {
                note_gap(text, book);
            }
            return true;
        }
        if (text.find(event_name) != std::string_view::npos) {
            if (auto const event = find_trace_event(text, event_name)) {
                enter(*event, line, book);
                return true;
            }
        }
        return note_gap(text, book);
    }

    [[nodiscard]] std::string_view name() const noexcept {
        switch (printed_by_) {
        case printer::trace_cmd:
            return "trace-cmd";
        case printer::perf:
            return "perf";
        default:
            return "ftrace";
        }
    }

private:
    static bool note_gap(std::string_view text, ledger& book) {
        auto const lost = find_lost_events(text);
        if (lost) {
            book.gap(*lost);
        }
        return lost.has_value();
    }

    void enter(trace_line const& event, text_line const& line, ledger& book) {
        if (event.counted) {
            throw bad_input{
                line.number, "times are counts of a clock, not seconds; record with trace_clock local, "
                             "global, mono or boot"};
        }
        if (printed_by_ == printer::unknown) {
            printed_by_ = not event.subsystem.empty()       ? printer::perf
                          : event.padded or not event.flags ? printer::trace_cmd
                                                            : printer::kernel;
        }
        auto const command = parse_ufshcd_command(event.payload);
        if (not command) {
            throw malformed_line{line.number, "ufshcd_command event without a tag"};
        }
        ledger::source const at{line.number, event.time_ns, event.cpu, command->lba * 256 + command->opcode};
        using kind = ufshcd_command::action_kind;
        if (command->action == kind::send) {
            book.send(controller(command->device, line.number), command->tag, at);
        } else if (command->action == kind::complete) {
            book.complete(controller(command->device, line.number), command->tag, at);
        }
    }

    /// Numbers the controllers by name. Logical units of one SCSI host share its tags, so of a SCSI address only the
    /// host counts.
    [[nodiscard]] std::uint32_t controller(std::string_view device, std::uint64_t line) {
        if (not controllers_.empty() and controllers_[last_] == device) {
            return last_;
        }
        text_cursor c{device};
        auto const host = c.decimal();
        if (host and c.skip(':') and c.decimal() and c.skip(':') and c.decimal() and c.skip(':') and c.decimal()) {
            device = device.substr(0, device.find(':') + 1);
        }
        for (std::size_t i = 0; i < controllers_.size(); ++i) {
            if (controllers_[i] == device) {
                return last_ = static_cast<std::uint32_t>(i);
            }
        }
        if (controllers_.size() == most_controllers) {
            throw bad_input{line, "more than " + std::to_string(most_controllers) + " controllers in one recording"};
        }
        controllers_.emplace_back(device);
        return last_ = static_cast<std::uint32_t>(controllers_.size() - 1);
    }

    printer printed_by_ = printer::unknown;
    std::vector<std::string> controllers_{};
    std::uint32_t last_ = 0;
};

} // namespace replay
