// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace doorbell::testing {

/// Slots that wait for the device to have room, first come first served. Each slot is in it at most once.
class slot_queue {
public:
    [[nodiscard]] bool empty() const noexcept { return count_ == 0; }

    void push(unsigned slot) noexcept { slots_[(first_ + count_++) % slots_.size()] = static_cast<std::uint8_t>(slot); }

    /// Precondition: not empty().
    unsigned pop() noexcept {
        unsigned const slot = slots_[first_];
        first_ = (first_ + 1) % slots_.size();
        --count_;
        return slot;
    }

    /// The others keep their order; nothing happens when the slot does not wait.
    void remove(unsigned slot) noexcept {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            std::uint8_t const other = slots_[(first_ + i) % slots_.size()];
            if (other != slot) {
                slots_[(first_ + kept++) % slots_.size()] = other;
            }
        }
        count_ = kept;
    }

private:
    std::array<std::uint8_t, 32> slots_{};
    std::size_t first_ = 0, count_ = 0;
};

} // namespace doorbell::testing
