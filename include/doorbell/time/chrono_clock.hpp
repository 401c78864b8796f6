// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "conversion.hpp"

#include <chrono>
#include <cstdint>
#include <ratio>

namespace doorbell {

/// A std::chrono clock as a time source. Opt-in: it brings <chrono>, and so a hosted library. Any context in which the
/// clock may be read (mostly threads); no lock; no errors. Its resolution is that of its type; what the system behind
/// it really resolves, <chrono> does not tell.
template <class Clock>
class chrono_clock {
    static_assert(
        Clock::is_steady, "doorbell: this clock can be set, so limits kept with it can be missed; "
                          "use std::chrono::steady_clock");

    using tick_ns = std::ratio_multiply<typename Clock::period, std::giga>;

public:
    using rep = std::uint64_t;

    static constexpr std::uint64_t resolution_ns =
        detail::divided_up(static_cast<std::uint64_t>(tick_ns::num), static_cast<std::uint64_t>(tick_ns::den));

    [[nodiscard]] rep now() const noexcept { return static_cast<rep>(Clock::now().time_since_epoch().count()); }

    /// Whole ticks in `ns` nanoseconds, rounded down, at most half the counter's range.
    [[nodiscard]] static constexpr rep ticks(std::uint64_t ns) noexcept {
        return detail::scaled<rep>(
            ns, static_cast<std::uint64_t>(tick_ns::den), static_cast<std::uint64_t>(tick_ns::num));
    }
};

static_assert(fixed_rate<chrono_clock<std::chrono::steady_clock>>);

} // namespace doorbell
