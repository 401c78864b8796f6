// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace doorbell::detail {

/// Waits in turn and does not wait, and goes by what is shorter: the mean round of a stream, from one answer to the
/// next. For the cases where arithmetic cannot tell. The one that lost is looked at again now and then, briefly. Times
/// are ticks of one clock. Lock: the coalescer's.
class grace_trial {
public:
    /// Waiting is on.
    [[nodiscard]] constexpr bool waits() const noexcept { return arm_ == 1; }

    /// Time has passed since the last call.
    constexpr void passed(std::uint64_t time) noexcept { age_ += time; }

    /// A stream has its answer, so long after its last one. Counts if all of that was under the same rule.
    constexpr void round(std::uint64_t time) noexcept {
        if (time <= age_) {
            sum_ += time;
            ++rounds_;
        }
    }

    /// A flush has ended.
    constexpr void flushed() noexcept {
        ++flushes_;
        bool const enough = flushes_ >= shortest and (rounds_ == 0 or age_ >= sum_ / rounds_ * several);
        if (not enough and flushes_ < longest) {
            return;
        }
        if (rounds_ != 0) {
            std::uint64_t const now = sum_ / rounds_;
            mean_[arm_] = mean_[arm_] == 0 ? now : (mean_[arm_] + now) / 2;
        }
        flushes_ = 0;
        rounds_ = 0;
        sum_ = age_ = 0;
        ++periods_;
        arm_ = next();
    }

private:
    static constexpr unsigned shortest = 16; ///< flushes of a period
    static constexpr unsigned longest = 256;
    static constexpr unsigned several = 6; ///< mean rounds of a period, so that the long ones count too
    static constexpr unsigned second_look = 32;

    [[nodiscard]] constexpr unsigned next() const noexcept {
        if (mean_[0] == 0 or mean_[1] == 0) {
            return mean_[0] == 0 ? 0 : 1;
        }
        // What is hardly better than not to wait is not worth waiting for.
        unsigned const better = mean_[1] + mean_[1] / 32 < mean_[0] ? 1 : 0;
        return periods_ % second_look == 0 ? 1 - better : better;
    }

    std::uint64_t mean_[2]{};
    std::uint64_t sum_ = 0;
    std::uint64_t age_ = 0; ///< of this period
    std::uint32_t rounds_ = 0;
    unsigned flushes_ = 0;
    unsigned periods_ = 0;
    unsigned arm_ = 0;
};

} // namespace doorbell::detail
