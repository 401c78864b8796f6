// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../registers/concepts.hpp"
#include "../../registers/memory_bank.hpp"

#include <cstddef>
#include <cstdint>

namespace doorbell::ufs {

/// A part of a bank that starts at `base`, for blocks whose place is known only at run time (queues). A bank itself;
/// same contexts and cost as the bank below, plus one addition. The bank below must outlive it.
template <register_bank Bank>
class bank_window {
public:
    constexpr bank_window(Bank& bank, std::size_t base) noexcept : bank_(&bank), base_(base) {}

    [[nodiscard]] constexpr std::uint32_t load(std::size_t offset) const noexcept {
        return bank_->load(base_ + offset);
    }

    constexpr void store(std::size_t offset, std::uint32_t value) const noexcept {
        bank_->store(base_ + offset, value);
    }

    constexpr void before_doorbell() const noexcept { bank_->before_doorbell(); }

    constexpr void after_done() const noexcept { bank_->after_done(); }

    constexpr void before_unlock() const noexcept { bank_->before_unlock(); }

private:
    Bank* bank_;
    std::size_t base_;
};

static_assert(register_bank<bank_window<memory_bank<64>>>);

} // namespace doorbell::ufs
