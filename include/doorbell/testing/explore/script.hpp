// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace doorbell::testing::explore::detail {

/// Contexts in the order of their steps, as one string: a letter for each context in the order of their declaration,
/// and how many steps it makes when it is more than one. `a3b` is three steps of the first and one of the second.
[[nodiscard]] inline std::string encode(std::vector<std::uint8_t> const& order) {
    std::string text;
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = i;
        while (end < order.size() and order[end] == order[i]) {
            ++end;
        }
        text += static_cast<char>('a' + order[i]);
        if (end - i > 1) {
            text += std::to_string(end - i);
        }
        i = end;
    }
    return text;
}

/// Nothing when the text is not such a string.
[[nodiscard]] inline std::optional<std::vector<std::uint8_t>> decode(std::string_view text) {
    std::vector<std::uint8_t> order;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] < 'a' or text[i] > 'p') {
            return std::nullopt;
        }
        auto const who = static_cast<std::uint8_t>(text[i] - 'a');
        ++i;
        std::size_t count = 0;
        bool const once = i == text.size() or text[i] < '0' or text[i] > '9';
        for (; i < text.size() and text[i] >= '0' and text[i] <= '9'; ++i) {
            count = count * 10 + static_cast<std::size_t>(text[i] - '0');
            if (count > 100'000) {
                return std::nullopt;
            }
        }
        order.insert(order.end(), once ? 1 : count, who);
    }
    return order;
}

/// One line of a readable script.
struct line {
    std::string who{};
    std::string verb{};
    std::string what{};
    std::uint64_t value = 0;
    bool has_value = false;
    bool preempts = false; ///< whoever made the step before could have gone on
};

/// Collects the lines of one schedule.
class script {
public:
    void add(line next) { lines_.push_back(std::move(next)); }

    /// The value that the last step of `who` found.
    void value(std::string const& who, std::uint64_t found) {
        for (std::size_t i = lines_.size(); i-- > 0;) {
            if (lines_[i].who == who) {
                lines_[i].value = found;
                lines_[i].has_value = true;
                return;
            }
        }
    }

    [[nodiscard]] bool empty() const noexcept { return lines_.empty(); }

    [[nodiscard]] std::string text() const {
        std::size_t who = 0;
        std::size_t verb = 0;
        for (line const& each : lines_) {
            who = each.who.size() > who ? each.who.size() : who;
            verb = each.verb.size() > verb ? each.verb.size() : verb;
        }
        std::string all;
        std::size_t number = 0;
        for (line const& each : lines_) {
            char start[16];
            std::snprintf(start, sizeof start, "%4zu %c ", ++number, each.preempts ? '*' : ' ');
            std::string row = start + pad(each.who, who) + "  " + pad(each.verb, verb) + "  " + each.what;
            if (each.has_value) {
                char value[24];
                std::snprintf(value, sizeof value, "  0x%llX", static_cast<unsigned long long>(each.value));
                row += value;
            }
            all += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
        }
        return all;
    }

private:
    [[nodiscard]] static std::string pad(std::string text, std::size_t width) {
        text.resize(text.size() < width ? width : text.size(), ' ');
        return text;
    }

    std::vector<line> lines_{};
};

} // namespace doorbell::testing::explore::detail
