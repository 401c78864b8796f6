// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../core/tag_set.hpp"
#include "../time/deadline.hpp"

#include <cstddef>
#include <cstdint>

namespace doorbell::detail {

/// The one place in which a domain has a device flush in flight, and who waits before it. Lock: the coalescer's. [F2]
template <std::size_t Riders, std::size_t Streams, counter_rep Rep>
struct flush_slot {
    using riders = tag_set<Riders>;

    riders riding{};              ///< answered by the flush in flight; fixed when it was issued [F2]
    riders sharing{};             ///< came later, and nothing was written since it was handed over [F1]
    riders waiting{};             ///< for the next one
    tag_set<Streams> streams{};   ///< those of the waiting riders
    tag_set<Streams> before[2]{}; ///< those of the last two flushes
    std::uint32_t generation = 0; ///< of the flush in flight
    unsigned repeated = 0;        ///< how often
    tag last{};                   ///< whose turn it was, where each has a flush of its own
    deadline<Rep> due{};
    bool taken = false;   ///< a flush is in flight
    bool overdue = false; ///< its time is over and its riders were told; the device may still be at it
    bool timed = false;   ///< `due` counts
    bool urgent = false;  ///< no grace
    bool tried = false;   ///< a flush was handed over since the coalescer was told to come to rest

    /// This flush is what the device answers.
    [[nodiscard]] constexpr bool is(std::uint32_t which) const noexcept { return taken and generation == which; }

    /// Later requests may be answered with the flush in flight, if it covers them.
    [[nodiscard]] constexpr bool shareable() const noexcept { return taken and not overdue; }

    constexpr void wait(tag rider, tag stream) noexcept {
        waiting.insert(rider);
        streams.insert(stream);
    }

    /// Takes out who is answered by the flush that is issued now: all who wait, or the next in turn. [F2]
    constexpr void freeze(bool one_each) noexcept {
        riders const chosen = one_each and not waiting.empty() ? riders{next()} : waiting;
        waiting -= chosen;
        riding = chosen;
        sharing = {};
        before[1] = before[0];
        before[0] = streams;
        streams = {};
        repeated = 0;
        timed = false;
        urgent = false;
    }

    /// The flush in flight is over: who was to be answered by it.
    [[nodiscard]] constexpr riders vacate() noexcept {
        riders const all = riding | sharing;
        riding = sharing = {};
        taken = overdue = false;
        return all;
    }

    [[nodiscard]] constexpr riders take_waiting() noexcept {
        riders const all = waiting;
        waiting = {};
        streams = {};
        return all;
    }

private:
    // Round and round, so that nobody who comes back at once keeps a higher tag waiting for ever.
    [[nodiscard]] constexpr tag next() noexcept {
        riders later = waiting;
        while (not later.empty() and later.front() <= last) {
            later.pop_front();
        }
        last = later.empty() ? waiting.front() : later.front();
        return last;
    }
};

} // namespace doorbell::detail
