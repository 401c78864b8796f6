// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace replay {

/// Walks over a piece of text from left to right. Nothing here throws or allocates.
class text_cursor {
public:
    constexpr explicit text_cursor(std::string_view text) noexcept : text_{text} {}

    [[nodiscard]] constexpr bool empty() const noexcept { return text_.empty(); }

    [[nodiscard]] constexpr std::string_view rest() const noexcept { return text_; }

    [[nodiscard]] constexpr bool at(char c) const noexcept { return not text_.empty() and text_.front() == c; }

    /// Steps over blanks; true when there was at least one.
    constexpr bool skip_blanks() noexcept {
        std::size_t n = 0;
        while (n < text_.size() and is_blank(text_[n])) {
            ++n;
        }
        text_.remove_prefix(n);
        return n > 0;
    }

    /// Steps over `expected` when it stands here.
    constexpr bool skip(std::string_view expected) noexcept {
        if (not text_.starts_with(expected)) {
            return false;
        }
        text_.remove_prefix(expected.size());
        return true;
    }

    constexpr bool skip(char expected) noexcept {
        if (not at(expected)) {
            return false;
        }
        text_.remove_prefix(1);
        return true;
    }

    /// A decimal number; nothing when none stands here or when it does not fit 64 bits.
    constexpr std::optional<std::uint64_t> decimal() noexcept {
        std::size_t n = 0;
        std::uint64_t value = 0;
        while (n < text_.size() and is_digit(text_[n])) {
            auto const digit = static_cast<std::uint64_t>(text_[n] - '0');
            constexpr auto most = std::numeric_limits<std::uint64_t>::max();
            if (value > (most - digit) / 10) {
                return {};
            }
            value = value * 10 + digit;
            ++n;
        }
        if (n == 0) {
            return {};
        }
        text_.remove_prefix(n);
        return value;
    }

    /// A hexadecimal number after `0x`; nothing when none stands here or when it does not fit 64 bits.
    constexpr std::optional<std::uint64_t> hexadecimal() noexcept {
        if (not text_.starts_with("0x")) {
            return {};
        }
        std::size_t n = 2;
        std::uint64_t value = 0;
        for (; n < text_.size(); ++n) {
            int const digit = hex_digit(text_[n]);
            if (digit < 0) {
                break;
            }
            if ((value >> 60) != 0) {
                return {};
            }
            value = value * 16 + static_cast<std::uint64_t>(digit);
        }
        if (n == 2) {
            return {};
        }
        text_.remove_prefix(n);
        return value;
    }

    /// Everything up to the next blank or the end.
    constexpr std::string_view word() noexcept {
        std::size_t n = 0;
        while (n < text_.size() and not is_blank(text_[n])) {
            ++n;
        }
        std::string_view const found = text_.substr(0, n);
        text_.remove_prefix(n);
        return found;
    }

    [[nodiscard]] static constexpr bool is_blank(char c) noexcept { return c == ' ' or c == '\t'; }

    [[nodiscard]] static constexpr bool is_digit(char c) noexcept { return c >= '0' and c <= '9'; }

private:
    [[nodiscard]] static constexpr int hex_digit(char c) noexcept {
        if (is_digit(c)) {
            return c - '0';
        }
        if (c >= 'a' and c <= 'f') {
            return c - 'a' + 10;
        }
        if (c >= 'A' and c <= 'F') {
            return c - 'A' + 10;
        }
        return -1;
    }

    std::string_view text_;
};

} // namespace replay
