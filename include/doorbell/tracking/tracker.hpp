// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include "../lock/locked.hpp"
#include "request_states.hpp"

namespace doorbell {

/// The outstanding requests of one completion source, behind one lock.
///
/// Exactly one context wins each request: the words that say so change only inside a section of this lock, and the
/// read of the hardware stands inside it too. No callback runs in a section, and none is stored here. [T1] [T2] [T3]
/// A section is bounded: word operations and at most one access to the hardware. [T4] One section per submit, one per
/// claim, one more only when a leftover is parked. [T10]
/// Contexts: those in which the lock may be taken.
template <std::size_t Slots, lock_policy Lock>
class tracker {
public:
    using states = request_states<Slots>;
    using tags = typename states::tags;

    constexpr tracker() noexcept = default;

    constexpr explicit tracker(Lock lock) noexcept : lock_{lock} {}

    /// Runs `section(states&)` with the lock held, for callers that keep state of their own behind it.
    template <class Section>
    [[gnu::always_inline]] constexpr auto locked(Section section) noexcept {
        return doorbell::locked(lock_, [this, section]() mutable noexcept { return section(states_); });
    }

    template <class Ring>
    [[gnu::always_inline]] constexpr submitted submit(tags set, Ring ring) noexcept {
        return locked([set, ring](states& s) noexcept { return s.submit(set, ring); });
    }

    template <class Busy>
    [[nodiscard, gnu::always_inline]] constexpr claim_result<tags> claim(Busy busy) noexcept {
        return locked([busy](states& s) noexcept { return s.claim(busy); });
    }

    [[nodiscard]] constexpr bool park(tags unasked, tags lagging) noexcept {
        return locked([=](states& s) noexcept { return s.park(unasked, lagging); });
    }

    [[nodiscard]] constexpr withdrawal quarantine(ticket const& which) noexcept {
        return locked([which](states& s) noexcept { return s.quarantine(which); });
    }

    [[nodiscard]] constexpr bool release(tag which) noexcept {
        return locked([which](states& s) noexcept { return s.release(which); });
    }

    /// The caller won this tag and is about to run its callback. No lock.
    [[gnu::always_inline]] constexpr void give_back(tag which) noexcept { states_.give_back(which); }

    constexpr void open(tags usable) noexcept {
        locked([usable](states& s) noexcept { s.open(usable); });
    }

    [[nodiscard]] constexpr tags outstanding() noexcept {
        return locked([](states& s) noexcept { return s.outstanding(); });
    }

    [[nodiscard]] constexpr tags parked() noexcept {
        return locked([](states& s) noexcept { return s.parked(); });
    }

private:
    states states_{};
    [[no_unique_address]] Lock lock_{};
};

} // namespace doorbell
