// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "bad_input.hpp"
#include "kernel_trace.hpp"
#include "ledger.hpp"
#include "line_reader.hpp"
#include "qemu_traffic.hpp"
#include "recorded_event.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace replay {

/// A recording that is read as far as its readers look ahead. Each reader keeps an index of its own; what all of them
/// have passed is forgotten, so memory depends on how far they are apart and on the requests in flight.
class recording {
public:
    enum class kind : std::uint8_t { unknown, trace, traffic };

    recording(byte_source source, std::uint64_t line_time_ns)
        : lines_{std::move(source)}
        , traffic_{line_time_ns}
        , book_{[this](recorded_event const& e) { events_.push_back(e); }} {}

    recording(recording const&) = delete;
    recording& operator=(recording const&) = delete;

    /// The event with that index, counted from 0; null behind the last. Never throws: see `error()`.
    [[nodiscard]] recorded_event const* at(std::uint64_t index) noexcept {
        while (index - first_ >= events_.size()) {
            if (ended_) {
                return nullptr;
            }
            pull();
        }
        return &events_[index - first_];
    }

    /// No reader asks for an event before `index` any more.
    void forget(std::uint64_t index) {
        constexpr std::uint64_t worth_it = 4096;
        if (index > first_ + worth_it) {
            auto const n = std::min<std::uint64_t>(index - first_, events_.size());
            events_.erase(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(n));
            first_ += n;
        }
    }

    /// What made reading stop before the end; also set when the end showed that something before it cannot be true.
    [[nodiscard]] std::optional<bad_input> const& error() const noexcept { return error_; }

    /// Set when a last line without an end, or without sense, was left out.
    [[nodiscard]] std::uint64_t cut_line() const noexcept { return cut_line_; }

    /// True when the text is register traffic of a driver that uses queues, not the doorbell.
    [[nodiscard]] bool multi_queue() const noexcept { return traffic_.multi_queue(); }

    [[nodiscard]] std::string_view format() const noexcept {
        switch (kind_) {
        case kind::trace:
            return trace_.name();
        case kind::traffic:
            return traffic_.name();
        default:
            return "unknown";
        }
    }

    [[nodiscard]] recording_counts const& counts() const noexcept { return book_.counts(); }

    [[nodiscard]] std::uint64_t bytes() const noexcept { return lines_.bytes(); }

    /// Events in memory.
    [[nodiscard]] std::size_t held() const noexcept { return events_.size(); }

private:
    void pull() noexcept {
        try {
            std::size_t const before = events_.size();
            text_line line;
            while (not ended_ and events_.size() == before) {
                if (lines_.next(line)) {
                    take(line);
                } else {
                    finish();
                }
            }
        } catch (bad_input const& e) {
            stop(e);
        } catch (std::exception const& e) {
            stop(bad_input{lines_.lines(), e.what()});
        }
    }

    void stop(bad_input const& e) {
        error_ = e;
        ended_ = true;
    }

    void take(text_line const& line) {
        if (kind_ == kind::unknown) {
            if (qemu_traffic::recognises(line.text)) {
                kind_ = kind::traffic;
            } else if (kernel_trace::recognises(line.text)) {
                kind_ = kind::trace;
            }
        }
        if (not line.ended and not line.shortened) {
            if (has_noise(line.text)) {
                throw noise(line);
            }
            cut_line_ = line.number;
            return;
        }
        bool known = false;
        try {
            if (kind_ == kind::trace) {
                known = trace_.take(line, book_);
            } else if (kind_ == kind::traffic) {
                known = traffic_.take(line, book_);
                ended_ = ended_ or traffic_.multi_queue();
            }
        } catch (malformed_line const&) {
            text_line following;
            if (lines_.next(following)) {
                throw;
            }
            cut_line_ = lines_.lines();
            return;
        }
        if (not known and has_noise(line.text)) {
            throw noise(line);
        }
    }

    [[nodiscard]] static bad_input noise(text_line const& line) {
        return {line.number, "binary noise, not the text of a recording"};
    }

    void finish() {
        ended_ = true;
        if (book_.empty() and not multi_queue()) {
            throw bad_input{
                lines_.lines(), kind_ == kind::unknown
                                    ? "no event at all; this is neither a kernel trace nor register traffic "
                                      "of QEMU's UFS device"
                                : kind_ == kind::trace ? "no event at all: not one ufshcd_command in it"
                                                       : "no event at all: no request in it"};
        }
        book_.finish();
    }

    [[nodiscard]] static bool has_noise(std::string_view text) noexcept {
        bool noise = false;
        for (char const c : text) {
            auto const byte = static_cast<unsigned char>(c);
            // Blank controls and ESC (colours) occur in text.
            noise = noise or byte == 0x7F or (byte < 0x20 and byte != 0x1B and (byte < 0x08 or byte > 0x0D));
        }
        return noise;
    }

    line_reader lines_;
    kernel_trace trace_{};
    qemu_traffic traffic_;
    std::vector<recorded_event> events_{};
    std::uint64_t first_ = 0;
    ledger book_;
    std::optional<bad_input> error_{};
    std::uint64_t cut_line_ = 0;
    kind kind_ = kind::unknown;
    bool ended_ = false;
};

} // namespace replay
