// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "conversion.hpp"

#include <limits>
#include <type_traits>

namespace doorbell {

/// A moment on a wrapping counter. Whether it has passed is told by the signed difference, so it is right on both sides
/// of the wrap and every value is a moment like any other: 0 does not mean "none" [B3].
///
/// At most 7/16 of the counter's range ahead; longer ones are cut to that. The 1/16 that is kept back from half the
/// range is how far the clock may step backward without making a fresh deadline look passed. A passed deadline looks
/// passed for half the range; a walk that comes later than that must have latched the expiry. Any context, no lock, no
/// errors.
template <counter_rep Rep>
class deadline {
public:
    using rep = Rep;

    /// The farthest that a deadline can lie ahead, in ticks.
    static constexpr Rep longest = longest_distance<Rep> - std::numeric_limits<Rep>::max() / 16;

    constexpr deadline() noexcept = default;

    /// The moment at which the counter reads `moment`.
    constexpr explicit deadline(Rep moment) noexcept : moment_{moment} {}

    /// The moment `ticks` after `now`.
    [[nodiscard]] static constexpr deadline after(Rep now, Rep ticks) noexcept {
        return deadline{static_cast<Rep>(now + (ticks < longest ? ticks : longest))};
    }

    /// It is `now` or lies behind.
    [[nodiscard]] constexpr bool expired(Rep now) const noexcept {
        // The cast back to the counter's own width undoes the promotion of 16-bit counters to int.
        return static_cast<std::make_signed_t<Rep>>(static_cast<Rep>(now - moment_)) >= 0;
    }

    /// Ticks until it expires; 0 when it has.
    [[nodiscard]] constexpr Rep remaining(Rep now) const noexcept {
        return expired(now) ? Rep{0} : static_cast<Rep>(moment_ - now);
    }

    /// What the counter reads at that moment.
    [[nodiscard]] constexpr Rep value() const noexcept { return moment_; }

    friend constexpr bool operator==(deadline, deadline) noexcept = default;

private:
    Rep moment_ = 0;
};

/// No limit. A type of its own, so that no number of ticks has to mean it [B3].
struct unlimited {
    template <counter_rep Rep>
    [[nodiscard]] static constexpr bool expired(Rep) noexcept {
        return false;
    }

    friend constexpr bool operator==(unlimited, unlimited) noexcept = default;
};

/// A limit that can be asked about a reading of a counter: a deadline or none.
template <class L, class Rep>
concept time_limit = counter_rep<Rep> and requires(L const& limit, Rep now) {
    { limit.expired(now) } noexcept -> std::same_as<bool>;
};
static_assert(
    time_limit<deadline<std::uint16_t>, std::uint16_t> and time_limit<deadline<std::uint32_t>, std::uint32_t> and
    time_limit<deadline<std::uint64_t>, std::uint64_t> and time_limit<unlimited, std::uint64_t>);

} // namespace doorbell
