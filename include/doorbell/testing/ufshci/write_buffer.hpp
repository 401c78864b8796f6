// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace doorbell::testing {

/// Posted register writes on their way to the device, in order. Bounded; the owner lands the first when it is full.
class write_buffer {
public:
    struct write {
        std::size_t offset;
        std::uint32_t value;
    };

    [[nodiscard]] bool empty() const noexcept { return count_ == 0; }

    [[nodiscard]] bool full() const noexcept { return count_ == writes_.size(); }

    /// Precondition: not full().
    void push(write w) noexcept { writes_[(first_ + count_++) % writes_.size()] = w; }

    /// Precondition: not empty().
    write pop() noexcept {
        write const w = writes_[first_];
        first_ = (first_ + 1) % writes_.size();
        --count_;
        return w;
    }

    /// How many a read of `offset` pushes ahead of itself: all, or on a weak bus those up to the last one to the same
    /// register.
    [[nodiscard]] std::size_t pushed_by(std::size_t offset, bool weak) const noexcept {
        std::size_t n = count_;
        while (weak and n != 0 and writes_[(first_ + n - 1) % writes_.size()].offset != offset) {
            --n;
        }
        return n;
    }

private:
    std::array<write, 64> writes_{};
    std::size_t first_ = 0, count_ = 0;
};

} // namespace doorbell::testing
