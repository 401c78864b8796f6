// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doorbell/controllers/ufshci/offsets.hpp>

#include <cstddef>
#include <cstdint>

namespace bench {

/// Memory that behaves like the registers that matter here: acknowledging clears, ringing sets.
struct registers {
    std::uint32_t volatile word[64]{};
    unsigned reads = 0, writes = 0;

    /// The hardware finishes `tags` and raises its cause.
    void finish(std::uint32_t tags) noexcept {
        word[doorbell::ufs::offset::utrldbr / 4] = word[doorbell::ufs::offset::utrldbr / 4] & ~tags;
        word[doorbell::ufs::offset::is / 4] = 1;
    }
};

/// A handle on them; `Counts` makes every access count.
template <bool Counts>
class bank {
public:
    explicit bank(registers& r) noexcept : registers_{&r} {}

    [[nodiscard]] std::uint32_t load(std::size_t offset) const noexcept {
        if constexpr (Counts) {
            ++registers_->reads;
        }
        return registers_->word[offset / 4];
    }

    void store(std::size_t offset, std::uint32_t value) const noexcept {
        if constexpr (Counts) {
            ++registers_->writes;
        }
        auto& word = registers_->word[offset / 4];
        if (offset == doorbell::ufs::offset::is) {
            word = word & ~value;
        } else if (offset == doorbell::ufs::offset::utrldbr) {
            word = word | value;
        } else {
            word = value;
        }
    }

    // What these are on x86-64: nothing but an order for the compiler.
    void before_doorbell() const noexcept { asm volatile("" ::: "memory"); }

    void after_done() const noexcept { asm volatile("" ::: "memory"); }

    void before_unlock() const noexcept { asm volatile("" ::: "memory"); }

private:
    registers* registers_;
};

} // namespace bench
