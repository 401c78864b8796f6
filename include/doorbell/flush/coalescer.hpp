// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../core/outcome.hpp"
#include "../lock/locked.hpp"
#include "states.hpp"

#include <cstdint>

namespace doorbell {

/// Decides when a device's volatile cache is flushed, so that every request that is answered as a success is true, with
/// as few device flushes as that allows. It touches no device and calls nobody: events go in, `flush_work` comes out as
/// a value, and the caller hands over flushes, answers riders and arms its timer, all outside the lock.
///
/// `Clock` is read by the levels that wait (grouped, deferred_unsafe) and by no other. Options, in any order: a level
/// (strict, riding, grouped<...>, deferred_unsafe<...>) and those of flush/options.hpp. No heap; the capacities are
/// part of the type. A rider is a tag by which the caller knows a request; a stream is one party that asks and is told
/// of errors; a domain is a namespace or logical unit. What a copy does, the original never hears of.
///
/// Contexts: any that the lock allows; the clock is read before the lock is taken. Cost of every verb: one lock
/// section, of word operations and loops over riders, domains and slots.
template <time_source Clock, lock_policy Lock, option... Options>
class flush_coalescer {
    static_assert(
        (detail::flush_option<Options> and ...),
        "doorbell: flush_coalescer does not know this option; it takes a level and those of flush/options.hpp");

    using setup = detail::flush_setup<Clock, Lock, options<Options...>>;
    using states = detail::flush_states<setup>;

public:
    using level = typename setup::level;
    using riders = typename states::riders;
    using domains = typename states::domains;
    using work = typename states::work;
    using rep = typename Clock::rep;

    constexpr explicit flush_coalescer(Clock clock = {}, Lock lock = {}) noexcept : clock_{clock}, lock_{lock} {
        static_assert(
            not level::answers_early,
            "doorbell: deferred_unsafe loses acknowledged writes on a power cut; use riding or grouped, or pass "
            "i_accept_the_loss_of_acknowledged_writes{} to the constructor");
    }

    /// For the level that loses data, and for no other. [F4]
    constexpr flush_coalescer(i_accept_the_loss_of_acknowledged_writes, Clock clock = {}, Lock lock = {}) noexcept
        requires level::answers_early
        : clock_{clock}, lock_{lock} {}

    /// A party appears, under a number of its own. It inherits an error that nobody was told of. accepted, already,
    /// no_stream.
    flush_status open(tag stream) noexcept {
        return locked(lock_, [&]() noexcept { return states_.open(stream); });
    }

    /// It goes. accepted, no_stream, busy while a request of it waits.
    flush_status close(tag stream) noexcept {
        return locked(lock_, [&]() noexcept { return states_.close(stream); });
    }

    /// A write was completed; call it before whoever wrote is told. Its place tells later whether it is durable; 0:
    /// there is no such domain. Cost of a success: one increment, and no lock section where the core can increment 64
    /// bits at once. A failed write fails the next flush of each stream, unless failed_write_is_told. [F1] [F7] [F8]
    write_generation
    write_completed(tag domain, outcome result = outcome::success, write_kind kind = write_kind::cached) noexcept {
        if (not exists(domain)) [[unlikely]] {
            return 0;
        }
        if (result != outcome::success) [[unlikely]] {
            return locked(lock_, [&]() noexcept { return states_.write_failed(domain); });
        }
        if (kind == write_kind::through) {
            return written_through;
        }
        if constexpr (setup::count == detail::counting::locked) {
            return locked(lock_, [&]() noexcept { return states_.domain(domain).advance(); });
        } else {
            return states_.domain(domain).advance();
        }
    }

    /// Something was completed that is not known to be read-only. It counts as a write. [F7]
    write_generation unknown_completed(tag domain) noexcept { return write_completed(domain); }

    /// A stream wants everything to be durable that was completed in this domain, or in these. The answer is in the
    /// status, or follows in the work of a later event, as this rider. Costs no device access where it can ride. [F1]
    work flush(tag rider, tag stream, tag domain) noexcept { return ask(rider, stream, set_of(domain), false); }

    work flush(tag rider, tag stream, domains where) noexcept { return ask(rider, stream, where, false); }

    /// The same and at once: it ends a grace, and at every level it is answered when it is true. [F5]
    work barrier(tag rider, tag stream, tag domain) noexcept { return ask(rider, stream, set_of(domain), true); }

    work barrier(tag rider, tag stream, domains where) noexcept { return ask(rider, stream, where, true); }

    /// A device flush of `issue` has ended. Call it once for each, also when it could not be handed over
    /// (not_executed). not_in_flight where nothing of this name is. [F2] [F3]
    work flush_ended(ticket const& which, flush_end how) noexcept {
        return timed([&](rep now) noexcept { return states_.ended(clock_, which, how, now); });
    }

    /// Its time is over. The riders fail now; the place stays taken until flush_ended or device_reset, and what that
    /// says does not count. Whichever of flush_ended and this is told first is the result. [X2]
    work flush_timed_out(ticket const& which) noexcept {
        return timed([&](rep now) noexcept { return states_.timed_out(which, now); });
    }

    /// The device was reset, or its power was lost. Flushes in flight are over. Tell it before the first command after
    /// the reset is submitted; where a reset is planned, suspend first. [F8]
    work device_reset(cache_fate fate) noexcept { return device_reset(fate, domains::all()); }

    work device_reset(cache_fate fate, domains where) noexcept {
        return timed([&](rep now) noexcept { return states_.reset(clock_, where, fate, now); });
    }

    /// The device is being recovered: no flush is handed over until release, and who asks meanwhile waits. Tell what
    /// becomes of the flush in flight, and of the cache, as usual. [F2]
    void hold() noexcept {
        locked(lock_, [&]() noexcept { states_.hold(); });
    }

    work release() noexcept {
        return timed([&](rep now) noexcept { return states_.release(clock_, now); });
    }

    /// What is known of the cache from now on. Say `unknown` before a mode is changed, and the new one when the device
    /// has it and no write from before is under way. accepted, no_domain. [F7]
    flush_status set_cache_mode(tag domain, cache_mode mode) noexcept {
        if (not exists(domain)) {
            return flush_status::no_domain;
        }
        locked(lock_, [&]() noexcept { states_.domain(domain).set_mode(mode); });
        return flush_status::accepted;
    }

    /// The time that a `work` asked for has come. Too early, or with a clock that was set back, it changes nothing.
    /// [F5]
    work on_timer() noexcept {
        return timed([&](rep now) noexcept { return states_.timer(clock_, now); });
    }

    /// Before power is taken from the device, or its clocks: requests are refused from now on, and one flush for each
    /// domain that is not known to be clean is issued. `quiesced` comes with this or a later event. accepted, already.
    work suspend() noexcept {
        return timed([&](rep now) noexcept { return states_.rest(clock_, false, now); });
    }

    /// The device is back. If its cache was lost, say device_reset(lost) first. accepted, already, stopped.
    work resume() noexcept {
        return locked(lock_, [&]() noexcept { return states_.resume(); });
    }

    /// Before the device goes for good: as suspend. accepted, already.
    work stop() noexcept {
        return timed([&](rep now) noexcept { return states_.rest(clock_, true, now); });
    }

    /// The owner of the data has found out what the medium holds and starts from there: errors of the past are settled.
    /// accepted, no_domain. [F3] [F8]
    flush_status start_over(tag domain) noexcept {
        if (not exists(domain)) {
            return flush_status::no_domain;
        }
        locked(lock_, [&]() noexcept { states_.domain(domain).start_over(); });
        return flush_status::accepted;
    }

    /// A completed write is on the medium, and no failure speaks against it. [F3]
    [[nodiscard]] bool durable(tag domain, write_generation place) noexcept {
        return exists(domain) and locked(lock_, [&]() noexcept { return states_.domain(domain).durable(place); });
    }

    /// Nothing is left to be flushed, and this is known. [F7]
    [[nodiscard]] bool clean(tag domain) noexcept {
        return exists(domain) and locked(lock_, [&]() noexcept { return states_.domain(domain).clean(); });
    }

    /// Writes and flushes of this domain are to fail until start_over. Lock: none. [F3]
    [[nodiscard]] bool poisoned(tag domain) const noexcept {
        return exists(domain) and states_.domain(domain).poisoned();
    }

    /// What the last error of a domain was.
    [[nodiscard]] flush_error error(tag domain) noexcept {
        return exists(domain) ? locked(lock_, [&]() noexcept { return states_.domain(domain).why(); })
                              : flush_error::none;
    }

    /// How old an acknowledged write may be, in nanoseconds, that a power cut loses, when a device flush takes no
    /// longer than `longest_flush_ns` and timers are served in time: 0 at the safe levels. [F4]
    [[nodiscard]] static constexpr std::uint64_t loss_window([[maybe_unused]] std::uint64_t longest_flush_ns) noexcept {
        if constexpr (level::answers_early) {
            std::uint64_t const flush = longest_flush_ns * (setup::retries + 1);
            return (level::period_ns > flush ? level::period_ns : flush) + flush;
        } else {
            return 0;
        }
    }

private:
    [[nodiscard]] static constexpr bool exists(tag domain) noexcept { return domain.index < setup::domains; }

    [[nodiscard]] static constexpr domains set_of(tag domain) noexcept {
        return exists(domain) ? domains{domain} : domains{};
    }

    work ask(tag rider, tag stream, domains where, bool urgent) noexcept {
        return timed([&](rep now) noexcept { return states_.request(clock_, rider, stream, where, urgent, now); });
    }

    // Read before the lock is taken: a clock may be slow.
    template <class Section>
    [[gnu::always_inline]] work timed(Section section) noexcept {
        rep now = 0;
        if constexpr (setup::needs_time) {
            now = clock_.now();
        }
        return locked(lock_, [&]() noexcept { return section(now); });
    }

    [[no_unique_address]] Clock clock_;
    [[no_unique_address]] Lock lock_;
    states states_{};
};

} // namespace doorbell
