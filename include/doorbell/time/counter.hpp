// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "conversion.hpp"

#include <limits>
#include <type_traits>

namespace doorbell {

/// A reader without state: Read{}() returns what a hardware counter of 16, 32 or 64 bits shows.
template <class R>
concept counter_reader = std::is_empty_v<R> and requires {
    { R{}() } noexcept;
    requires counter_rep<decltype(R{}())>;
};

/// A hardware counter as a time source: a tick lasts NsNum / NsDen nanoseconds. A 24 MHz counter is
/// counter<reader, 1000, 24>. Any context in which the reader may be called; no lock; no errors; one reading each.
template <counter_reader Read, std::uint64_t NsNum, std::uint64_t NsDen = 1>
class counter {
    static_assert(NsNum != 0 and NsDen != 0, "doorbell: a tick lasts NsNum / NsDen nanoseconds; neither may be 0");
    static_assert(
        NsNum <= std::numeric_limits<std::uint64_t>::max() / (NsDen != 0 ? NsDen : 1),
        "doorbell: NsNum * NsDen does not fit 64 bits; reduce the fraction");

public:
    using rep = decltype(Read{}());

    static constexpr std::uint64_t resolution_ns = detail::divided_up(NsNum, NsDen);

    [[nodiscard]] rep now() const noexcept { return Read{}(); }

    /// Whole ticks in `ns` nanoseconds, rounded down, at most half the counter's range.
    [[nodiscard]] static constexpr rep ticks(std::uint64_t ns) noexcept {
        return detail::scaled<rep>(ns, NsDen, NsNum);
    }
};

namespace detail {
struct stopped_counter {
    std::uint32_t operator()() const noexcept { return 0; }
};
} // namespace detail

static_assert(fixed_rate<counter<detail::stopped_counter, 1000, 24>>);

} // namespace doorbell
