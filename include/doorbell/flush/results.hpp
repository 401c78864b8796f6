// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../core/results.hpp"
#include "../core/tag_set.hpp"
#include "../time/deadline.hpp"

#include <cstdint>

namespace doorbell {

/// What became of an event that a flush coalescer was told.
enum class flush_status : std::uint32_t {
    accepted, ///< taken in

    // Answers to a request for a flush.
    done,    ///< nothing is left to be flushed for it; at the level `deferred_unsafe`: it is promised for later
    failed,  ///< an error is due to this stream, or the domain is poisoned
    waiting, ///< it will be answered by the work of a later event

    // Refusals. Nothing changed.
    busy,          ///< this rider waits already; this stream has requests that wait
    no_place,      ///< there is no such rider: every request needs one of its own
    no_stream,     ///< this stream is not open, or is beyond the capacity
    no_domain,     ///< there is no such domain
    not_in_flight, ///< no such device flush is in flight: it was answered before, or ended by a reset
    already,       ///< it is so already: the stream is open, the coalescer stopped or suspended
    suspended,     ///< between suspend and resume
    stopped,       ///< after stop
};

/// What the device's answer to a flush proves. [F3]
enum class flush_end : std::uint32_t {
    done,         ///< it was executed, successfully
    not_executed, ///< it was not executed and may be repeated: busy, task set full, unit attention other than reset
    failed,       ///< anything else: medium error, abort, an answer that is not understood
    reset,        ///< it was not executed since the device was reset meanwhile, and its cache is lost
};

/// What is known of the cache of a domain. [F7]
enum class cache_mode : std::uint32_t {
    unknown,       ///< taken for a write-back cache
    write_back,    ///< a completed write may be lost by a power cut
    write_through, ///< a completed write is on the medium
};

/// What a reset did to writes that only the cache held. [F8]
enum class cache_fate : std::uint32_t { kept, lost };

/// How a write was issued.
enum class write_kind : std::uint32_t {
    cached,  ///< it needs a flush to be durable, unless the cache is known to be written through
    through, ///< with force unit access, on a device that has it: durable when complete [F7]
};

/// Why a domain owes errors.
enum class flush_error : std::uint32_t {
    none,
    write_failed, ///< a write was reported as failed
    flush_failed, ///< a device flush failed for good
    writes_lost,  ///< a reset or a power loss took what the cache held
};

/// A place in the sequence of a domain's completed writes; 0 is none.
using write_generation = std::uint64_t;

/// The place of a write that went through to the medium.
inline constexpr write_generation written_through = ~write_generation{0};

/// What an event asks the caller to do, as a value: nothing of it happens under the coalescer's lock. In this order:
/// hand over the device flushes, answer the riders, arm the timer. A set may be empty.
template <class Riders, class Domains, counter_rep Rep>
struct [[nodiscard]] flush_work {
    flush_status status = flush_status::accepted;
    std::uint32_t generation = 0; ///< of every flush in `issue`
    Domains issue{};              ///< domains whose device flush is to be handed over; one that covers all stands as 0
    Riders done{};                ///< riders to be answered: durable
    Riders failed{};              ///< riders to be answered: error
    bool quiesced = false;        ///< what stop or suspend asked for has happened: the device may be switched off
    bool lossy =
        false; ///< with `quiesced`: an error is due to somebody, or something was written behind the last flush
    bool timed = false; ///< call on_timer() at `when`
    deadline<Rep> when{};

    /// What the device flush of a domain of `issue` is called when it ends.
    [[nodiscard]] constexpr ticket ticket_for(tag domain) const noexcept { return {domain, generation}; }
};

} // namespace doorbell
