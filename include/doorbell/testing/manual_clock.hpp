// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "hosted.hpp"

#include "../time/conversion.hpp"

#include <cstdint>

namespace doorbell::testing {

/// Time that moves only when it is told to. The test owns it; clocks are handles on it. Not for several threads at
/// once.
template <counter_rep Rep = std::uint64_t>
class manual_time {
public:
    constexpr explicit manual_time(Rep start = 0) noexcept : now_{start} {}

    manual_time(manual_time const&) = delete;
    manual_time& operator=(manual_time const&) = delete;

    /// Moves on, over the wrap where it lies in between.
    constexpr void advance(Rep ticks) noexcept { now_ = static_cast<Rep>(now_ + ticks); }

    /// Moves back, as counters of different cores and badly set clocks seem to.
    constexpr void step_back(Rep ticks) noexcept { now_ = static_cast<Rep>(now_ - ticks); }

    constexpr void set(Rep now) noexcept { now_ = now; }

    /// What the clocks show; not counted as a reading.
    [[nodiscard]] constexpr Rep peek() const noexcept { return now_; }

    /// How often the clocks were read.
    [[nodiscard]] constexpr std::uint64_t reads() const noexcept { return reads_; }

    constexpr void forget_reads() noexcept { reads_ = 0; }

    /// What a clock calls: the time, counted.
    [[nodiscard]] constexpr Rep read() noexcept {
        ++reads_;
        return now_;
    }

private:
    Rep now_;
    std::uint64_t reads_ = 0;
};

/// A handle on a manual_time, which must outlive it: a time source whose tick lasts NsPerTick nanoseconds by type.
template <counter_rep Rep = std::uint64_t, std::uint64_t NsPerTick = 1>
class manual_clock {
    static_assert(NsPerTick != 0, "doorbell: a tick of 0 ns is no clock; give manual_clock the length of a tick");

public:
    using rep = Rep;

    static constexpr std::uint64_t resolution_ns = NsPerTick;

    // Implicit, so that a test hands its time to a core as it is.
    constexpr manual_clock(manual_time<Rep>& time) noexcept : time_{&time} {} // NOLINT(google-explicit-constructor)

    [[nodiscard]] constexpr rep now() const noexcept { return time_->read(); }

    [[nodiscard]] static constexpr rep ticks(std::uint64_t ns) noexcept {
        return doorbell::detail::scaled<rep>(ns, 1, NsPerTick);
    }

private:
    manual_time<Rep>* time_;
};

static_assert(fixed_rate<manual_clock<>>);

/// The same with a rate that is known at run time only, in hertz; 0 is a clock that does not know it yet.
template <counter_rep Rep = std::uint64_t>
class measured_manual_clock {
public:
    using rep = Rep;

    constexpr measured_manual_clock(manual_time<Rep>& time, std::uint64_t hz) noexcept : time_{&time}, hz_{hz} {}

    [[nodiscard]] constexpr rep now() const noexcept { return time_->read(); }

    [[nodiscard]] constexpr std::uint64_t resolution_ns() const noexcept {
        return hz_ == 0 ? ~std::uint64_t{0} : doorbell::detail::divided_up(second, hz_);
    }

    [[nodiscard]] constexpr rep ticks(std::uint64_t ns) const noexcept {
        return doorbell::detail::scaled<rep>(ns, hz_, second);
    }

private:
    static constexpr std::uint64_t second = 1'000'000'000;

    manual_time<Rep>* time_;
    std::uint64_t hz_;
};

static_assert(measured_rate<measured_manual_clock<>>);

} // namespace doorbell::testing
