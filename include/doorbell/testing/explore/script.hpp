// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"
#include "hexadecimal.hpp"
#include "watched.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace doorbell::testing::explore::detail {

/// What one string names: contexts in the order of their steps, and the watched words whose accesses are steps.
struct recorded_order {
    std::vector<std::uint8_t> contexts{};
    written_words written{};
};

/// A letter for each context in the order of their declaration, and how many steps it makes when it is more than one:
/// `a3b` is three steps of the first and one of the second. After a slash: numbers of watched words.
[[nodiscard]] inline std::string encode(recorded_order const& order) {
    std::string text;
    auto const& steps = order.contexts;
    for (std::size_t i = 0; i < steps.size();) {
        std::size_t end = i;
        while (end < steps.size() and steps[end] == steps[i]) {
            ++end;
        }
        text += static_cast<char>('a' + steps[i]);
        if (end - i > 1) {
            text += std::to_string(end - i);
        }
        i = end;
    }
    char separator = '/';
    for (std::uint32_t const number : order.written.numbers) {
        text += separator + std::to_string(number - first_watched_word);
        separator = '.';
    }
    return text;
}

/// Reads a number at the front of a text and takes it away; nothing when there is none, or too large a one.
[[nodiscard]] inline std::optional<std::uint32_t> take_number(std::string_view& text) {
    std::uint32_t value = 0;
    auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} or value > 1'000'000) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

/// Nothing when the text is not such a string.
[[nodiscard]] inline std::optional<recorded_order> decode(std::string_view text) {
    recorded_order order;
    while (not text.empty() and text.front() != '/') {
        if (text.front() < 'a' or text.front() > 'p') {
            return std::nullopt;
        }
        auto const who = static_cast<std::uint8_t>(text.front() - 'a');
        text.remove_prefix(1);
        std::uint32_t count = 1;
        if (not text.empty() and text.front() >= '0' and text.front() <= '9') {
            auto const many = take_number(text);
            if (not many) {
                return std::nullopt;
            }
            count = *many;
        }
        order.contexts.insert(order.contexts.end(), count, who);
    }
    while (not text.empty()) {
        text.remove_prefix(1); // the slash, or a dot
        auto const number = take_number(text);
        if (not number or (not text.empty() and text.front() != '.')) {
            return std::nullopt;
        }
        order.written.numbers.insert(first_watched_word + *number);
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

    /// As many lines of its beginning and of its end.
    static constexpr std::size_t shown = 150;

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
            if (number >= shown and number + shown < lines_.size()) {
                all += number == shown ? "     ...\n" : "";
                ++number;
                continue;
            }
            std::string const count = std::to_string(++number);
            std::string row = std::string(count.size() < 4 ? 4 - count.size() : 0, ' ') + count;
            row += each.preempts ? " * " : "   ";
            row += pad(each.who, who) + "  " + pad(each.verb, verb) + "  " + each.what;
            if (each.has_value) {
                row += "  " + hexadecimal(each.value);
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
