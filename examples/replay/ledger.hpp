// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "bad_input.hpp"
#include "lost_events.hpp"
#include "recorded_event.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace replay {

/// What a recording lacks or has too much of.
struct recording_counts {
    std::uint64_t sends = 0;       ///< all sends
    std::uint64_t requests = 0;    ///< sends whose completion is in the recording
    std::uint64_t skipped = 0;     ///< completions whose send lies before the start or in a gap
    std::uint64_t open = 0;        ///< still in flight when the recording ends
    std::uint64_t lost_in_gap = 0; ///< in flight when events were lost, and their completion is nowhere after it
    std::uint64_t queued = 0;      ///< sent while 32 were in flight already
};

/// Matches each completion with its send and checks that the recording can be true. What it lets through goes to the
/// sink in order. Memory grows with the highest tag in use, not with the recording.
///
/// A place where events were lost is noticed only when the next event of that processor is printed, after events of
/// other processors that already miss their partner. So a tag that is sent twice or completes twice is held against the
/// recording only when no gap that is reported later explains it.
class ledger {
public:
    static constexpr std::uint32_t tags = 4096;
    static constexpr std::uint32_t slots = 32;

    using sink = std::function<void(recorded_event const&)>;

    explicit ledger(sink out) : out_{std::move(out)} {}

    /// Where an event stands and what tells its request from another one with the same tag.
    struct source {
        std::uint64_t line = 0;
        std::uint64_t time_ns = 0;
        std::uint32_t cpu = trace_line::no_cpu;
        std::uint64_t signature = 0;
    };

    /// `unit` numbers the controllers of a recording; each has tags of its own.
    void send(std::uint32_t unit, std::uint64_t tag, source const& at) {
        entry& e = find(unit, tag, at);
        ++counts_.sends;
        if (e.in_flight) {
            if (not suspect(e)) {
                accuse(
                    at, "tag " + std::to_string(tag) + " is sent twice; its request of line " + std::to_string(e.line) +
                            " has not completed");
            }
            ++counts_.lost_in_gap;
            drop(e, at.time_ns);
        }
        if (in_flight_ >= slots and not reclaim(at.time_ns)) {
            ++counts_.queued;
        }
        ++in_flight_;
        e = {true, true, gaps_, ++last_request_, at.line, at.signature};
        out_({recorded_event::kind::send, static_cast<std::uint32_t>(tag), at.time_ns, e.request});
    }

    void complete(std::uint32_t unit, std::uint64_t tag, source const& at) {
        entry& e = find(unit, tag, at);
        if (e.in_flight and suspect(e) and e.signature != at.signature) {
            ++counts_.lost_in_gap; // this completion belongs to a later send, which the gap swallowed
            drop(e, at.time_ns);
        }
        if (e.in_flight) {
            --in_flight_;
            ++counts_.requests;
            out_({recorded_event::kind::finish, static_cast<std::uint32_t>(tag), at.time_ns, e.request});
        } else {
            ++counts_.skipped;
            if (e.seen and not suspect(e)) {
                accuse(at, "completion of tag " + std::to_string(tag) + " without a send");
            }
        }
        e.in_flight = false;
        e.seen = true;
        e.gap = gaps_;
        e.line = at.line;
    }

    /// Events are missing before this place.
    void gap(lost_events const& lost) {
        ++gaps_;
        std::uint64_t since = 0;
        if (not lost.from_start and lost.cpu < last_time_.size()) {
            since = last_time_[lost.cpu];
        }
        if (accused_ and accused_time_ >= since) {
            accused_.reset();
        }
    }

    /// The recording ends here. Throws `bad_input` when something in it cannot be true.
    void finish() {
        if (accused_) {
            throw bad_input{*accused_};
        }
        for (entry const& e : entries_) {
            if (e.in_flight) {
                ++(suspect(e) ? counts_.lost_in_gap : counts_.open);
            }
        }
    }

    [[nodiscard]] recording_counts const& counts() const noexcept { return counts_; }

    /// Has any send or completion been seen?
    [[nodiscard]] bool empty() const noexcept { return not any_; }

private:
    struct entry {
        bool in_flight = false;
        bool seen = false;
        std::uint64_t gap = 0; ///< number of gaps when the tag was last seen
        std::uint64_t request = 0;
        std::uint64_t line = 0;
        std::uint64_t signature = 0;
    };

    /// Were events lost since this tag was last seen?
    [[nodiscard]] bool suspect(entry const& e) const noexcept { return e.gap != gaps_; }

    [[nodiscard]] entry& find(std::uint32_t unit, std::uint64_t tag, source const& at) {
        if (tag >= tags) {
            throw bad_input{
                at.line, "tag " + std::to_string(tag) + " is out of range (0 to " + std::to_string(tags - 1) + ")"};
        }
        if (at.time_ns < time_) {
            throw bad_input{at.line, "time runs backwards, from " + seconds(time_) + " to " + seconds(at.time_ns)};
        }
        time_ = at.time_ns;
        any_ = true;
        constexpr std::uint32_t most_cpus = 8192;
        if (at.cpu < most_cpus) {
            if (at.cpu >= last_time_.size()) {
                last_time_.resize(at.cpu + 1);
            }
            last_time_[at.cpu] = at.time_ns;
        }
        std::uint64_t const index = std::uint64_t{unit} * tags + tag;
        if (index >= entries_.size()) {
            entries_.resize(index + 1);
        }
        return entries_[index];
    }

    /// Only the earliest contradiction is kept: a gap that explains it explains all later ones too.
    void accuse(source const& at, std::string what) {
        if (not accused_) {
            accused_.emplace(at.line, std::move(what));
            accused_time_ = at.time_ns;
        }
    }

    void drop(entry& e, std::uint64_t time_ns) {
        auto const tag = static_cast<std::uint32_t>((&e - entries_.data()) % tags);
        out_({recorded_event::kind::drop, tag, time_ns, e.request});
        e.in_flight = false;
        --in_flight_;
    }

    /// All slots are taken, and some perhaps only because a gap swallowed the completion: gives up the oldest of those.
    [[nodiscard]] bool reclaim(std::uint64_t time_ns) {
        entry* oldest = nullptr;
        if (gaps_ > 0) {
            for (entry& e : entries_) {
                if (e.in_flight and suspect(e) and (oldest == nullptr or e.request < oldest->request)) {
                    oldest = &e;
                }
            }
        }
        if (oldest == nullptr) {
            return false;
        }
        ++counts_.lost_in_gap;
        drop(*oldest, time_ns);
        return true;
    }

    [[nodiscard]] static std::string seconds(std::uint64_t ns) {
        constexpr std::uint64_t second = 1'000'000'000;
        std::string fraction = std::to_string(second + ns % second).substr(1);
        while (fraction.size() > 6 and fraction.ends_with('0')) {
            fraction.pop_back();
        }
        return std::to_string(ns / second) + "." + fraction;
    }

    sink out_;
    recording_counts counts_{};
    std::vector<entry> entries_{};
    std::vector<std::uint64_t> last_time_{};
    std::uint64_t gaps_ = 0;
    std::uint64_t last_request_ = 0;
    std::uint64_t time_ = 0;
    std::optional<bad_input> accused_{};
    std::uint64_t accused_time_ = 0;
    std::uint32_t in_flight_ = 0;
    bool any_ = false;
};

} // namespace replay
