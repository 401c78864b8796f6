// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "results.hpp"

#include <concepts>

namespace doorbell {

/// Who does what a coalescer asks for. `issue` hands a device flush over, and tells flush_ended when it ends or cannot
/// be handed over; `flushed` answers a rider.
template <class P>
concept flush_performer = requires(P& performer, ticket const& which, tag rider, bool durable) {
    { performer.issue(which) } noexcept;
    { performer.flushed(rider, durable) } noexcept;
};

/// One that also keeps a timer: `wake_at` is told when on_timer() is due, the last call counts.
template <class P, class Rep>
concept flush_timekeeper = flush_performer<P> and requires(P& performer, deadline<Rep> when) {
    { performer.wake_at(when) } noexcept;
};

/// One that waits for stop or suspend: `quiesced` tells that the device may be switched off, and whether an error is
/// due.
template <class P>
concept flush_quiescer = flush_performer<P> and requires(P& performer, bool lossy) {
    { performer.quiesced(lossy) } noexcept;
};

/// Does what an event asked for, in order. Context: that of the caller; the coalescer's lock must not be held, and no
/// callback finds it held. Callbacks may tell the coalescer of the next event. Cost: one call for each flush and rider.
template <class Riders, class Domains, class Rep, flush_performer Performer>
constexpr void carry_out(flush_work<Riders, Domains, Rep> const& work, Performer& performer) noexcept {
    for (tag const each : work.issue) {
        performer.issue(work.ticket_for(each));
    }
    for (tag const each : work.done) {
        performer.flushed(each, true);
    }
    for (tag const each : work.failed) {
        performer.flushed(each, false);
    }
    if constexpr (flush_timekeeper<Performer, Rep>) {
        if (work.timed) {
            performer.wake_at(work.when);
        }
    }
    if constexpr (flush_quiescer<Performer>) {
        if (work.quiesced) {
            performer.quiesced(work.lossy);
        }
    }
}

} // namespace doorbell
