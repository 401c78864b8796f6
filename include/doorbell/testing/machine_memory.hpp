// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "hosted.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace doorbell::testing {

/// Memory that the processor and the device both see, at a bus address. Coherent by default: one array. Split, each
/// side has a view of its own and bytes cross only when told, so that a missing barrier or DMA synchronisation shows.
/// Only bytes that the crossing side changed cross, as cache lines with byte masks do. One thread.
class machine_memory {
public:
    /// `split`: two views. Allocates once.
    machine_memory(std::size_t bytes, std::uint64_t base, bool split)
        : base_(base)
        , host_(bytes)
        , device_(split ? bytes : 0)
        , host_old_(device_.size())
        , device_old_(device_.size()) {}

    [[nodiscard]] std::size_t size() const noexcept { return host_.size(); }

    [[nodiscard]] std::uint64_t base() const noexcept { return base_; }

    [[nodiscard]] bool split() const noexcept { return not device_.empty(); }

    /// Processor's view of `bytes` bytes at bus address `at`; nullptr where they are not all inside.
    [[nodiscard]] unsigned char* host(std::uint64_t at, std::size_t bytes) noexcept {
        return inside(at, bytes) ? host_.data() + (at - base_) : nullptr;
    }

    /// Device's view; nullptr where they are not all inside.
    [[nodiscard]] unsigned char* device(std::uint64_t at, std::size_t bytes) noexcept {
        return inside(at, bytes) ? (split() ? device_.data() : host_.data()) + (at - base_) : nullptr;
    }

    /// What the processor changed becomes visible to the device. Nothing to do when coherent.
    void publish() noexcept { cross(host_, host_old_, device_, device_old_, 0, device_.size()); }

    void publish(std::uint64_t at, std::size_t bytes) noexcept {
        if (split() and inside(at, bytes)) {
            cross(host_, host_old_, device_, device_old_, at - base_, bytes);
        }
    }

    /// What the device changed becomes visible to the processor.
    void fetch() noexcept { cross(device_, device_old_, host_, host_old_, 0, device_.size()); }

    void fetch(std::uint64_t at, std::size_t bytes) noexcept {
        if (split() and inside(at, bytes)) {
            cross(device_, device_old_, host_, host_old_, at - base_, bytes);
        }
    }

    /// Whether the processor has written something in the range that the device cannot see yet.
    [[nodiscard]] bool unpublished(std::uint64_t at, std::size_t bytes) const noexcept {
        if (not split() or not inside(at, bytes)) {
            return false;
        }
        std::size_t const i = at - base_;
        return std::memcmp(host_.data() + i, host_old_.data() + i, bytes) != 0;
    }

private:
    using bytes_t = std::vector<unsigned char>;

    [[nodiscard]] bool inside(std::uint64_t at, std::size_t bytes) const noexcept {
        return at >= base_ and bytes <= host_.size() and at - base_ <= host_.size() - bytes;
    }

    static void cross(
        bytes_t& from, bytes_t& from_old, bytes_t& to, bytes_t& to_old, std::size_t first, std::size_t bytes) noexcept {
        constexpr std::size_t line = 64;
        for (std::size_t i = first; i < first + bytes;) {
            std::size_t const n = line < first + bytes - i ? line : first + bytes - i;
            if (std::memcmp(from.data() + i, from_old.data() + i, n) != 0) {
                for (std::size_t j = i; j < i + n; ++j) {
                    if (from[j] != from_old[j]) {
                        to[j] = to_old[j] = from_old[j] = from[j];
                    }
                }
            }
            i += n;
        }
    }

    std::uint64_t base_;
    bytes_t host_, device_;
    bytes_t host_old_, device_old_; // what each side last exchanged
};

} // namespace doorbell::testing
