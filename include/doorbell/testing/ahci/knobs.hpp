// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"
#include "../timer_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace doorbell::testing {

/// How an AHCI model differs from the default. Plain data.
struct ahci_knobs {
    unsigned ports = 1;                            ///< 1 to 4, from port 0
    unsigned slots = 32;                           ///< command slots of each port
    std::uint64_t latency_ns = timer_table::never; ///< of each command; never: `finish` ends it
    std::uint64_t cause_gap_ns = 0;                ///< from the cleared bit of PxSACT or PxCI to the cause
    std::uint64_t stop_ns = 0;                     ///< from ST = 0 to CR = 0; never: only a reset of the link helps
    bool stuck = false;                            ///< with stop_ns never: only a reset of the adapter helps
    bool clears_busy = true;                       ///< PxCMD.CLO exists
    std::size_t log_entries = 0;                   ///< room of the access log
};

/// Programming errors of a driver that the AHCI model finds.
enum class ahci_error : std::uint8_t {
    misaligned,      ///< not a 32-bit access on a multiple of four
    outside,         ///< no such register or port
    ring_stopped,    ///< PxSACT or PxCI written while ST is 0
    ring_busy,       ///< bit written that is set already
    ring_beyond,     ///< bit at or above the number of slots
    sact_alone,      ///< PxCI without the bits of PxSACT that were written before it
    mixed,           ///< a queued and an unqueued command at a time
    start_running,   ///< ST set while CR still stands
    start_busy,      ///< ST set while BSY or DRQ stand
    start_deaf,      ///< ST set without FRE
    start_no_device, ///< ST set without a device
    start_stale,     ///< ST set while the disk still has commands of before
    count
};

/// One sentence for each error.
[[nodiscard]] constexpr char const* describe(ahci_error what) noexcept {
    constexpr std::array<char const*, static_cast<std::size_t>(ahci_error::count)> text{
        "access is not a whole aligned 32-bit word",
        "access to an offset or a port without a register",
        "command issued while the port is stopped (PxCMD.ST is 0)",
        "command issued in a slot that is busy",
        "command issued in a slot the adapter does not have",
        "PxCI was written without a slot that PxSACT announced",
        "queued and unqueued commands at the same time",
        "port started before PxCMD.CR fell",
        "port started while the device is busy (PxTFD)",
        "port started that does not receive (PxCMD.FRE is 0)",
        "port started without a device behind it (PxSSTS)",
        "port started while the disk still works on commands of before, whose link was not reset",
    };
    return text[static_cast<std::size_t>(what)];
}

/// Counts errors by kind.
class ahci_errors {
public:
    void add(ahci_error what) noexcept { ++by_kind_[static_cast<std::size_t>(what)]; }

    [[nodiscard]] std::uint32_t count(ahci_error what) const noexcept {
        return by_kind_[static_cast<std::size_t>(what)];
    }

    [[nodiscard]] std::uint32_t total() const noexcept {
        std::uint32_t sum = 0;
        for (std::uint32_t const n : by_kind_) {
            sum += n;
        }
        return sum;
    }

    [[nodiscard]] bool empty() const noexcept { return total() == 0; }

    void clear() noexcept { by_kind_ = {}; }

private:
    std::array<std::uint32_t, static_cast<std::size_t>(ahci_error::count)> by_kind_{};
};

} // namespace doorbell::testing
