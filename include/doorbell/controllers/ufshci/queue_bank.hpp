// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../registers/concepts.hpp"
#include "queue_state.hpp"

#include <cstddef>
#include <cstdint>

namespace doorbell::ufs {

/// The registers of a controller, seen by the core of one queue: a bank, and a handle of that queue's state, which the
/// driver owns.
template <register_bank Bank, std::size_t Slots>
class queue_bank {
public:
    using state = queue_state<Slots>;

    constexpr queue_bank(Bank registers, state& queue) noexcept : registers_{registers}, queue_{&queue} {}

    [[nodiscard]] std::uint32_t load(std::size_t offset) noexcept { return registers_.load(offset); }

    void store(std::size_t offset, std::uint32_t value) noexcept { registers_.store(offset, value); }

    void before_doorbell() noexcept { registers_.before_doorbell(); }

    void after_done() noexcept { registers_.after_done(); }

    void before_unlock() noexcept { registers_.before_unlock(); }

    [[nodiscard]] constexpr state& queue() noexcept { return *queue_; }

    /// The block of registers at `base`, for the typed operations.
    [[nodiscard]] auto at(std::size_t base) noexcept { return block{*this, base}; }

private:
    struct block {
        queue_bank& bank;
        std::size_t base;

        [[nodiscard]] std::uint32_t load(std::size_t offset) noexcept { return bank.load(base + offset); }

        void store(std::size_t offset, std::uint32_t value) noexcept { bank.store(base + offset, value); }

        void before_doorbell() noexcept { bank.before_doorbell(); }

        void after_done() noexcept { bank.after_done(); }

        void before_unlock() noexcept { bank.before_unlock(); }
    };

    Bank registers_;
    state* queue_;
};

} // namespace doorbell::ufs
