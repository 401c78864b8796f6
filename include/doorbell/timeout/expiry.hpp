// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../dispatch/recovery.hpp"
#include "timing.hpp"
#include "verdict.hpp"

#include <cstdint>

namespace doorbell::verb {

/// Who may be judged: what hardware holds, and what it finished without writing its response. A request that is being
/// submitted is in neither until it is rung, in the same lock section as its deadline. [X3]
template <class States>
[[nodiscard]] constexpr typename States::tags judged(States const& requests) noexcept {
    return requests.outstanding() | requests.lagging();
}

/// Gives back to hardware what was taken out of everybody's hands, with more time. Its interrupt may have come
/// meanwhile and found nothing, so the same section looks again.
template <class Core, class Limit>
constexpr void give_more_time(Core& core, tag which, Limit limit) noexcept {
    using tags = typename Core::tags;
    auto const found = core.locked([&core, which, limit](auto& requests) noexcept {
        if (not requests.resume(which) or not core.interrupts.running()) {
            return claim_result<tags>{};
        }
        core.timing.admit(core.driver, tags{which}, limit);
        return claim(core, core.transfers, requests);
    });
    (void)serve_batch<false>(core, core.transfers, found);
}

/// A request that was done without a response: one that is there by now is the result. [T11]
template <class Core>
[[nodiscard]] constexpr bool complete_late(Core& core, tag which) noexcept {
    core.dma.for_cpu(which);
    outcome const written = Core::transfer_source::port::response(core.driver, which);
    if (not is_final(written) or not core.transfers.requests.release(which)) {
        return false;
    }
    core.observer.note(events::callback{which, written});
    core.transfers.requests.give_back(which);
    Core::transfer_source::port::template completed<thread_context>(core.driver, which, written);
    return true;
}

/// What the policy says about one request that is late. One that is done and has no response goes to reset at its end.
/// [T5] [T11]
template <class Core>
constexpr void judge_one(Core& core, tag which, bool silent, expiry<typename Core::tags>& all) noexcept {
    using timing = typename Core::timing_type;
    if (silent and complete_late(core, which)) {
        all.ended.insert(which);
        return;
    }
    auto const verdict = timing::judge::template judge<typename timing::rep>(core.driver, which);
    if (verdict.action == timeout_action::extend) {
        give_more_time(core, which, timing::longer(verdict.more));
        all.extended.insert(which);
        return;
    }
    if constexpr (ends_on_device<typename Core::driver_type> and ends_singly<typename Core::transfer_source::list>) {
        if (verdict.action == timeout_action::abort and not silent) {
            abort_status const how = recover(core, core.transfers, which, outcome::timed_out);
            if (how != abort_status::needs_reset and how != abort_status::not_running) {
                all.ended.insert(which);
                return;
            }
        }
    }
    all.stuck.insert(which);
}

/// Control commands: the causes are looked at and served first, so that an end which no handler has told yet is no
/// timeout. [X2]
template <class Core>
constexpr void expire_commands(Core& core, typename Core::timing_type::rep now) noexcept {
    auto const over = core.locked([&core, now](auto&) noexcept { return core.timing.commands.due(now); });
    if (over.empty()) {
        return;
    }
    std::uint32_t const status = core.interrupts.running() ? Core::controller::status(core.bank) : 0;
    if (status == Core::controller::absent) {
        (void)controller_gone(core);
    } else if (std::uint32_t const causes = status & core.interrupts.enabled() & ~Core::transfer_source::list::cause;
               causes != 0) {
        acknowledge(core, causes);
        core.locked([&core, causes](auto&) noexcept { core.interrupts.record(causes); });
        (void)serve_in_thread<true>(core);
    }
    for (tag const each : over) {
        if (core.locked([&core, each, now](auto&) noexcept {
                return core.timing.commands.due(now).contains(each) and core.timing.commands.take(each);
            })) {
            core.driver.control_timed_out(each.index);
        }
    }
}

/// One walk over the deadlines. Each step is one lock section that looks at bit and deadline again, reads the hardware
/// when somebody's time is over, claims what has finished and takes the rest out of everybody's hands; success wins.
/// Decisions are made and callbacks run without the lock. At the end the timer is armed for who is left, or rests.
/// While gated, stopped or closing nobody is judged and the timer rests; once the controller is gone everything ends.
/// [X2] [X4] [D4]
template <class Core>
[[nodiscard]] constexpr expiry<typename Core::tags>
expire_due(Core& core, typename Core::timing_type::rep now) noexcept {
    using tags = typename Core::tags;

    struct round {
        expired_result<tags> result{};
        tags due{};
        tags silent{};
        bool done = true;
    };

    expiry<tags> all{};
    auto walk = core.locked([&core, now](auto& requests) noexcept {
        core.timing.tick(now);
        return core.timing.begin(judged(requests));
    });
    if (core.interrupts.now() == phase::gone) {
        all.ended = core.locked([](auto& requests) noexcept {
            return requests.outstanding() | requests.parked() | requests.quarantined();
        });
        (void)expire(core, core.transfers, tags{});
        return all;
    }
    if constexpr (Core::timing_type::controls != 0) {
        expire_commands(core, now);
    }
    for (;;) {
        auto const step = core.locked([&core, &walk, now](auto& requests) noexcept {
            round r{};
            if (not core.interrupts.running()) {
                return r;
            }
            auto const found = core.timing.step(judged(requests), now, walk);
            r.due = found.due;
            r.done = found.done;
            if (not found.due.empty()) {
                r.silent = requests.lagging() & found.due;
                r.result = requests.expire(
                    found.due, [&core]() noexcept { return Core::transfer_source::list::busy(core.bank); });
            }
            if (found.done) {
                core.timing.rearm(core.driver, walk);
            }
            return r;
        });
        tags const missed = step.result.found.batch & step.due;
        if (not missed.empty()) {
            core.observer.note(events::missed{missed});
            all.missed |= missed;
        }
        (void)serve_batch<false>(core, core.transfers, step.result.found);
        for (tag const each : step.result.expired) {
            judge_one(core, each, step.silent.contains(each), all);
        }
        if (step.done) {
            return all;
        }
    }
}

/// A number that is none is ignored. Lock: taken.
template <class Core>
constexpr void arm_control(Core& core, unsigned which, typename Core::timing_type::rep ticks) noexcept {
    using rep = typename Core::timing_type::rep;
    core.locked([&core, which, ticks](auto&) noexcept {
        if (which >= Core::timing_type::controls) {
            return;
        }
        auto const end = deadline<rep>::after(core.timing.now(), ticks);
        core.timing.commands.arm(tag{which}, end);
        if (core.timing.want(end)) {
            core.driver.arm_timer(core.timing.timer_at());
        }
    });
}

/// More time for one request, by its ticket; one that somebody completes is not touched. [T2] [X4]
template <class Core, class Limit>
[[nodiscard]] constexpr extend_status extend(Core& core, ticket const& which, Limit limit) noexcept {
    return core.locked([&core, &which, limit](auto& requests) noexcept {
        if (which.which.index >= Core::transfer_source::list::slots or which.generation == 0) {
            return extend_status::stale;
        }
        std::uint32_t const now = requests.generation(which.which);
        if (now != which.generation) {
            return now == 0 ? extend_status::already_done : extend_status::stale;
        }
        if (not judged(requests).contains(which.which)) {
            return extend_status::already_done;
        }
        core.timing.admit(core.driver, typename Core::tags{which.which}, limit);
        return extend_status::extended;
    });
}

} // namespace doorbell::verb
