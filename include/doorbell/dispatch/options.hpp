// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../core/observer.hpp"
#include "../dma/concepts.hpp"
#include "../lock/concepts.hpp"

namespace doorbell {

struct observer_family;
struct dma_family;
struct cores_family;
struct placement_family;

/// Option of `host`: who is told of every event. Default: fault_counts. [W4]
template <observer Observer>
struct observed_by {
    using family = observer_family;
    using type = Observer;
};

/// Option of `host`: how memory is handed to the device and back. Default: coherent. [R5]
template <dma_policy Policy>
struct dma_by {
    using family = dma_family;
    using type = Policy;
};

/// Option of `host`: how many processor cores may run this core's code at the same time. A lock that only masks
/// interrupts excludes nobody on another processor core, so it needs cores<1>. Default: many. [T9]
/// With cores<1> the driver may have no `synchronize`, and then promises that `stop`, `reset` and `gate` preempt no run
/// of `on_thread` or `poll`: one main loop calls them all. Under a scheduler that preempts, write `synchronize`. [D7]
template <unsigned Count>
struct cores {
    static_assert(Count > 0, "doorbell: cores<0> runs nothing; write cores<1> for one processor core");
    using family = cores_family;
    static constexpr bool one = Count == 1;
};

/// Option of `host`, a promise: the hard handler never interrupts code that holds the core's lock, because it runs as a
/// thread or on a processor core that runs nothing else of this core. Then a lock need not mask interrupts. [T9]
struct hard_handler_elsewhere {
    using family = placement_family;
    static constexpr bool nests = false;
};

/// The default: the hard handler may interrupt any code on its processor core.
struct hard_handler_nests {
    using family = placement_family;
    static constexpr bool nests = true;
};

struct timeout_family;

/// The default: requests have no deadlines. The others are uniform_timeouts and mixed_timeouts, in timeout/options.hpp.
struct no_timeouts {
    using family = timeout_family;

    /// Nothing is kept, and asking costs nothing.
    struct nothing {
        /// What a submission may say about its time: nothing.
        struct limit_type {};

        using rep = std::uint32_t;
        static constexpr bool keeps = false;

        template <class Tags>
        [[nodiscard, gnu::always_inline]] static constexpr Tags shut() noexcept {
            return {};
        }

        template <class Tags>
        [[nodiscard, gnu::always_inline]] static constexpr bool ready(Tags, limit_type) noexcept {
            return true;
        }

        template <class TagOrSet>
        [[gnu::always_inline]] static constexpr void note(TagOrSet, limit_type) noexcept {}

        template <class Driver, class Tags>
        [[gnu::always_inline]] static constexpr void admit(Driver&, Tags, limit_type) noexcept {}
    };

    template <std::size_t Slots, class Driver>
    using state = nothing;
};

/// The lock never puts the hard handler to sleep. [T9]
template <class Lock>
concept sleepless_lock = lock_policy<Lock> and not Lock::traits.may_sleep;

/// The hard handler never waits for code that it has interrupted: the lock masks it, or it comes from elsewhere. [T9]
template <class Lock, class Placement>
concept interruptible_lock = lock_policy<Lock> and (Lock::traits.masks_interrupts or not Placement::nests);

/// Nobody else is in the section: the lock excludes other processor cores, or there are none. [T9]
template <class Lock, class Cores>
concept excluding_lock = lock_policy<Lock> and (Lock::traits.excludes_cores or Cores::one);

struct giveback_family;

/// The default: callbacks run where completions are found. The other is in_bottom_half, in deferral/giveback.hpp.
struct in_place {
    using family = giveback_family;
    static constexpr bool defers = false;

    /// Nothing waits anywhere.
    struct nothing {
        static constexpr bool defers = false;

        template <class Clock>
        [[nodiscard]] static constexpr bool fits(Clock const&) noexcept {
            return true;
        }

        [[nodiscard]] static constexpr bool quiet() noexcept { return true; }
    };

    template <std::size_t Slots, class Driver, class Clock>
    using state = nothing;
};

struct polling_family;

/// Option of `host`: whoever looks first completes a request, its poller or an interrupt. The default. [T8]
struct complete_polled {
    using family = polling_family;
    static constexpr bool leaves = false;
};

/// Option of `host`: requests of `submit_polled` are left to `poll`; interrupts and thread runs do not touch them,
/// until `leave_to_anyone` says that their poller is gone. One more word is read per claim. [T8]
struct leave_polled {
    using family = polling_family;
    static constexpr bool leaves = true;
};

/// Names the loop that calls `on_thread` while no threads run: an idle loop, a resume path. [D7]
template <auto Loop>
struct drained_by {};

/// Nobody was named.
struct drained_by_nobody {};

} // namespace doorbell
