// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include "serve.hpp"

namespace doorbell::verb {

/// The controller no longer answers: nothing completes, requests stay outstanding until `reset`. Said once. [D4]
template <class Core>
[[gnu::noinline, gnu::cold]] constexpr irq_result controller_gone(Core& core) noexcept {
    core.requests.locked([&core](auto& requests) noexcept {
        core.interrupts.enter(phase::gone, 0);
        core.interrupts.want_wake();
        requests.bar(submit_status::controller_gone);
    });
    core.observer.note(events::gone{});
    return irq_result::mine | irq_result::wake | irq_result::gone;
}

/// An interrupt none of whose causes is enabled. Masked causes stay latched unless the policy takes whole snapshots.
/// [D5]
template <class Core>
[[gnu::noinline, gnu::cold]] constexpr irq_result without_cause(Core& core, std::uint32_t status) noexcept {
    if (Core::types::acknowledge::whole_snapshot and status != 0) {
        Core::controller::acknowledge(core.bank, status);
    }
    core.observer.note(events::spurious{});
    return Core::types::line::without_cause;
}

/// Everything that is not a finished transfer: urgent handlers run now, the rest is recorded for the thread, and what
/// nobody handles is counted, having been acknowledged with the others. [D2] [D6]
template <class Core>
[[gnu::noinline, gnu::cold]] constexpr irq_result other_causes(Core& core, std::uint32_t causes) noexcept {
    using routes = typename Core::types::routes;
    using driver = typename Core::types::driver;
    if ((causes & ~routes::causes) != 0) {
        core.observer.note(events::unhandled_cause{causes & ~routes::causes});
    }
    routes::run_urgent(core.driver, causes);
    std::uint32_t later = causes & routes::deferred_causes;
    if (later != 0 and not core.interrupts.threads_available()) {
        routes::run_deferred_inline(core.driver, later);
        later &= routes::template thread_only<driver>;
    }
    return later == 0 ? irq_result::none : record(core, later);
}

/// Every entry that looked at the hardware ends here, so that entries and exits pair. [W4]
template <class Core>
[[nodiscard, gnu::always_inline]] constexpr inline irq_result leave(Core& core, irq_result result) noexcept {
    core.observer.note(events::exit{result});
    return result;
}

/// One entry of the hard handler: read the causes, acknowledge exactly what was read, and only then look at what
/// finished, so that a completion in between raises its cause anew. One round: the line of a level interrupt stays up
/// while anything is left, so the next entry is the next round. [D1] [D3] [D7]
/// Cost on the hot path: one read and one write, and one read inside the claim.
template <class Core>
[[nodiscard, gnu::always_inline]] constexpr inline irq_result on_hard_irq(Core& core) noexcept {
    using controller = typename Core::controller;
    std::uint32_t const enabled = core.interrupts.enabled();
    if (enabled == 0) {
        return irq_result::none;
    }
    std::uint32_t const status = controller::status(core.bank);
    core.observer.note(events::entry{status});
    if (status == controller::absent) [[unlikely]] {
        return leave(core, controller_gone(core));
    }
    std::uint32_t const causes = status & enabled;
    if (causes == 0) [[unlikely]] {
        return leave(core, without_cause(core, status));
    }
    controller::acknowledge(core.bank, Core::types::acknowledge::whole_snapshot ? status : causes);
    irq_result result = irq_result::mine;
    if (std::uint32_t const others = causes & ~controller::transfer; others != 0) [[unlikely]] {
        result |= other_causes(core, others);
    }
    if ((causes & controller::transfer) != 0) {
        result |= transfers_in_hard_handler(core);
    }
    return leave(core, result);
}

} // namespace doorbell::verb
