// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "outcome.hpp"
#include "results.hpp"
#include "tag_set.hpp"

#include <cstdint>
#include <type_traits>

namespace doorbell {

/// What an observer is told. An event carries the words the core holds anyway, so an observer that looks away costs no
/// instruction; sets travel as sets, since counting them would cost before it is known whether anybody counts.
namespace events {

/// These tags were accepted.
template <class Tags>
struct submit {
    Tags tags;
};
template <class Tags>
submit(Tags) -> submit<Tags>;

/// The doorbell is being rung for these tags.
template <class Tags>
struct ring {
    Tags tags;
};
template <class Tags>
ring(Tags) -> ring<Tags>;

/// The hard handler was entered and read these causes.
struct entry {
    std::uint32_t causes;
};

/// These tags were claimed, in one lock section.
template <class Tags>
struct claim {
    Tags tags;
};
template <class Tags>
claim(Tags) -> claim<Tags>;

/// This tag is done and its response is not written yet.
struct lag {
    tag which;
};

/// The callback of this tag is about to run.
struct callback {
    tag which;
    outcome result = outcome::not_written;
};

/// The thread was asked for.
struct wake {};

/// The hard handler is left with this result.
struct exit {
    irq_result result;
};

/// Hardware reports tags that nobody issued; they are ignored [T6].
template <class Tags>
struct unknown {
    Tags tags;
};
template <class Tags>
unknown(Tags) -> unknown<Tags>;

/// These causes were enabled and acknowledged, and nobody handles them [D2].
struct unhandled_cause {
    std::uint32_t causes;
};

/// Hardware finished these tags and no interrupt told so; the look before a timeout found them [X2].
template <class Tags>
struct missed {
    Tags tags;
};

template <class Tags>
missed(Tags) -> missed<Tags>;

/// A completion for a request that was already ended, or that names nobody's tag; ignored [T5].
struct late {
    tag which;
};

/// An interrupt with no cause of this controller [D5].
struct spurious {};

/// The controller no longer answers [D4].
struct gone {};

/// A submission was refused, and nothing was rung.
struct refused {
    submit_status why;
};

} // namespace events

/// Receives every event of a core [W4]. Each note() runs in the context of what it tells, hard handler included,
/// possibly with the core's lock held: it must not sleep, nor call the core. Two contexts that are in the core at once
/// may note at once. `note` takes sets of any capacity; the concept tries one.
template <class O>
concept observer = requires(
    O& o, events::submit<tag_set<32>> const& submit, events::ring<tag_set<32>> const& ring, events::entry const& entry,
    events::claim<tag_set<32>> const& claim, events::lag const& lag, events::callback const& callback,
    events::wake const& wake, events::exit const& exit, events::unknown<tag_set<32>> const& unknown,
    events::missed<tag_set<32>> const& missed, events::late const& late, events::unhandled_cause const& unhandled,
    events::spurious const& spurious, events::gone const& gone, events::refused const& refused) {
    { o.note(submit) } noexcept;
    { o.note(ring) } noexcept;
    { o.note(entry) } noexcept;
    { o.note(claim) } noexcept;
    { o.note(lag) } noexcept;
    { o.note(callback) } noexcept;
    { o.note(wake) } noexcept;
    { o.note(exit) } noexcept;
    { o.note(unknown) } noexcept;
    { o.note(unhandled) } noexcept;
    { o.note(spurious) } noexcept;
    { o.note(gone) } noexcept;
    { o.note(refused) } noexcept;
};

/// Sees nothing and costs nothing.
struct null_observer {
    template <class Event>
    [[gnu::always_inline]] constexpr void note(Event const&) const noexcept {}
};

static_assert(observer<null_observer>);

namespace detail {

// A relaxed load and store, not an atomic addition: cores without one could not build it, and a count that misses a
// race between two contexts is worth no locked instruction.
constexpr void add(std::uint32_t& counter, std::uint32_t by = 1) noexcept {
    if (std::is_constant_evaluated()) {
        counter += by;
    } else {
        __atomic_store_n(&counter, __atomic_load_n(&counter, __ATOMIC_RELAXED) + by, __ATOMIC_RELAXED);
    }
}

[[nodiscard]] constexpr std::uint32_t peek(std::uint32_t const& counter) noexcept {
    return std::is_constant_evaluated() ? counter : __atomic_load_n(&counter, __ATOMIC_RELAXED);
}

// By the walk and not size(): a processor without a population count would call the compiler's library for it.
template <class Tags>
constexpr void add_each(std::uint32_t& counter, Tags const& tags) noexcept {
    std::uint32_t count = 0;
    for ([[maybe_unused]] tag const t : tags) {
        ++count;
    }
    add(counter, count);
}

} // namespace detail

/// How often something happened that should not. Counters wrap at 2^32.
struct faults {
    std::uint32_t unknown = 0;   ///< tags reported that nobody issued
    std::uint32_t missed = 0;    ///< tags that finished without an interrupt
    std::uint32_t late = 0;      ///< completions of requests that had ended already
    std::uint32_t unhandled = 0; ///< entries with a cause that nobody handles
    std::uint32_t spurious = 0;  ///< interrupts without a cause
    std::uint32_t gone = 0;      ///< times the controller vanished
    std::uint32_t refused = 0;   ///< submissions refused
    friend constexpr bool operator==(faults const&, faults const&) noexcept = default;
};

/// Counts what should not happen and is blind to the rest, so the hot path carries none of it. What is used when no
/// observer is named.
class fault_counts {
public:
    template <class Event>
    [[gnu::always_inline]] constexpr void note(Event const&) noexcept {}

    template <class Tags>
    constexpr void note(events::unknown<Tags> const& e) noexcept {
        detail::add_each(counts_.unknown, e.tags);
    }

    template <class Tags>
    constexpr void note(events::missed<Tags> const& e) noexcept {
        detail::add_each(counts_.missed, e.tags);
    }

    constexpr void note(events::late const&) noexcept { detail::add(counts_.late); }

    constexpr void note(events::unhandled_cause const&) noexcept { detail::add(counts_.unhandled); }

    constexpr void note(events::spurious const&) noexcept { detail::add(counts_.spurious); }

    constexpr void note(events::gone const&) noexcept { detail::add(counts_.gone); }

    constexpr void note(events::refused const&) noexcept { detail::add(counts_.refused); }

    /// The counts so far. Any context, no lock: each is read whole, together they are no snapshot.
    [[nodiscard]] constexpr faults counts() const noexcept {
        return {detail::peek(counts_.unknown),   detail::peek(counts_.missed),   detail::peek(counts_.late),
                detail::peek(counts_.unhandled), detail::peek(counts_.spurious), detail::peek(counts_.gone),
                detail::peek(counts_.refused)};
    }

private:
    faults counts_{};
};

static_assert(observer<fault_counts>);

} // namespace doorbell
