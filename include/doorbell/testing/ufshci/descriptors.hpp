// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "aggregator.hpp"
#include "line.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace doorbell::testing {

/// Layer of what lies in memory for a transfer request: the descriptor (32 bytes, at UTRLBA + 32 * slot) with its
/// interrupt bit and status, the command descriptor with request and response. The device reads and writes bytes; a
/// driver under test does the same through `descriptor()`.
class ufshci_descriptors : public ufshci_line {
public:
    static constexpr std::size_t utrd_bytes = 32;
    static constexpr std::size_t ocs_byte = 8;

    /// Bus address of the descriptor of `slot`.
    [[nodiscard]] std::uint64_t descriptor_address(unsigned slot) const noexcept {
        std::uint64_t const list = (std::uint64_t{reg(ufs::offset::utrlbau)} << 32) | reg(ufs::offset::utrlba);
        return list + utrd_bytes * slot;
    }

    /// The processor's view of the descriptor of `slot`; nullptr when the list lies outside of the memory.
    [[nodiscard]] unsigned char* descriptor(unsigned slot) noexcept {
        return memory_.host(descriptor_address(slot), utrd_bytes);
    }

    /// What a driver does before it rings: zeroed descriptor, status "not written yet", interrupt bit as wanted.
    void prepare(unsigned slot, bool interrupts = true) noexcept {
        if (unsigned char* const d = descriptor(slot)) {
            std::memset(d, 0, utrd_bytes);
            d[ocs_byte] = ufs::ocs::not_written;
            d[3] = interrupts ? 1 : 0;
        }
    }

    /// The status of `slot` as a driver sees it in the descriptor; "not written yet" while it is, or where there is
    /// no memory the status the device gave last.
    [[nodiscard]] std::uint32_t ocs(unsigned slot) noexcept {
        if (unsigned char const* const d = descriptor(slot)) {
            if (knobs_.dma_needs_sync and ((answered_ >> (slot % 32)) & 1u) != 0) {
                error(driver_error::sync_cpu_missing, ufs::offset::utrldbr, slot);
            }
            return d[ocs_byte];
        }
        return given_[slot % 32];
    }

    /// The descriptor as the device saw it when the doorbell was rung last.
    [[nodiscard]] std::array<unsigned char, utrd_bytes> const& seen_descriptor(unsigned slot) const noexcept {
        return seen_[slot % 32];
    }

    /// DMA policy of the bank: `slot`'s descriptor, command descriptor and response cross to the device.
    void for_device(unsigned slot) noexcept {
        note(access_kind::for_device, 0, slot);
        if (((reg(ufs::offset::utrldbr) >> (slot % 32)) & 1u) != 0) {
            error(driver_error::sync_order, ufs::offset::utrldbr, slot);
            return;
        }
        synced_ |= 1u << (slot % 32);
        if (knobs_.dma_needs_sync) {
            memory_.publish(descriptor_address(slot), utrd_bytes);
            extent const c = command_extent(slot);
            memory_.publish(c.at, c.bytes);
        }
    }

    /// The other way, after completion and before the response is read.
    void for_cpu(unsigned slot) noexcept {
        note(access_kind::for_cpu, 0, slot);
        if (((reg(ufs::offset::utrldbr) >> (slot % 32)) & 1u) != 0) {
            error(driver_error::sync_order, ufs::offset::utrldbr, slot);
            return;
        }
        answered_ &= ~(1u << (slot % 32));
        if (knobs_.dma_needs_sync) {
            memory_.fetch(descriptor_address(slot), utrd_bytes);
            extent const c = command_extent(slot);
            memory_.fetch(c.at, c.bytes);
        }
    }

protected:
    explicit ufshci_descriptors(ufshci_knobs const& knobs) : ufshci_line(knobs) {
        for (unsigned slot = 0; slot < 32; ++slot) {
            given_[slot] = ufs::ocs::not_written;
            prepare(slot);
        }
        memory_.publish();
    }

    struct extent {
        std::uint64_t at;
        std::size_t bytes;
    };

    /// Command descriptor of a slot (request, response, physical region table) from the device's or processor's view.
    [[nodiscard]] extent command_extent(unsigned slot) noexcept {
        unsigned char const* const d = memory_.host(descriptor_address(slot), utrd_bytes);
        return d == nullptr ? extent{0, 0} : command_of(d);
    }

    [[nodiscard]] static extent command_of(unsigned char const* d) noexcept {
        std::uint64_t const at = (std::uint64_t{word(d + 20)} << 32) | (word(d + 16) & ~0x7Fu);
        std::size_t const response_end = std::size_t{4} * (half(d + 26) + half(d + 24));
        std::size_t const table_end = std::size_t{4} * half(d + 30) + std::size_t{16} * half(d + 28);
        return {at, response_end > table_end ? response_end : table_end};
    }

    [[nodiscard]] static std::uint32_t word(unsigned char const* p) noexcept {
        return static_cast<std::uint32_t>(p[0]) | (static_cast<std::uint32_t>(p[1]) << 8) |
               (static_cast<std::uint32_t>(p[2]) << 16) | (static_cast<std::uint32_t>(p[3]) << 24);
    }

    [[nodiscard]] static std::uint32_t half(unsigned char const* p) noexcept {
        return static_cast<std::uint32_t>(p[0]) | (static_cast<std::uint32_t>(p[1]) << 8);
    }

    [[nodiscard]] bool interrupt_bit(unsigned slot) noexcept {
        unsigned char const* const d = memory_.device(descriptor_address(slot), utrd_bytes);
        return d == nullptr or (d[3] & 1u) != 0;
    }

    /// What the device finds when it fetches the descriptor at the ring.
    void check_ring(unsigned slot) noexcept {
        std::uint32_t const bit = 1u << slot;
        given_[slot] = ufs::ocs::not_written;
        if (knobs_.memory_bytes == 0) {
            return;
        }
        std::uint64_t const at = descriptor_address(slot);
        unsigned char const* const d = memory_.device(at, utrd_bytes);
        if (d == nullptr) {
            error(driver_error::memory_outside, ufs::offset::utrlba, reg(ufs::offset::utrlba));
            return;
        }
        if (knobs_.dma_needs_sync and (synced_ & bit) == 0) {
            error(driver_error::sync_device_missing, ufs::offset::utrldbr, bit);
        } else if (memory_.unpublished(at, utrd_bytes)) {
            error(
                knobs_.dma_needs_sync ? driver_error::sync_device_missing : driver_error::ring_unpublished,
                ufs::offset::utrldbr, bit);
        } else if (knobs_.check_descriptors and d[ocs_byte] != ufs::ocs::not_written) {
            error(driver_error::ring_dirty, ufs::offset::utrldbr, bit);
        }
        synced_ &= ~bit;
        answered_ &= ~bit;
        std::memcpy(seen_[slot].data(), d, utrd_bytes);
    }

    /// The device writes the status into the descriptor.
    void answer(unsigned slot, std::uint32_t ocs) noexcept {
        given_[slot % 32] = ocs;
        answered_ |= 1u << (slot % 32);
        if (unsigned char* const d = memory_.device(descriptor_address(slot), utrd_bytes)) {
            d[ocs_byte] = static_cast<unsigned char>(ocs);
        }
    }

private:
    std::array<std::array<unsigned char, utrd_bytes>, 32> seen_{};
    std::array<std::uint32_t, 32> given_{};
    std::uint32_t synced_ = 0;   // for_device() done, not rung yet
    std::uint32_t answered_ = 0; // device wrote, for_cpu() not done yet
};

} // namespace doorbell::testing
