// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "observer.hpp"

namespace doorbell {

/// How often each thing happened. Counters wrap at 2^32: take differences. At drain `callbacks` equals `submitted`:
/// every request that was accepted ended once, in whatever way [W1].
struct activity {
    std::uint32_t submitted = 0; ///< tags accepted
    std::uint32_t rings = 0;     ///< doorbell writes
    std::uint32_t entries = 0;   ///< hard handler entries
    std::uint32_t claims = 0;    ///< looks for something to claim
    std::uint32_t claimed = 0;   ///< tags claimed, a leftover anew each time
    std::uint32_t lags = 0;      ///< times a response was not there yet
    std::uint32_t callbacks = 0; ///< completion callbacks
    std::uint32_t wakes = 0;     ///< times the thread was asked for
    std::uint32_t exits = 0;     ///< hard handler exits
    faults fault{};              ///< what should not happen
    friend constexpr bool operator==(activity const&, activity const&) noexcept = default;
};

/// The observer that counts every event [W4]. A few instructions for each; counts are exact as long as no two contexts
/// note at the same moment, and never torn.
class statistics {
public:
    template <class Tags>
    constexpr void note(events::submit<Tags> const& e) noexcept {
        detail::add_each(counts_.submitted, e.tags);
    }

    template <class Tags>
    constexpr void note(events::ring<Tags> const&) noexcept {
        detail::add(counts_.rings);
    }

    constexpr void note(events::entry const&) noexcept { detail::add(counts_.entries); }

    template <class Tags>
    constexpr void note(events::claim<Tags> const& e) noexcept {
        detail::add(counts_.claims);
        detail::add_each(counts_.claimed, e.tags);
    }

    constexpr void note(events::lag const&) noexcept { detail::add(counts_.lags); }

    constexpr void note(events::callback const&) noexcept { detail::add(counts_.callbacks); }

    constexpr void note(events::wake const&) noexcept { detail::add(counts_.wakes); }

    constexpr void note(events::exit const&) noexcept { detail::add(counts_.exits); }

    template <class Tags>
    constexpr void note(events::missed<Tags> const& e) noexcept {
        faults_.note(e);
    }

    constexpr void note(events::late const& e) noexcept { faults_.note(e); }

    template <class Tags>
    constexpr void note(events::unknown<Tags> const& e) noexcept {
        faults_.note(e);
    }

    constexpr void note(events::unhandled_cause const& e) noexcept { faults_.note(e); }

    constexpr void note(events::spurious const& e) noexcept { faults_.note(e); }

    constexpr void note(events::gone const& e) noexcept { faults_.note(e); }

    constexpr void note(events::refused const& e) noexcept { faults_.note(e); }

    /// The counts so far. Any context, no lock: each is read whole, together they are no snapshot.
    [[nodiscard]] constexpr activity counts() const noexcept {
        using detail::peek;
        return {peek(counts_.submitted), peek(counts_.rings), peek(counts_.entries),   peek(counts_.claims),
                peek(counts_.claimed),   peek(counts_.lags),  peek(counts_.callbacks), peek(counts_.wakes),
                peek(counts_.exits),     faults_.counts()};
    }

private:
    activity counts_{};
    fault_counts faults_{};
};

static_assert(observer<statistics>);

} // namespace doorbell
