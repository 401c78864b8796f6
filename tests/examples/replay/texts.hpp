// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <replay/line_reader.hpp>
#include <replay/recording.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// Texts as recordings, for the tests of the replay example.
namespace texts {

/// Hands out a text in pieces of at most `piece` bytes.
inline replay::byte_source source(std::string text, std::size_t piece = 4096) {
    return [text = std::move(text), piece, at = std::size_t{0}](std::span<char> to) mutable {
        std::size_t const n = std::min({to.size(), piece, text.size() - at});
        std::copy_n(text.data() + at, n, to.data());
        at += n;
        return n;
    };
}

inline std::string file(std::string const& path) {
    std::ifstream in{path, std::ios::binary};
    if (not in) {
        throw std::runtime_error{"cannot open " + path};
    }
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

/// One event line in the form of a current kernel.
inline std::string event(
    std::string_view time, std::string_view action, std::string_view tag, unsigned cpu = 0,
    std::string_view lba = "8") {
    std::ostringstream out;
    out << "     fio-100   [00" << cpu << "] .....  " << time << ": ufshcd_command: " << action
        << ": 0:0:0:0: tag: " << tag << ", DB: 0x0, size: 4096, IS: 0, LBA: " << lba
        << ", opcode: 0x28 (READ_10), group_id: 0x0, hwq_id: 0\n";
    return out.str();
}

/// Everything that a recording holds.
struct read_text {
    std::vector<replay::recorded_event> events{};
    replay::recording_counts counts{};
    std::string format{};
    std::string error{}; ///< `LINE: what`
    std::uint64_t cut_line = 0;
    bool multi_queue = false;
};

inline read_text read(std::string text, std::size_t piece = 4096, std::uint64_t line_time_ns = 1000) {
    replay::recording r{source(std::move(text), piece), line_time_ns};
    read_text out;
    for (std::uint64_t i = 0; auto const* e = r.at(i); ++i) {
        out.events.push_back(*e);
        r.forget(i);
    }
    out.counts = r.counts();
    out.format = r.format();
    out.cut_line = r.cut_line();
    out.multi_queue = r.multi_queue();
    if (r.error()) {
        out.error = std::to_string(r.error()->line()) + ": " + r.error()->what();
    }
    return out;
}

} // namespace texts
