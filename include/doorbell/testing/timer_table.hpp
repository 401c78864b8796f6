// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "hosted.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace doorbell::testing {

/// Numbered one-shot timers in virtual time. Equal due times fire in the order in which they were armed, so a script
/// is repeatable. One thread. No allocation; arming costs a few instructions, taking one walks only the armed timers.
class timer_table {
public:
    static constexpr unsigned capacity = 512;
    static constexpr unsigned none = capacity;
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    /// Arms timer `id` (anew, if it was armed) for virtual time `due`, in nanoseconds.
    constexpr void arm(unsigned id, std::uint64_t due) noexcept {
        armed_[id / 64] |= std::uint64_t{1} << (id % 64);
        due_[id] = due;
        order_[id] = ++sequence_;
        if (first_ == id) {
            find_first();
        } else if (first_ == none or due < due_[first_]) {
            first_ = id;
        }
    }

    constexpr void disarm(unsigned id) noexcept {
        armed_[id / 64] &= ~(std::uint64_t{1} << (id % 64));
        if (first_ == id) {
            find_first();
        }
    }

    [[nodiscard]] constexpr bool armed(unsigned id) const noexcept {
        return ((armed_[id / 64] >> (id % 64)) & 1u) != 0;
    }

    [[nodiscard]] constexpr std::uint64_t due(unsigned id) const noexcept { return armed(id) ? due_[id] : never; }

    /// Virtual time of the next timer, `never` when none is armed.
    [[nodiscard]] constexpr std::uint64_t next() const noexcept { return first_ == none ? never : due_[first_]; }

    /// Disarms and returns the first timer; precondition: one is armed.
    constexpr unsigned take() noexcept {
        unsigned const id = first_;
        disarm(id);
        return id;
    }

private:
    constexpr void find_first() noexcept {
        unsigned best = none;
        for (unsigned word = 0; word < armed_.size(); ++word) {
            for (std::uint64_t rest = armed_[word]; rest != 0; rest &= rest - 1) {
                unsigned const id = word * 64 + static_cast<unsigned>(std::countr_zero(rest));
                if (best == none or due_[id] < due_[best] or (due_[id] == due_[best] and order_[id] < order_[best])) {
                    best = id;
                }
            }
        }
        first_ = best;
    }

    std::array<std::uint64_t, capacity / 64> armed_{};
    std::array<std::uint64_t, capacity> due_{};
    std::array<std::uint64_t, capacity> order_{};
    std::uint64_t sequence_ = 0;
    unsigned first_ = none;
};

} // namespace doorbell::testing
