// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "text_cursor.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace replay {

/// `20us`, `4 ms`, `1.5us` or a plain number of nanoseconds. Nothing when it is none of these, is no whole number of
/// nanoseconds or is longer than ten seconds.
[[nodiscard]] inline std::optional<std::uint64_t> parse_duration(std::string_view text) noexcept {
    constexpr std::array<std::pair<std::string_view, std::uint64_t>, 5> units{
        {{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}, {"", 1}}};
    constexpr std::uint64_t longest = 10'000'000'000;
    text_cursor c{text};
    auto const whole = c.decimal();
    if (not whole or *whole > longest) {
        return {};
    }
    std::uint64_t fraction = 0;
    std::uint64_t scale = 1;
    if (c.skip('.')) {
        auto const before = c.rest().size();
        auto const digits = c.decimal();
        auto count = before - c.rest().size();
        if (not digits or count > 9) {
            return {};
        }
        fraction = *digits;
        for (; count > 0; --count) {
            scale *= 10;
        }
    }
    c.skip_blanks();
    for (auto const& [name, ns] : units) {
        if (c.rest() == name) {
            std::uint64_t const part = fraction * ns;
            if (part % scale != 0 or *whole > longest / ns) {
                return {};
            }
            return *whole * ns + part / scale;
        }
    }
    return {};
}

} // namespace replay
