// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "hosted.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace doorbell::testing {

/// What one line of the log is about.
enum class access_kind : std::uint8_t {
    read,
    write,
    before_doorbell, ///< barriers of the bank
    after_done,
    before_unlock,
    for_device, ///< DMA policy; value is the tag
    for_cpu,
    finish, ///< device: value is the slot
    line_up,
    line_down,
    pulse,
    power ///< device reset or power cut
};

/// One line: plain data, 24 bytes.
struct access {
    std::uint64_t time = 0;
    std::uint32_t offset = 0;
    std::uint32_t value = 0;
    access_kind kind = access_kind::read;

    [[nodiscard]] friend constexpr bool operator==(access const& a, access const& b) noexcept {
        return a.kind == b.kind and a.offset == b.offset and a.value == b.value;
    }
};

/// Bounded log: keeps the last `capacity` lines, numbers all of them. Allocates once, when it is made. One thread.
class access_log {
public:
    explicit access_log(std::size_t capacity = 0) : lines_(capacity) {}

    [[nodiscard]] bool enabled() const noexcept { return not lines_.empty(); }

    void note(access const& line) noexcept {
        if (not enabled()) {
            return;
        }
        lines_[next_] = line;
        next_ = next_ + 1 == lines_.size() ? 0 : next_ + 1;
        ++total_;
    }

    /// Lines kept.
    [[nodiscard]] std::size_t size() const noexcept { return total_ < lines_.size() ? total_ : lines_.size(); }

    /// Lines ever noted since the last clear().
    [[nodiscard]] std::size_t total() const noexcept { return total_; }

    /// The i-th kept line, oldest first; precondition: i < size().
    [[nodiscard]] access const& operator[](std::size_t i) const noexcept {
        std::size_t const start = total_ < lines_.size() ? 0 : next_;
        return lines_[(start + i) % lines_.size()];
    }

    /// Forgets the lines, keeps the room.
    void clear() noexcept {
        next_ = 0;
        total_ = 0;
    }

private:
    std::vector<access> lines_;
    std::size_t next_ = 0;
    std::size_t total_ = 0;
};

} // namespace doorbell::testing
