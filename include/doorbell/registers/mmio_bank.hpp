// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "barriers.hpp"
#include "concepts.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace doorbell {

/// Registers of a device at an address, mapped as device (uncached, unbuffered) memory by the caller. Little endian in
/// any processor mode. Any context, no lock, no errors; each load or store is one access of 32 bits [R3] and, on a
/// little-endian processor, one instruction. Copies are handles on the same registers.
class mmio_bank {
public:
    /// `base` is the address of offset 0, aligned to 4 bytes, and mapped as long as the bank is used.
    constexpr explicit mmio_bank(std::uintptr_t base) noexcept : base_{base} {}

    [[nodiscard]] std::uint32_t load(std::size_t offset) const noexcept { return little_endian(*at(offset)); }

    void store(std::size_t offset, std::uint32_t value) const noexcept { *at(offset) = little_endian(value); }

    /// [R4]
    void before_doorbell() const noexcept { barriers::before_doorbell(); }

    void after_done() const noexcept { barriers::after_done(); }

    void before_unlock() const noexcept { barriers::before_unlock(); }

private:
    // An offset from an aligned pointer, and not a sum of numbers: compilers then put it into the instruction.
    [[nodiscard, gnu::always_inline]] std::uint32_t volatile* at(std::size_t offset) const noexcept {
        void* const first = __builtin_assume_aligned(reinterpret_cast<void*>(base_), 4);
        // A register is where its offset says; there is no object that the pointers could be checked against.
        // NOLINTNEXTLINE(bugprone-casting-through-void)
        return static_cast<std::uint32_t volatile*>(static_cast<void*>(static_cast<char*>(first) + offset));
    }

    [[nodiscard]] static constexpr std::uint32_t little_endian(std::uint32_t word) noexcept {
        if constexpr (std::endian::native == std::endian::big) {
            return __builtin_bswap32(word);
        } else {
            return word;
        }
    }

    std::uintptr_t base_;
};

static_assert(register_bank<mmio_bank> and register_bank<mmio_bank const>);

} // namespace doorbell
