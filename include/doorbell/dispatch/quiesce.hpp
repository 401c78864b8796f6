// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "recovery.hpp"

#include <cstdint>

namespace doorbell {

/// How a bounded wait ended.
enum class wait_status : unsigned {
    done,      ///< what was waited for came true
    timed_out, ///< the limit passed first
    error,     ///< the controller reports an error, or does not run: what was waited for may never come
};

} // namespace doorbell

namespace doorbell::verb {

/// From its return on, ordinary submissions answer `blocked` and ring nothing; reserved tags still go. Nests by count.
/// [Q1]
template <class Core>
constexpr void block(Core& core) noexcept {
    core.locked([](auto& requests) noexcept { requests.block(); });
}

template <class Core>
constexpr void unblock(Core& core) noexcept {
    core.locked([](auto& requests) noexcept { requests.unblock(); });
}

/// Completes until `done()` is true, the controller reports one of `errors`, or the limit has passed. Looks at least
/// once.
template <class Core, class Limit, class Done>
[[nodiscard]] constexpr wait_status wait(Core& core, Limit const& limit, std::uint32_t errors, Done done) noexcept {
    for (;;) {
        (void)serve_in_thread<false>(core);
        if constexpr (Core::giveback_type::defers) {
            (void)core.giveback.run(core);
        }
        if (done()) {
            return wait_status::done;
        }
        bool const failed = core.locked([&core, errors](auto&) noexcept {
            return not core.interrupts.running() or core.interrupts.recorded(errors) or
                   (Core::controller::status(core.bank) & errors) != 0;
        });
        if (failed) {
            return wait_status::error;
        }
        if (limit.expired(core.clock.now())) {
            return wait_status::timed_out;
        }
        pause(core);
    }
}

/// Waits until nothing is in flight and no callback waits. Errors do not end it: they end requests, by way of recovery.
/// [Q1]
template <class Core, class Limit>
[[nodiscard]] constexpr wait_status drain(Core& core, Limit const& limit) noexcept {
    return wait(core, limit, 0, [&core]() noexcept {
        return core.locked([&core](auto& requests) noexcept { return requests.idle() and core.giveback.quiet(); });
    });
}

/// The controller's clock or power is about to go: no register access from its return on. An interrupt on a shared line
/// is not mine, submissions answer `gated`, what is outstanding stays so. Causes are disabled first: one that stands
/// would keep a level line up, and nobody would answer for it. [P1] [T1]
template <class Core>
constexpr void gate(Core& core) noexcept {
    bool const was_running = core.locked([&core](auto& requests) noexcept {
        bool const running = core.interrupts.running();
        if (running) {
            take_back(core);
            core.interrupts.set_aside(core.interrupts.enabled());
            core.interrupts.enter(phase::gated, 0);
            requests.bar(submit_status::gated);
            write_enable(core);
        }
        return running;
    });
    if (not was_running) {
        return;
    }
    if constexpr (Core::has_tasks) {
        core.tasks.requests.locked([](auto& requests) noexcept { requests.bar(submit_status::gated); });
    }
    wait_for_others(core);
}

/// Power and clock are back: the enable register and aggregation are programmed anew, and this run looks what finished
/// meanwhile; on an edge also what stands, since its edge came while nobody looked. Returns what is left for the
/// thread. [D1] [H1]
template <class Core>
constexpr thread_result ungate(Core& core) noexcept {
    if (core.interrupts.now() != phase::gated) {
        return {};
    }
    if constexpr (Core::has_tasks) {
        core.tasks.requests.locked([](auto& requests) noexcept { requests.unbar(); });
    }
    core.locked([&core](auto& requests) noexcept {
        core.interrupts.enter(phase::running, core.interrupts.set_aside());
        requests.unbar();
        program(core);
        if constexpr (Core::timing_type::keeps) {
            core.timing.resume(core.driver, requests.outstanding() | requests.lagging());
        }
    });
    if constexpr (not Core::types::signal::level) {
        return serve_what_stood(core).left();
    } else {
        return serve_in_thread<true>(core);
    }
}

} // namespace doorbell::verb
