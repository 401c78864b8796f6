// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include "dispatcher.hpp"
#include "serve.hpp"

namespace doorbell {

/// How `start` ended. Anything but `started` leaves the core inert.
enum class start_status : unsigned {
    started,
    clock_too_coarse, ///< the clock ticks more slowly than the time budget [B2]
    already_started,  ///< the core runs; stop it first
    reset_first,      ///< the controller was lost, or its last reset did not end: it may still write what it holds
    controller_gone,  ///< the controller does not answer
};

/// How `reset` ended.
enum class reset_status : unsigned {
    done,             ///< every request has had its callback; `start` may follow
    controller_stuck, ///< the controller did not stop: what it holds is withheld, since it may still write it
};

} // namespace doorbell

namespace doorbell::verb {

/// Writes what is wanted into the enable register; the shadow is the truth, and the register is never read. [D8]
template <class Core>
constexpr void write_enable(Core& core) noexcept {
    Core::controller::enable(core.bank, core.interrupts.enabled());
    core.bank.before_unlock();
}

/// What was raised or finished while nothing was enabled raises no edge any more, and a cause that stands already
/// raises none for its next time: it is looked for once, after enabling, and served here. [D2] [D7]
template <class Core>
[[nodiscard]] constexpr start_status serve_what_stood(Core& core) noexcept {
    using controller = typename Core::controller;
    std::uint32_t const status = controller::status(core.bank);
    if (status == controller::absent) {
        (void)controller_gone(core);
        return start_status::controller_gone;
    }
    std::uint32_t const stood = status & core.interrupts.enabled();
    if (stood != 0) {
        controller::acknowledge(core.bank, stood);
    }
    if (std::uint32_t const others = stood & ~controller::transfer; others != 0) {
        (void)other_causes(core, others);
    }
    bool const held = core.requests.locked(
        [](auto& requests) noexcept { return not(requests.outstanding() | requests.parked()).empty(); });
    if (held or stood != 0) {
        (void)serve_in_thread<true>(core);
    }
    return start_status::started;
}

template <class Core>
[[nodiscard]] constexpr start_status start(Core& core, typename Core::tags usable, std::uint32_t causes) noexcept {
    if (core.interrupts.running()) {
        return start_status::already_started;
    }
    if (not core.budget.fits(core.clock)) {
        return start_status::clock_too_coarse;
    }
    bool const opened = core.requests.locked([&core, usable, causes](auto& requests) noexcept {
        if (core.interrupts.now() != phase::stopped) {
            return false;
        }
        requests.open(usable);
        core.interrupts.enter(phase::running, causes);
        write_enable(core);
        return true;
    });
    return opened ? serve_what_stood(core) : start_status::reset_first;
}

template <class Core>
constexpr void set_enabled(Core& core, std::uint32_t clear, std::uint32_t set) noexcept {
    core.requests.locked([&core, clear, set](auto&) noexcept {
        if (core.interrupts.running()) {
            core.interrupts.set_enabled((core.interrupts.enabled() & ~clear) | set);
            write_enable(core);
        }
    });
}

/// Completes a batch whose owner takes the core down: what has no response yet is returned, not parked.
template <class Core>
[[nodiscard]] constexpr typename Core::tags drain(Core& core, typename Core::tags batch) noexcept {
    return complete_all<thread_context>(core, batch).lagging;
}

template <class Core>
constexpr void wait_for_others(Core& core) noexcept {
    if constexpr (synchronizes<typename Core::types::driver>) {
        core.driver.synchronize();
    }
}

/// Masks, waits for a running handler and thread, completes what was claimed or has finished with its real status, and
/// touches no register from then on. Returns what the hardware still holds. [D7]
template <class Core>
[[nodiscard]] constexpr typename Core::tags stop(Core& core) noexcept {
    bool const was_running = core.requests.locked([&core](auto& requests) noexcept {
        bool const running = core.interrupts.running();
        if (running) {
            core.interrupts.enter(phase::closing, 0);
            write_enable(core);
            requests.bar(submit_status::not_started);
        }
        return running;
    });
    wait_for_others(core);
    auto const found = core.requests.locked([&core, was_running](auto& requests) noexcept {
        claim_result<typename Core::tags> result{};
        if (was_running and core.interrupts.now() == phase::closing) {
            result = claim(core, requests);
            core.interrupts.enter(phase::stopped, 0);
        } else {
            result.batch = requests.take_parked();
        }
        return result;
    });
    note_claim(core, found);
    auto const lagging = drain(core, found.batch);
    return core.requests.locked([lagging](auto& requests) noexcept {
        (void)requests.park({}, lagging);
        return requests.outstanding() | requests.parked();
    });
}

/// Ends every request: first, while the list still runs, those that really finished, with their real status; then, once
/// the controller is halted, the rest as `reset`. The tracker is closed before the first register write, so nobody
/// takes a doorbell that reads 0 for a completion. [T1] [D4]
template <class Core>
[[nodiscard]] constexpr reset_status reset(Core& core) noexcept {
    phase const before = core.requests.locked([&core](auto& requests) noexcept {
        phase const was = core.interrupts.now();
        requests.close(submit_status::closing);
        core.interrupts.enter(phase::closing, 0);
        if (was == phase::running) {
            write_enable(core);
        }
        return was;
    });
    wait_for_others(core);
    auto const real = core.requests.locked([&core, before](auto& requests) noexcept {
        return before == phase::running
                   ? requests.collect([&core]() noexcept { return Core::controller::busy(core.bank); })
                   : requests.take_parked();
    });
    core.observer.note(events::claim{real});
    auto const silent = drain(core, real);
    if (before != phase::gone and not Core::controller::halt(core.bank)) {
        if (Core::controller::status(core.bank) != Core::controller::absent) {
            (void)core.requests.park({}, silent);
            return reset_status::controller_stuck;
        }
        core.observer.note(events::gone{}); // nobody had noticed; what is not there writes nothing any more
    }
    auto const forced = silent | core.requests.locked([&core](auto& requests) noexcept {
        auto const left = requests.force();
        requests.bar(submit_status::not_started);
        core.interrupts.enter(phase::stopped, 0);
        return left;
    });
    for (tag const each : forced) {
        core.observer.note(events::callback{each, outcome::reset});
        core.driver.completed(claimed<thread_context>{each}, outcome::reset);
    }
    return reset_status::done;
}

} // namespace doorbell::verb
