// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace replay {

/// Fills a part of the span with the next bytes and returns how many; 0 at the end.
using byte_source = std::function<std::size_t(std::span<char>)>;

/// One line of a text. The view lives until the next line is read.
struct text_line {
    std::string_view text{};
    std::uint64_t number = 0;
    bool ended = false;     ///< a newline closed it; without one the text was cut here
    bool shortened = false; ///< longer than `line_reader::longest`; only its beginning is kept
};

/// Reads lines from a byte source, one chunk at a time: memory does not grow with the text, nor with a single line.
/// Lines end in LF or CR LF.
class line_reader {
public:
    static constexpr std::size_t longest = std::size_t{64} * 1024;

    explicit line_reader(byte_source source) : source_{std::move(source)}, buffer_(4 * longest) {}

    /// Fetches the next line. False at the end of the text. Throws what the source throws.
    [[nodiscard]] bool next(text_line& out) {
        std::size_t scanned = 0;
        for (;;) {
            std::size_t const have = end_ - begin_;
            if (have > scanned) {
                char const* const from = buffer_.data() + begin_;
                void const* const hit = std::memchr(from + scanned, '\n', have - scanned);
                if (hit != nullptr) {
                    auto const length = static_cast<std::size_t>(static_cast<char const*>(hit) - from);
                    out = finish(length, true);
                    begin_ += length + 1;
                    return true;
                }
                scanned = have;
            }
            if (have > longest) {
                return skip_rest(out);
            }
            if (not fill()) {
                if (have == 0) {
                    return false;
                }
                out = finish(have, false);
                begin_ = end_;
                return true;
            }
        }
    }

    /// Bytes handed out by the source so far.
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

    /// Lines read so far.
    [[nodiscard]] std::uint64_t lines() const noexcept { return lines_; }

private:
    [[nodiscard]] text_line finish(std::size_t length, bool ended) {
        std::string_view text{buffer_.data() + begin_, std::min(length, longest)};
        if (length <= longest and text.ends_with('\r')) {
            text.remove_suffix(1);
        }
        return {text, ++lines_, ended, length > longest};
    }

    /// The line is too long to be kept: its head stays at the front of the buffer, the rest is read over it and
    /// dropped.
    [[nodiscard]] bool skip_rest(text_line& out) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, longest);
        std::size_t from = begin_ + longest;
        bool ended = false;
        for (;;) {
            char const* const data = buffer_.data() + from;
            void const* const hit = from < end_ ? std::memchr(data, '\n', end_ - from) : nullptr;
            if (hit != nullptr) {
                from += static_cast<std::size_t>(static_cast<char const*>(hit) - data) + 1;
                ended = true;
                break;
            }
            from = longest;
            std::size_t const got = source_(std::span{buffer_}.subspan(longest));
            bytes_ += got;
            end_ = longest + got;
            if (got == 0) {
                break;
            }
        }
        begin_ = from;
        out = {std::string_view{buffer_.data(), longest}, ++lines_, ended, true};
        return true;
    }

    [[nodiscard]] bool fill() {
        if (begin_ > 0) {
            std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
            end_ -= begin_;
            begin_ = 0;
        }
        std::size_t const got = source_(std::span{buffer_}.subspan(end_));
        bytes_ += got;
        end_ += got;
        return got > 0;
    }

    byte_source source_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t lines_ = 0;
};

} // namespace replay
