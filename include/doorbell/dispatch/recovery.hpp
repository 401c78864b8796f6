// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "life.hpp"

namespace doorbell {

/// How `abort` or `recover` ended.
enum class abort_status : unsigned {
    aborted,      ///< its callback ran, with `aborted`, or with the real response that was found meanwhile
    already_done, ///< somebody else completed it: its callback has run or will run once
    stale,        ///< the ticket is of an older generation, or of no request; nothing was done
    needs_reset,  ///< hardware did not give it up: it stays in quarantine, its callback comes with `reset`
    not_running,  ///< the core is stopped, gated, or its controller gone; nothing was done
};

} // namespace doorbell

namespace doorbell::verb {

/// Looks at the doorbell at most this often while a slot is given up; the driver's `pause` stretches it in time.
inline constexpr unsigned clear_looks = 1'000;

template <class Core>
constexpr void pause(Core& core) noexcept {
    if constexpr (pauses<typename Core::driver_type>) {
        core.driver.pause();
    }
}

/// Whether hardware still owns one slot, judged only while the list runs. `finished`: it ended by itself, so its
/// response is still to come, or there.
enum class slot_state : unsigned { owned, given_up, finished, unknown };

/// Lock: none; takes the source's for each look, since a list that somebody stops reads 0 too. [T1]
template <class Core, class Source>
[[nodiscard]] constexpr slot_state look_at_slot(Core& core, Source& source, tag which, bool clear) noexcept {
    constexpr bool clears = clears_slots<typename Source::list, typename Core::types::bank>;
    return source.requests.locked([&](auto& requests) noexcept {
        if (not core.interrupts.running() or not requests.quarantined().contains(which)) {
            return slot_state::unknown;
        }
        if (not Source::list::busy(core.bank).contains(which)) {
            return (clears and clear) or requests.lags(which) ? slot_state::finished : slot_state::given_up;
        }
        if constexpr (clears) {
            if (clear) {
                Source::list::clear(core.bank, typename Source::tags{which});
                core.bank.before_unlock();
            }
        }
        return slot_state::owned;
    });
}

/// Clears one slot and waits, boundedly, until hardware has given it up. [T7]
template <class Core, class Source>
[[nodiscard]] constexpr slot_state clear_slot(Core& core, Source& source, tag which) noexcept {
    slot_state now = slot_state::owned;
    for (unsigned look = 0; look < clear_looks and now == slot_state::owned; ++look) {
        now = look_at_slot(core, source, which, look == 0);
        if (now == slot_state::owned) {
            pause(core);
        }
    }
    return now;
}

/// What hardware wrote for a slot that it gave up. Where it ended the request by itself, its write is on its way, and
/// waited for, boundedly: a tag that is given back before would get the old response for its next request. [T5] [T11]
template <class Core, class Source>
[[nodiscard]] constexpr outcome response_of(Core& core, Source&, tag which, slot_state now) noexcept {
    for (unsigned look = 0;; ++look) {
        core.dma.for_cpu(which);
        outcome const written = Source::port::response(core.driver, which);
        if (is_final(written) or now != slot_state::finished or look == clear_looks) {
            return written;
        }
        pause(core);
    }
}

/// Ends one quarantined request: first on the device, then in its slot, and only then with its callback, which gives
/// the tag and its buffers back. A response that hardware wrote after all is the result. [T5] [T7]
template <class Core, class Source>
[[nodiscard]] constexpr abort_status end_quarantine(Core& core, Source& source, tag which, outcome verdict) noexcept {
    static_assert(
        ends_singly<typename Source::list>,
        "doorbell: this controller ends all of its requests or none, so one cannot be aborted or recovered; write "
        "expire_tags() to withhold it, and reset() to end it with the others");
    slot_state const now = core.driver.end_on_device(which) ? clear_slot(core, source, which) : slot_state::unknown;
    if (now == slot_state::owned or now == slot_state::unknown) {
        return abort_status::needs_reset;
    }
    outcome const written = response_of(core, source, which, now);
    if (now == slot_state::finished and not is_final(written)) {
        return abort_status::needs_reset;
    }
    if (not source.requests.release(which)) {
        return abort_status::already_done;
    }
    outcome const result = is_final(written) ? written : verdict;
    core.observer.note(events::callback{which, result});
    source.requests.give_back(which);
    Source::port::template completed<thread_context>(core.driver, which, result);
    return abort_status::aborted;
}

/// The same for who does not know whether it is quarantined: no other tag is touched, on the device or in its slot.
/// [T2]
template <class Core, class Source>
[[nodiscard]] constexpr abort_status recover(Core& core, Source& source, tag which, outcome verdict) noexcept {
    abort_status const now = source.requests.locked([&core, which](auto& requests) noexcept {
        if (not core.interrupts.running()) {
            return abort_status::not_running;
        }
        return requests.quarantined().contains(which) ? abort_status::aborted : abort_status::stale;
    });
    return now == abort_status::aborted ? end_quarantine(core, source, which, verdict) : now;
}

/// Aborts one request. What has finished by now is completed as what it is. [T2] [T5]
template <class Core, class Source>
[[nodiscard]] constexpr abort_status abort(Core& core, Source& source, ticket const& which) noexcept {
    struct looked {
        claim_result<typename Source::tags> found{};
        bool running = false;
        bool known = false;
    };

    auto const now = source.requests.locked([&core, &source, &which](auto& requests) noexcept {
        looked l{};
        l.running = core.interrupts.running();
        l.known = which.generation != 0 and which.which.index < Source::list::slots and
                  requests.generation(which.which) == which.generation;
        if (l.running and l.known) {
            l.found = claim(core, source, requests);
        }
        return l;
    });
    if (not now.running) {
        return abort_status::not_running;
    }
    if (now.known) {
        (void)serve_batch<false>(core, source, now.found);
    }
    switch (source.requests.quarantine(which)) {
    case withdrawal::won:
        return end_quarantine(core, source, which.which, outcome::aborted);
    case withdrawal::already_done:
        return abort_status::already_done;
    case withdrawal::stale:
        break;
    }
    return abort_status::stale;
}

/// Aborts what is outstanding now; what a callback submits meanwhile is left alone. Returns what needs a reset. [T2]
template <class Core, class Source>
[[nodiscard]] constexpr typename Source::tags abort_all(Core& core, Source& source) noexcept {
    using tags = typename Source::tags;

    struct entry {
        tags set;
        std::uint32_t latest;
    };

    auto const at_entry = source.requests.locked(
        [](auto& requests) noexcept { return entry{requests.outstanding() | requests.parked(), requests.latest()}; });
    tags stuck{};
    for (tag const each : at_entry.set) {
        std::uint32_t const generation =
            source.requests.locked([each](auto& requests) noexcept { return requests.generation(each); });
        bool const later = static_cast<std::int32_t>(generation - at_entry.latest) > 0;
        if (not later and abort(core, source, ticket{each, generation}) == abort_status::needs_reset) {
            stuck.insert(each);
        }
    }
    return stuck;
}

/// Takes those of a set that are not finished out of everybody's hands; `recover` or `reset` ends them. What has
/// finished is completed as a success that no interrupt announced. One lock section reads, claims and judges. While the
/// controller is gated nobody is judged; once it is gone, everything outstanding ends here, on the driver's word that
/// hardware cannot write any more. Returns what was quarantined. [X2] [D4]
template <class Core, class Source>
[[nodiscard]] constexpr typename Source::tags expire(Core& core, Source& source, typename Source::tags set) noexcept {
    using tags = typename Source::tags;
    if (core.interrupts.now() == phase::gone) {
        source.requests.locked([](auto& requests) noexcept { requests.close(submit_status::controller_gone); });
        force_rest(core, source, {}, outcome::controller_gone, submit_status::controller_gone);
        return {};
    }
    auto const now = source.requests.locked([&core, set](auto& requests) noexcept {
        return core.interrupts.running()
                   ? requests.expire(set, [&core]() noexcept { return Source::list::busy(core.bank); })
                   : expired_result<tags>{};
    });
    if (now.found.batch.intersects(set)) {
        core.observer.note(events::missed{now.found.batch & set});
    }
    (void)serve_batch<false>(core, source, now.found);
    return now.expired;
}

} // namespace doorbell::verb
