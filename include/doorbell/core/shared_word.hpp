// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <type_traits>

namespace doorbell {

/// A word that is written only with the core's lock held and may be read without it.
/// The lock orders its meaning; the word only promises that a read is never torn, so an access costs what a plain one
/// does. Contexts: any. There is no read-modify-write, which a core without compare-and-swap could not do. [T10]
class shared_word {
public:
    constexpr shared_word() noexcept = default;

    constexpr explicit shared_word(std::uint32_t value) noexcept : value_{value} {}

    [[nodiscard, gnu::always_inline]] constexpr std::uint32_t load() const noexcept {
        return std::is_constant_evaluated() ? value_ : __atomic_load_n(&value_, __ATOMIC_RELAXED);
    }

    /// For a word that nobody else touches meanwhile, as far as callers keep to the rules: compilers fold these
    /// accesses into the instructions that use them.
    [[nodiscard, gnu::always_inline]] constexpr std::uint32_t plain() const noexcept { return value_; }

    [[gnu::always_inline]] constexpr void plain_store(std::uint32_t value) noexcept { value_ = value; }

    /// Lock: the core's.
    [[gnu::always_inline]] constexpr void store(std::uint32_t value) noexcept {
        if (std::is_constant_evaluated()) {
            value_ = value;
        } else {
            __atomic_store_n(&value_, value, __ATOMIC_RELAXED);
        }
    }

    /// Lock: the core's.
    constexpr std::uint32_t exchange(std::uint32_t value) noexcept {
        std::uint32_t const before = load();
        store(value);
        return before;
    }

private:
    std::uint32_t value_ = 0;
};

} // namespace doorbell
