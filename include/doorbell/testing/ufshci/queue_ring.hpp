// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"

#include <cstdint>

namespace doorbell::testing {

/// Arithmetic of one ring of 32-byte entries, from SQATTR or CQATTR. Pointers are byte offsets; head equal to tail
/// means empty, so one entry stays free.
class queue_ring {
public:
    /// False when an enabled ring would not hold two whole entries; nothing changes then.
    constexpr bool configure(std::uint32_t attribute) noexcept {
        std::uint32_t const bytes = ((attribute & 0xFFFFu) + 1) * 4;
        bool const enable = (attribute >> 31) != 0;
        if (enable and (bytes % 32 != 0 or bytes < 64)) {
            return false;
        }
        bytes_ = bytes;
        enabled_ = enable;
        return true;
    }

    [[nodiscard]] constexpr bool enabled() const noexcept { return enabled_; }

    [[nodiscard]] constexpr std::uint32_t bytes() const noexcept { return bytes_; }

    /// The pointer one entry further; precondition: enabled().
    [[nodiscard]] constexpr std::uint32_t advance(std::uint32_t pointer) const noexcept {
        return (pointer + 32) % bytes_;
    }

    /// Bytes from one pointer forward to another; precondition: enabled().
    [[nodiscard]] constexpr std::uint32_t distance(std::uint32_t from, std::uint32_t to) const noexcept {
        return (to % bytes_ + bytes_ - from % bytes_) % bytes_;
    }

private:
    std::uint32_t bytes_ = 64;
    bool enabled_ = false;
};

} // namespace doorbell::testing
