// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <ostream>
#include <string>
#include <string_view>

namespace replay {

/// Writes Chrome trace events as JSON, one after the other, so that nothing is kept in memory. Perfetto and
/// chrome://tracing open the file. Each pair of recording and policy is a process of its own; the hard handler, the
/// thread, the lock and each tag of it are threads.
class timeline {
public:
    explicit timeline(std::ostream& out) : out_{out} { out_ << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"; }

    timeline(timeline const&) = delete;
    timeline& operator=(timeline const&) = delete;

    ~timeline() { out_ << "\n]}\n"; }

    /// A new process; its number.
    [[nodiscard]] unsigned process(std::string const& name) {
        unsigned const pid = ++processes_;
        meta("process_name", pid, 0, name);
        meta("thread_name", pid, hard_track, "hard handler");
        meta("thread_name", pid, thread_track, "thread");
        meta("thread_name", pid, lock_track, "lock");
        for (unsigned tag = 0; tag < tags; ++tag) {
            meta("thread_name", pid, tag_track + tag, "tag " + std::to_string(tag));
        }
        for (unsigned track = 1; track < tag_track + tags; ++track) {
            begin();
            out_ << R"({"name":"thread_sort_index","ph":"M","pid":)" << pid << ",\"tid\":" << track
                 << ",\"args\":{\"sort_index\":" << track << "}}";
        }
        return pid;
    }

    void hard(unsigned pid, std::uint64_t from, std::uint64_t to) { span(pid, hard_track, "hard handler", from, to); }

    void thread(unsigned pid, std::uint64_t from, std::uint64_t to) { span(pid, thread_track, "thread", from, to); }

    void lock(unsigned pid, std::uint64_t from, std::uint64_t to) { span(pid, lock_track, "held", from, to); }

    /// A request from its ring to its callback, with the moment the device finished it.
    void request(
        unsigned pid, unsigned slot, std::uint32_t recorded_tag, std::uint64_t rung, std::uint64_t finished,
        std::uint64_t called) {
        start(pid, tag_track + slot, "request", rung, called);
        out_ << ",\"args\":{\"recorded_tag\":" << recorded_tag << ",\"device_us\":" << micro(finished - rung).data()
             << ",\"added_us\":" << micro(called - finished).data() << "}}";
    }

private:
    static constexpr unsigned hard_track = 1;
    static constexpr unsigned thread_track = 2;
    static constexpr unsigned lock_track = 3;
    static constexpr unsigned tag_track = 10;
    static constexpr unsigned tags = 32;

    void begin() {
        out_ << (first_ ? "" : ",\n");
        first_ = false;
    }

    void meta(char const* what, unsigned pid, unsigned tid, std::string_view name) {
        begin();
        out_ << "{\"name\":\"" << what << R"(","ph":"M","pid":)" << pid << ",\"tid\":" << tid << ",\"args\":{\"name\":"
             << nlohmann::json(name).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << "}}";
    }

    void start(unsigned pid, unsigned tid, char const* name, std::uint64_t from, std::uint64_t to) {
        begin();
        out_ << "{\"name\":\"" << name << R"(","ph":"X","pid":)" << pid << ",\"tid\":" << tid
             << ",\"ts\":" << micro(from).data() << ",\"dur\":" << micro(to - from).data();
    }

    void span(unsigned pid, unsigned tid, char const* name, std::uint64_t from, std::uint64_t to) {
        start(pid, tid, name, from, to);
        out_ << '}';
    }

    /// Microseconds with all digits: a double would round the nanoseconds of a long recording away.
    [[nodiscard]] static std::array<char, 32> micro(std::uint64_t ns) {
        std::array<char, 32> text{};
        std::snprintf(
            text.data(), text.size(), "%llu.%03llu", static_cast<unsigned long long>(ns / 1000),
            static_cast<unsigned long long>(ns % 1000));
        return text;
    }

    std::ostream& out_;
    unsigned processes_ = 0;
    bool first_ = true;
};

} // namespace replay
