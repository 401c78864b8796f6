// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../controllers/ufshci/causes.hpp"
#include "../hosted.hpp"

#include <cstdint>

namespace doorbell::testing {

/// One interrupt aggregation unit (UTRIACR, and CQIACR of each queue): counts completions that do not interrupt by
/// themselves. It fires when the counter *reaches* the threshold, so a counter that software never resets fires once.
/// The timer runs from the first counted completion. Disabling keeps the count and stops the timer (not certain).
class aggregator {
public:
    /// What a write wants done with the timer.
    enum class timer_action : std::uint8_t { keep, stop };

    constexpr timer_action write(std::uint32_t value) noexcept {
        namespace bit = ufs::aggregation;
        bool const resets = (value & bit::counter_reset) != 0;
        if (resets) {
            count_ = 0;
        }
        std::uint32_t kept = value & (bit::enable | bit::parameter_write);
        if ((value & bit::parameter_write) != 0) {
            kept |= value & (bit::threshold | bit::timeout);
        } else {
            kept |= word_ & (bit::threshold | bit::timeout);
        }
        word_ = kept;
        return resets or not enabled() ? timer_action::stop : timer_action::keep;
    }

    [[nodiscard]] constexpr std::uint32_t read() const noexcept {
        return word_ | (count_ != 0 ? ufs::aggregation::counting : 0u);
    }

    [[nodiscard]] constexpr bool enabled() const noexcept { return (word_ & ufs::aggregation::enable) != 0; }

    [[nodiscard]] constexpr std::uint32_t count() const noexcept { return count_; }

    /// Nanoseconds of the timer; 0: none.
    [[nodiscard]] constexpr std::uint64_t timeout_ns() const noexcept {
        return std::uint64_t{word_ & ufs::aggregation::timeout} * ufs::aggregation::timeout_unit_ns;
    }

    struct counted {
        bool fires;  ///< the threshold is reached by this completion
        bool starts; ///< it is the first one: the timer starts
    };

    /// Counts one completion; precondition: enabled().
    constexpr counted completion() noexcept {
        std::uint32_t const threshold = (word_ & ufs::aggregation::threshold) >> ufs::aggregation::threshold_shift;
        ++count_;
        return {threshold != 0 and count_ == threshold, count_ == 1};
    }

    constexpr void reset() noexcept { *this = {}; }

private:
    std::uint32_t word_ = 0;
    std::uint32_t count_ = 0;
};

} // namespace doorbell::testing
