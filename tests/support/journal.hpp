// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace support {

using lines = std::vector<std::string>;

/// What happened, in order, one line each: register accesses, lock operations, callbacks, events.
class journal {
public:
    void add(std::string line) { lines_.push_back(std::move(line)); }

    /// The lines so far; forgets them.
    [[nodiscard]] lines take() { return std::exchange(lines_, {}); }

    /// The lines so far that begin with one of these words; forgets all.
    [[nodiscard]] lines take(std::initializer_list<std::string_view> words) {
        lines chosen;
        for (std::string const& line : take()) {
            for (std::string_view const word : words) {
                if (line == word or (line.starts_with(word) and line[word.size()] == ' ')) {
                    chosen.push_back(line);
                    break;
                }
            }
        }
        return chosen;
    }

    void forget() { lines_.clear(); }

private:
    lines lines_{};
};

/// A word as the journal writes it: hexadecimal, no leading zeros.
[[nodiscard]] inline std::string hex(std::uint32_t value) {
    std::string text;
    do {
        text.insert(text.begin(), "0123456789abcdef"[value & 15U]);
        value >>= 4U;
    } while (value != 0);
    return text;
}

} // namespace support
