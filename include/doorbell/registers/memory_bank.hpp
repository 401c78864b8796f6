// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"

#include <cstddef>
#include <cstdint>

namespace doorbell {

/// Registers that are plain words: every one keeps what is stored, no access has an effect, barriers do nothing. For
/// constant evaluation, measurements and the simplest tests; testing/ has a model that behaves like hardware. No lock,
/// no errors; an offset must be a multiple of 4 below Bytes. It owns its words: copies are apart.
template <std::size_t Bytes>
class memory_bank {
    static_assert(Bytes >= 4 and Bytes % 4 == 0, "doorbell: a memory_bank holds whole 32-bit words; round its size up");

public:
    constexpr memory_bank() noexcept = default;

    [[nodiscard]] constexpr std::uint32_t load(std::size_t offset) const noexcept { return words_[offset / 4]; }

    constexpr void store(std::size_t offset, std::uint32_t value) noexcept { words_[offset / 4] = value; }

    constexpr void before_doorbell() const noexcept {}

    constexpr void after_done() const noexcept {}

    constexpr void before_unlock() const noexcept {}

private:
    std::uint32_t words_[Bytes / 4]{};
};

static_assert(register_bank<memory_bank<4>>);

} // namespace doorbell
