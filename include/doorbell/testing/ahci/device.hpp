// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace doorbell::testing {

/// What a SATA device remembers of its last error, and what it does until somebody asks: after a queued command failed,
/// it works on nothing and refuses every command but a read of log page 10h, which tells the slot and ends that state.
/// One thread.
class sata_device {
public:
    static constexpr std::uint8_t status_ok = 0x50, status_failed = 0x41, aborted = 0x04;

    /// A command failed. `queued` ones stop the device.
    constexpr void fail(unsigned slot, bool queued, std::uint8_t error) noexcept {
        page_ = {};
        page_[0] = static_cast<std::uint8_t>((queued ? 0U : 0x80U) | (slot & 31U));
        page_[2] = status_failed;
        page_[3] = error;
        page_[511] = checksum();
        refusing_ = queued;
    }

    /// It works on no queued command until its log was read, or it was reset.
    [[nodiscard]] constexpr bool refusing() const noexcept { return refusing_; }

    /// Log page 10h as a read returns it: bit 7 of byte 0 set: not queued; bits 4 to 0: the slot; bytes 2 and 3: status
    /// and error; the last byte makes the sum of all 512 zero. Ends the refusal.
    constexpr std::array<std::uint8_t, 512> read_log() noexcept {
        refusing_ = false;
        return page_;
    }

    constexpr void reset() noexcept {
        refusing_ = false;
        page_ = {};
    }

private:
    [[nodiscard]] constexpr std::uint8_t checksum() const noexcept {
        unsigned sum = 0;
        for (std::size_t n = 0; n < 511; ++n) {
            sum += page_[n];
        }
        return static_cast<std::uint8_t>(0x100U - (sum & 0xFFU));
    }

    std::array<std::uint8_t, 512> page_{};
    bool refusing_ = false;
};

} // namespace doorbell::testing
