// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../core/observer.hpp"
#include "concepts.hpp"
#include "interrupt_state.hpp"
#include "masking.hpp"

#include <cstdint>

namespace doorbell::verb {

/// The controller no longer answers: nothing completes, requests stay outstanding until `reset`, or until `expire_tags`
/// says that hardware cannot write any more. Said once. [D4]
template <class Core>
[[gnu::noinline, gnu::cold]] constexpr irq_result controller_gone(Core& core) noexcept {
    core.locked([&core](auto& requests) noexcept {
        core.interrupts.enter(phase::gone, 0);
        core.interrupts.want_wake();
        take_back(core);
        requests.bar(submit_status::controller_gone);
    });
    if constexpr (Core::has_tasks) {
        core.tasks.requests.locked([](auto& requests) noexcept { requests.bar(submit_status::controller_gone); });
    }
    core.observer.note(events::gone{});
    return irq_result::mine | irq_result::wake | irq_result::gone;
}

/// The bit that sums the status up is written back behind it, where there is one. [D1]
template <class Core>
[[gnu::always_inline]] constexpr inline void acknowledge_sum(Core& core) noexcept {
    if constexpr (is_summed_up<typename Core::controller, typename Core::types::bank>) {
        Core::controller::acknowledge_sum(core.bank);
    }
}

/// An interrupt none of whose causes is enabled. Masked causes stay latched unless the policy takes whole snapshots.
/// [D5]
template <class Core>
[[gnu::noinline, gnu::cold]] constexpr irq_result without_cause(Core& core, std::uint32_t status) noexcept {
    if (Core::types::acknowledge::whole_snapshot and status != 0) {
        Core::controller::acknowledge(core.bank, status);
    }
    acknowledge_sum(core);
    core.observer.note(events::spurious{});
    return Core::types::line::without_cause;
}

/// Writes causes back, their children first where the order says so, what sums them up last. [D1]
template <class Core>
[[gnu::always_inline]] constexpr inline void acknowledge(Core& core, std::uint32_t causes) noexcept {
    using controller = typename Core::controller;
    constexpr bool children = has_children<controller, typename Core::types::bank>;
    if constexpr (children and Core::types::signal::level) {
        controller::acknowledge_children(core.bank, causes);
    }
    controller::acknowledge(core.bank, causes);
    if constexpr (children and not Core::types::signal::level) {
        controller::acknowledge_children(core.bank, causes);
    }
    acknowledge_sum(core);
    if constexpr (Core::types::read_back::reads_back) {
        (void)controller::status(core.bank);
    }
}

/// For the thread, when the hard handler's rounds were exhausted or a mask was lifted: what still stands, acknowledged.
/// Bounded like the hard handler; more than that is left to the next run. [D7] [H4]
template <class Core>
[[nodiscard]] constexpr std::uint32_t acknowledge_standing(Core& core) noexcept {
    bool const wanted = core.locked([&core](auto&) noexcept { return core.interrupts.take_look_again(); });
    std::uint32_t all = 0;
    if (not wanted or not core.interrupts.running()) {
        return all;
    }
    for (unsigned round = 0; round < Core::types::signal::rounds; ++round) {
        std::uint32_t const status = Core::controller::status(core.bank);
        if (status == Core::controller::absent) {
            (void)controller_gone(core);
            return all;
        }
        std::uint32_t const causes = status & core.interrupts.enabled();
        if (causes == 0) {
            return all;
        }
        acknowledge(core, causes);
        all |= causes;
    }
    core.locked([&core](auto&) noexcept { core.interrupts.look_again(); });
    return all;
}

} // namespace doorbell::verb
