// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "dispatcher.hpp"
#include "serve.hpp"

#include <cstdint>

namespace doorbell {

/// How `start` ended. Anything but `started` leaves the core inert.
enum class start_status : unsigned {
    started,
    clock_too_coarse, ///< the clock ticks more slowly than the time budget [B2]
    already_started,  ///< the core runs; stop it first
    reset_first,      ///< the controller was lost, or its last reset did not end: it may still write what it holds
    controller_gone,  ///< the controller does not answer
};

/// What `start` answers: how it ended, and what the thread has to do already. No interrupt would tell of it again, so
/// whoever starts a core with requests in it wakes the thread. Compares like its status. [H1] [H2]
class start_result {
public:
    constexpr explicit(false) start_result(start_status status, thread_result left = {}) noexcept
        : status_{status}, left_{left} {}

    [[nodiscard]] constexpr explicit(false) operator start_status() const noexcept { return status_; }

    [[nodiscard]] constexpr start_status status() const noexcept { return status_; }

    /// What is left for the thread: `again()`, wake it; `retry()`, responses are missing, let it look later. [T11]
    [[nodiscard]] constexpr thread_result left() const noexcept { return left_; }

private:
    start_status status_;
    thread_result left_;
};

/// How `reset` ended.
enum class reset_status : unsigned {
    done,             ///< every request has had its callback; `start` may follow
    controller_stuck, ///< the controller did not stop: what it holds is withheld, since it may still write it
};

/// What `start` opens, beyond the defaults.
template <class Tags>
struct start_options {
    Tags usable{};            ///< slots that exist
    Tags reserved{};          ///< of them, those that only recovery may use [X5]
    std::uint32_t causes = 0; ///< causes to enable
};

} // namespace doorbell

namespace doorbell::verb {

/// Writes what is wanted and not held into the enable register; the shadow is the truth, and the register is never
/// read. Lock: the core's. [D8]
template <class Core>
constexpr void write_enable(Core& core) noexcept {
    Core::controller::enable(core.bank, core.interrupts.for_hardware());
    core.bank.before_unlock();
}

/// What the controller forgets when it loses power: aggregation, then the enable register.
template <class Core>
constexpr void program(Core& core) noexcept {
    using gathering = typename Core::types::gathering;
    write_enable(core);
    if constexpr (gathering::gathers) {
        Core::controller::gather(core.bank, gathering::count, gathering::units);
    }
}

/// What was raised or finished while nothing was enabled raises no edge any more, and a cause that stands already
/// raises none for its next time: it is looked for once, after enabling, and served here. [D2] [D7]
template <class Core>
[[nodiscard]] constexpr start_result serve_what_stood(Core& core) noexcept {
    std::uint32_t const status = Core::controller::status(core.bank);
    if (status == Core::controller::absent) {
        (void)controller_gone(core);
        return start_status::controller_gone;
    }
    std::uint32_t const stood = status & core.interrupts.enabled();
    if (stood != 0) {
        acknowledge(core, stood);
    }
    if (std::uint32_t const others = stood & ~Core::transfer_source::list::cause; others != 0) {
        (void)other_causes(core, others);
    }
    bool const held = core.locked([](auto& requests) noexcept { return not requests.idle(); });
    if (held or stood != 0) {
        return {start_status::started, serve_in_thread<true>(core)};
    }
    return start_status::started;
}

template <class Core>
[[nodiscard]] constexpr start_result start(Core& core, start_options<typename Core::tags> const& with) noexcept {
    if (core.interrupts.running() or core.interrupts.now() == phase::gated) {
        return start_status::already_started;
    }
    if (not core.budget.fits(core.clock) or not core.giveback.fits(core.clock)) {
        return start_status::clock_too_coarse;
    }
    bool const opened = core.locked([&core, &with](auto& requests) noexcept {
        if (core.interrupts.now() != phase::stopped) {
            return false;
        }
        requests.open(with.usable, with.reserved);
        if constexpr (Core::timing_type::keeps) {
            core.timing.resume(core.driver, requests.outstanding() | requests.lagging());
        }
        core.interrupts.enter(phase::running, with.causes);
        program(core);
        return true;
    });
    if (not opened) {
        return start_status::reset_first;
    }
    if constexpr (Core::has_tasks) {
        auto const usable = Core::task_source::list::usable(core.bank);
        core.tasks.requests.locked([usable](auto& requests) noexcept { requests.open(usable); });
    }
    return serve_what_stood(core);
}

/// Changes what is enabled. Causes that stand already raise no edge any more, so on such a line they are served here.
/// Returns what that left for the thread.
template <class Core>
constexpr thread_result set_enabled(Core& core, std::uint32_t clear, std::uint32_t set) noexcept {
    bool const running = core.locked([&core, clear, set](auto&) noexcept {
        if (core.interrupts.running()) {
            core.interrupts.set_enabled((core.interrupts.enabled() & ~clear) | set);
            write_enable(core);
        }
        return core.interrupts.running();
    });
    if constexpr (not Core::types::signal::level) {
        if (running and set != 0) {
            return serve_what_stood(core).left();
        }
    }
    return {};
}

/// Writes anew what power loss took. What stood before raises no edge any more, as above.
template <class Core>
constexpr thread_result resync(Core& core) noexcept {
    bool const running = core.locked([&core](auto&) noexcept {
        if (core.interrupts.running()) {
            program(core);
        }
        return core.interrupts.running();
    });
    if constexpr (not Core::types::signal::level) {
        if (running) {
            return serve_what_stood(core).left();
        }
    }
    return {};
}

template <class Core>
constexpr void wait_for_others(Core& core) noexcept {
    if constexpr (synchronizes<typename Core::driver_type>) {
        core.driver.synchronize();
    }
}

/// Completes what one source has claimed or finished; what has no response yet stays parked. Returns what is left
/// there.
template <class Core, class Source>
[[nodiscard]] constexpr typename Source::tags drain_source(Core& core, Source& source, bool read_hardware) noexcept {
    auto const found = source.requests.locked([&core, &source, read_hardware](auto& requests) noexcept {
        return read_hardware ? claim<true>(core, source, requests)
                             : claim_result<typename Source::tags>{requests.take_parked(), {}};
    });
    note_claim(core, found);
    auto const lagging = complete_all<thread_context>(core, source, found.batch);
    return source.requests.locked([lagging](auto& requests) noexcept {
        (void)requests.park({}, lagging, false);
        return requests.outstanding() | requests.parked() | requests.quarantined();
    });
}

/// Masks, waits for a running handler and thread, completes what was claimed or has finished with its real status, and
/// touches no register from then on. A mask that the thread held is balanced. Returns the transfers that the hardware
/// still holds. [D7] [H4]
template <class Core>
[[nodiscard]] constexpr typename Core::tags stop(Core& core) noexcept {
    phase const before = core.locked([&core](auto& requests) noexcept {
        phase const was = core.interrupts.now();
        take_back(core);
        if (was == phase::running or was == phase::gated) {
            core.interrupts.enter(phase::closing, 0);
            requests.bar(submit_status::not_started);
        }
        if (was == phase::running) {
            write_enable(core);
        }
        return was;
    });
    bool const was_running = before == phase::running;
    if constexpr (Core::has_tasks) {
        if (was_running or before == phase::gated) { // else what they answer already holds on
            core.tasks.requests.locked([](auto& requests) noexcept { requests.bar(submit_status::not_started); });
        }
    }
    wait_for_others(core);
    typename Core::tags left{};
    core.each_source([&core, &left, was_running](auto& source) noexcept {
        auto const here = drain_source(core, source, was_running and core.interrupts.now() == phase::closing);
        if constexpr (std::same_as<decltype(here), typename Core::tags const>) {
            left = here;
        }
    });
    core.locked([&core](auto&) noexcept {
        take_back(core);
        if (core.interrupts.now() == phase::closing) {
            core.interrupts.enter(phase::stopped, 0);
        }
    });
    give_back_all(core);
    return left;
}

/// For whoever closed: completes what really finished, also what finishes while these callbacks run. Ends, since nobody
/// submits any more. Returns what is done and has no response yet.
template <class Core, class Source>
[[nodiscard]] constexpr typename Source::tags collect_real(Core& core, Source& source, bool list_runs) noexcept {
    typename Source::tags silent{};
    for (;;) {
        auto const real = source.requests.locked([&core, list_runs](auto& requests) noexcept {
            return list_runs ? requests.collect([&core]() noexcept { return Source::list::busy(core.bank); })
                             : requests.take_parked();
        });
        core.observer.note(events::claim{real});
        if (real.empty()) {
            return silent;
        }
        silent |= complete_all<thread_context>(core, source, real);
    }
}

/// Gives every request that is left its callback. Those of `silent` were done and had no response: one that is there by
/// now is the result. [T5] [D4]
template <class Core, class Source>
constexpr void force_rest(
    Core& core, Source& source, typename Source::tags silent, outcome verdict, submit_status from_now_on) noexcept {
    auto const forced = silent | source.requests.locked([from_now_on](auto& requests) noexcept {
        auto const left = requests.force();
        requests.bar(from_now_on);
        return left;
    });
    for (tag const each : forced) {
        core.dma.for_cpu(each);
        outcome const late = silent.contains(each) ? Source::port::response(core.driver, each) : outcome::not_written;
        outcome const result = is_final(late) ? late : verdict;
        core.observer.note(events::callback{each, result});
        source.requests.give_back(each);
        Source::port::template completed<thread_context>(core.driver, each, result);
    }
}

/// Ends every request: first, while the list still runs, those that really finished, with their real status; then, once
/// the controller is halted, the rest as `reset`. The trackers are closed before the first register write, so nobody
/// takes a doorbell that reads 0 for a completion. A response that was missing and is there after the halt wins.
/// Quarantined requests end here too: nothing writes them any more. [T1] [T5] [D4]
template <class Core>
[[nodiscard]] constexpr reset_status reset(Core& core) noexcept {
    if constexpr (Core::has_tasks) {
        core.tasks.requests.locked([](auto& requests) noexcept { requests.close(submit_status::closing); });
    }
    phase const before = core.locked([&core](auto& requests) noexcept {
        phase const was = core.interrupts.now();
        requests.close(submit_status::closing);
        take_back(core);
        core.interrupts.enter(phase::closing, 0);
        if (was == phase::running) {
            write_enable(core);
        }
        return was;
    });
    wait_for_others(core);
    auto const silent = collect_real(core, core.transfers, before == phase::running);
    if constexpr (Core::has_tasks) {
        auto const tasks = collect_real(core, core.tasks, before == phase::running);
        core.tasks.requests.locked([tasks](auto& requests) noexcept { (void)requests.park({}, tasks); });
    }
    if (before != phase::gone and not Core::controller::halt(core.bank)) {
        if (Core::controller::status(core.bank) != Core::controller::absent) {
            core.locked([silent](auto& requests) noexcept { (void)requests.park({}, silent); });
            return reset_status::controller_stuck;
        }
        core.observer.note(events::gone{}); // nobody had noticed; what is not there writes nothing any more
    }
    core.locked([&core](auto&) noexcept {
        core.interrupts.enter(phase::stopped, 0);
        core.interrupts.forget();
    });
    if constexpr (Core::has_tasks) {
        force_rest(core, core.tasks, {}, outcome::reset, submit_status::not_started);
    }
    force_rest(core, core.transfers, silent, outcome::reset, submit_status::not_started);
    give_back_all(core);
    return reset_status::done;
}

} // namespace doorbell::verb
