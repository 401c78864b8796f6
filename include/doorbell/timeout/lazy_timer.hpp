// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../time/deadline.hpp"

#include <type_traits>

namespace doorbell {

/// When the one timer of a core fires, and whether a new deadline has to move it.
/// Lazy: it is armed when it is not, or when the new deadline is earlier by more than the tolerance. Nobody disarms it
/// when requests complete; a wake that comes for nothing re-arms it or lets it rest. So a completion does nothing at
/// all here, and a submission hardly ever does something. [X1] Lock: the core's. No errors; each member a few
/// instructions. Distances are told by the signed modular difference. [B3]
template <counter_rep Rep, Rep Tolerance>
class lazy_timer {
    static_assert(
        Tolerance <= deadline<Rep>::longest,
        "doorbell: the tolerance of a timer is shorter than 7/16 of its counter's range; take a wider counter");

public:
    /// It fires early enough for this deadline.
    [[nodiscard, gnu::always_inline]] constexpr bool covers(deadline<Rep> wanted) const noexcept {
        return armed_ and distance(wanted, at_) <= static_cast<distance_type>(Tolerance);
    }

    /// True when the timer has to be armed for this deadline, as it is from here on. Otherwise it fires early enough.
    [[nodiscard]] constexpr bool want(deadline<Rep> wanted) noexcept {
        if (covers(wanted)) {
            return false;
        }
        armed_ = true;
        at_ = wanted;
        return true;
    }

    /// It has fired, or is not to be relied on: the next deadline arms it.
    constexpr void fired() noexcept { armed_ = false; }

    [[nodiscard]] constexpr bool armed() const noexcept { return armed_; }

    /// The moment for which it was last armed.
    [[nodiscard]] constexpr deadline<Rep> at() const noexcept { return at_; }

private:
    using distance_type = std::make_signed_t<Rep>;

    [[nodiscard]] static constexpr distance_type distance(deadline<Rep> from, deadline<Rep> to) noexcept {
        return static_cast<distance_type>(static_cast<Rep>(to.value() - from.value()));
    }

    deadline<Rep> at_{};
    bool armed_ = false;
};

} // namespace doorbell
