// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../core/outcome.hpp"
#include "../core/shared_word.hpp"
#include "../core/tag.hpp"

#include <cstddef>
#include <cstdint>

namespace doorbell {

/// One place per tag where somebody waits for the end of that tag's request, and of no other. A driver keeps one, arms
/// a tag before it submits, and finishes it from its completion callback; `done` is what the waiter asks between two
/// looks. A tag is armed by its owner and finished by the one context that won it, so a place needs no lock: the
/// callback gives the tag back, and the word is written before that. Contexts: any. Cost: one store to arm, one load
/// and one store to finish. Bounded, no heap.
template <std::size_t Slots>
class waiters {
public:
    constexpr waiters() noexcept = default;

    /// Somebody is going to wait for this tag. Before it is submitted.
    constexpr void arm(tag which) noexcept { at(which).store(waiting); }

    /// The waiter has left: its deadline passed. What comes later is credited to nobody.
    constexpr void leave(tag which) noexcept { at(which).store(nobody); }

    /// From the completion callback. False when nobody waits for this tag: an end that nobody asked for wakes nobody.
    constexpr bool finish(tag which, outcome result) noexcept {
        if (at(which).load() != waiting) {
            return false;
        }
        at(which).store(finished + static_cast<std::uint32_t>(result));
        return true;
    }

    /// The request of this tag, as it was armed, has ended.
    [[nodiscard]] constexpr bool done(tag which) const noexcept { return places_[which.index].load() >= finished; }

    /// How it ended; `not_written` while it has not.
    [[nodiscard]] constexpr outcome result(tag which) const noexcept {
        return done(which) ? static_cast<outcome>(places_[which.index].load() - finished) : outcome::not_written;
    }

private:
    static constexpr std::uint32_t nobody = 0;
    static constexpr std::uint32_t waiting = 1;
    static constexpr std::uint32_t finished = 2;

    [[nodiscard]] constexpr shared_word& at(tag which) noexcept { return places_[which.index]; }

    shared_word places_[Slots]{};
};

} // namespace doorbell
