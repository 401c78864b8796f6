// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>

namespace doorbell {

/// A counter of 16, 32 or 64 bits that wraps to 0.
template <class Rep>
concept counter_rep =
    std::same_as<Rep, std::uint16_t> or std::same_as<Rep, std::uint32_t> or std::same_as<Rep, std::uint64_t>;

/// Something that tells the time in ticks of its own: now() is called in the hard handler, must not lock or sleep, and
/// may be read again after a wrap. It should count on at an even rate; a frozen or slightly backward one breaks nothing
/// but the limits that were to be kept with it [B3].
template <class T>
concept time_source = requires(T& clock) {
    typename T::rep;
    { clock.now() } noexcept -> std::same_as<typename T::rep>;
} and counter_rep<typename T::rep>;

/// A time source whose rate is part of its type. `resolution_ns` is the length of a tick in nanoseconds, rounded up and
/// at least 1. `ticks(ns)` is the number of whole ticks in `ns`, rounded down; what does not fit is cut to half the
/// counter's range, the longest distance that can be told from one into the past.
template <class T>
concept fixed_rate = time_source<T> and requires(std::uint64_t ns) {
    { T::resolution_ns } -> std::convertible_to<std::uint64_t>;
    { T::ticks(ns) } noexcept -> std::same_as<typename T::rep>;
    requires T::resolution_ns >= 1;
    requires T::ticks(0) == 0;
};

/// A time source whose rate is known at run time only: the same two as const member functions. One that does not know
/// its rate yet answers with a resolution too coarse for anything [B2].
template <class T>
concept measured_rate = time_source<T> and not fixed_rate<T> and requires(T const& clock, std::uint64_t ns) {
    { clock.resolution_ns() } noexcept -> std::same_as<std::uint64_t>;
    { clock.ticks(ns) } noexcept -> std::same_as<typename T::rep>;
};

/// The length of a tick in nanoseconds, rounded up, of either kind of clock; a constant when the rate is fixed.
/// Any context, no lock, no errors.
template <class T>
    requires fixed_rate<T> or measured_rate<T>
[[nodiscard]] constexpr std::uint64_t resolution_ns_of([[maybe_unused]] T const& clock) noexcept {
    if constexpr (fixed_rate<T>) {
        return T::resolution_ns;
    } else {
        return clock.resolution_ns();
    }
}

} // namespace doorbell
