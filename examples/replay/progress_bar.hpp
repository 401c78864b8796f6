// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstdint>
#include <ostream>
#include <string>

namespace replay {

/// A bar on a terminal that shows how far a long input has been read. It comes up when reading takes a while, and goes
/// away by itself.
class progress_bar {
public:
    using clock = std::chrono::steady_clock;

    /// Nothing is shown when `out` is null (no terminal) or the size is not known.
    progress_bar(std::ostream* out, std::uint64_t size, clock::duration patience = std::chrono::milliseconds{200})
        : out_{size == 0 ? nullptr : out}, size_{size}, next_{clock::now() + patience} {}

    progress_bar(progress_bar const&) = delete;
    progress_bar& operator=(progress_bar const&) = delete;

    ~progress_bar() {
        if (shown_) {
            *out_ << "\r" << std::string(width + 10, ' ') << "\r" << std::flush;
        }
    }

    void show(std::uint64_t done) {
        if (out_ == nullptr) {
            return;
        }
        auto const now = clock::now();
        if (now < next_) {
            return;
        }
        next_ = now + std::chrono::milliseconds{100};
        shown_ = true;
        std::uint64_t const part = done < size_ ? done : size_;
        auto const full = static_cast<std::size_t>(part * width / size_);
        *out_ << "\r[" << std::string(full, '#') << std::string(width - full, '.') << "] " << part * 100 / size_ << " %"
              << std::flush;
    }

private:
    static constexpr std::size_t width = 50;

    std::ostream* out_;
    std::uint64_t size_;
    clock::time_point next_;
    bool shown_ = false;
};

} // namespace replay
