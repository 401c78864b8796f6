// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "acknowledge.hpp"
#include "serve.hpp"
#include "signal.hpp"

#include <cstdint>

namespace doorbell::verb {

/// Everything that is not a finished transfer: urgent handlers run now, the rest is recorded for the thread, and what
/// nobody handles is counted, having been acknowledged with the others. [D2] [D6]
template <class Core>
[[gnu::noinline, gnu::cold]] constexpr irq_result other_causes(Core& core, std::uint32_t causes) noexcept {
    using routes = typename Core::types::routes;
    std::uint32_t known = routes::causes;
    std::uint32_t later = causes & routes::deferred_causes;
    if constexpr (Core::has_tasks) {
        constexpr std::uint32_t tasks = Core::task_source::list::cause;
        known |= tasks;
        if ((causes & tasks) != 0) {
            if constexpr (Core::task_source::port::template completes_in<typename Core::driver_type, hard_context>) {
                later |= serve_tasks<hard_context>(core).again() ? tasks : 0;
            } else {
                later |= tasks;
            }
        }
    }
    if ((causes & ~known) != 0) {
        core.observer.note(events::unhandled_cause{causes & ~known});
    }
    routes::run_urgent(core.driver, causes);
    if (later != 0 and not core.interrupts.threads_available()) {
        routes::run_deferred_inline(core.driver, later);
        later &= ~routes::template inline_causes<typename Core::driver_type>;
    }
    return later == 0 ? irq_result::none : record(core, later);
}

/// One lock section of the hard handler. `owned`: the thread has the transfers and was told to look again;
/// `claimed_since`: somebody claimed since the last entry. [T10] [H5]
// What was claimed is returned and the rest is left in words of its own: in one they would pass through memory.
template <class Core>
[[nodiscard, gnu::always_inline]] constexpr inline claim_result<typename Core::tags>
look_at_transfers(Core& core, bool& owned, bool& claimed_since) noexcept {
    using types = typename Core::types;
    if constexpr (types::gathering::gathers) {
        Core::controller::restart_gathering(core.bank);
    }
    auto const found = core.locked([&](auto& requests) noexcept {
        if constexpr (types::masking::masks) {
            if (core.interrupts.owned()) {
                core.interrupts.record(Core::transfer_source::list::cause);
                owned = true;
                return claim_result<typename Core::tags>{};
            }
        }
        auto const claimed = claim(core, core.transfers, requests);
        if constexpr (types::order::optimistic_order) {
            claimed_since = core.interrupts.take_claimed_since();
        }
        return claimed;
    });
    note_claim(core, found);
    return found;
}

/// Transfers that finished, seen from the hard handler. Under `deferred_all` nothing is looked at: the cause is
/// recorded and the thread woken. [B1]
template <class Core>
[[nodiscard, gnu::always_inline]] constexpr inline irq_result transfers_in_hard_handler(Core& core) noexcept {
    using types = typename Core::types;
    if constexpr (not types::budget::completes_in_hard_handler) {
        if constexpr (completes_in<typename types::driver, hard_context>) {
            if (not core.interrupts.threads_available()) [[unlikely]] {
                bool owned = false;
                bool claimed_since = false;
                return hand_over(core, look_at_transfers(core, owned, claimed_since).batch, {});
            }
        }
        return record(core, Core::transfer_source::list::cause);
    } else {
        bool owned = false;
        bool claimed_since = false;
        auto const found = look_at_transfers(core, owned, claimed_since);
        if (types::masking::masks and owned) [[unlikely]] {
            return irq_result::wake;
        }
        if (found.batch.empty()) { // a poller was faster
            return irq_result::none;
        }
        auto const rest = complete<hard_context>(core, core.transfers, core.budget, found.batch);
        return rest.empty() ? irq_result::none : hand_over(core, rest.unasked, rest.lagging);
    }
}

/// Transfers that finished while this entry served others: the budget of an entry is one, and they belong to the next
/// run, which is the thread's. [B1] [H6]
template <class Core>
[[gnu::noinline, gnu::cold]] constexpr irq_result transfers_later(Core& core) noexcept {
    if (not core.interrupts.threads_available()) {
        return transfers_in_hard_handler(core);
    }
    return record(core, Core::transfer_source::list::cause);
}

/// Acknowledges one snapshot and serves it, transfers `later` where the entry has served some.
template <class Core>
[[nodiscard, gnu::always_inline]] constexpr inline irq_result
serve_snapshot(Core& core, std::uint32_t status, std::uint32_t causes, bool later) noexcept {
    constexpr std::uint32_t transfer = Core::transfer_source::list::cause;
    acknowledge(core, Core::types::acknowledge::whole_snapshot ? status : causes);
    irq_result result = irq_result::mine;
    if ((causes & ~transfer) != 0) [[unlikely]] {
        result |= other_causes(core, causes & ~transfer);
        if (not core.interrupts.running()) { // its handler stopped the core
            return result;
        }
    }
    if ((causes & transfer) != 0) [[likely]] {
        result |= later ? transfers_later(core) : transfers_in_hard_handler(core);
    }
    return result;
}

/// Read the causes, acknowledge exactly what was read, and only then look at what finished, so that a completion in
/// between raises its cause anew. On a level line one round: it stays up while anything is left, so the next entry is
/// the next round. On an edge as many as it takes until nothing stands, boundedly. [D1] [D3] [D7]
template <class Core>
[[nodiscard, gnu::always_inline]] constexpr inline irq_result serve_causes(Core& core, std::uint32_t enabled) noexcept {
    using controller = typename Core::controller;
    using signal = typename Core::types::signal;
    irq_result result = irq_result::none;
    bool served = false;
    for (unsigned round = 0;; ++round) {
        std::uint32_t const status = controller::status(core.bank);
        if (round == 0) {
            core.observer.note(events::entry{status});
        }
        if (status == controller::absent) [[unlikely]] {
            return result | controller_gone(core);
        }
        std::uint32_t const causes = status & enabled;
        if (causes == 0) [[unlikely]] {
            return round == 0 ? without_cause(core, status) : result;
        }
        if constexpr (not signal::level) {
            if (round == signal::rounds) [[unlikely]] {
                core.locked([&core](auto&) noexcept { core.interrupts.look_again(); });
                core.observer.note(events::wake{});
                return result | irq_result::wake;
            }
        }
        result |= serve_snapshot(core, status, causes, served);
        if constexpr (signal::level) {
            return result;
        } else {
            if (not core.interrupts.running()) { // a callback stopped the core
                return result;
            }
            served = served or (causes & Core::transfer_source::list::cause) != 0;
        }
    }
}

/// The optimistic order while somebody polls the transfers masked.
template <class Core>
[[gnu::noinline, gnu::cold]] constexpr irq_result serve_without_transfers(Core& core, std::uint32_t enabled) noexcept {
    return serve_causes(core, enabled);
}

/// The part of the optimistic order that reads the status after all. With `silent` the entry has claimed nothing and
/// nobody else has since the last one: without a cause it is somebody else's. [D1a] [D5]
// Out of line: the entries that do not come here are not to save registers for it.
template <class Core>
[[gnu::noinline, gnu::cold]] constexpr irq_result look_at_status(Core& core, irq_result result, bool silent) noexcept {
    using controller = typename Core::controller;
    constexpr std::uint32_t transfer = Core::transfer_source::list::cause;
    core.look_at_status.until_look = Core::types::order::every;
    if (not core.interrupts.running()) { // a callback stopped the core
        return result;
    }
    std::uint32_t const status = controller::status(core.bank);
    if (status == controller::absent) [[unlikely]] {
        return result | controller_gone(core);
    }
    std::uint32_t const causes = status & core.interrupts.enabled();
    if (std::uint32_t const others = causes & ~transfer; others != 0) {
        acknowledge(core, others);
        return result | other_causes(core, others);
    }
    return silent and causes == 0 ? without_cause(core, status) : result;
}

/// Acknowledge the transfer cause unread, look what finished, and read the status only when there is a reason to. [D1a]
template <class Core>
[[nodiscard, gnu::always_inline]] constexpr inline irq_result
serve_optimistically(Core& core, std::uint32_t enabled) noexcept {
    using controller = typename Core::controller;
    constexpr std::uint32_t transfer = Core::transfer_source::list::cause;
    if ((enabled & transfer) == 0) [[unlikely]] {
        return serve_without_transfers(core, enabled);
    }
    core.observer.note(events::entry{transfer});
    controller::acknowledge(core.bank, transfer);
    acknowledge_sum(core);
    bool owned = false;
    bool claimed_since = false;
    auto const found = look_at_transfers(core, owned, claimed_since);
    if (found.batch.empty()) [[unlikely]] {
        irq_result const result = owned ? irq_result::mine | irq_result::wake : irq_result::mine;
        return look_at_status(core, result, not claimed_since and not owned);
    }
    auto const rest = complete<hard_context>(core, core.transfers, core.budget, found.batch);
    irq_result result = irq_result::mine;
    if (not rest.empty()) [[unlikely]] {
        result |= hand_over(core, rest.unasked, rest.lagging);
    }
    if (--core.look_at_status.until_look != 0 and core.interrupts.expected() == 0) [[likely]] {
        return result;
    }
    return look_at_status(core, result, false);
}

/// One entry of the hard handler. Cost on the hot path: one read and one write, one read inside the claim, and one lock
/// section.
template <class Core>
[[nodiscard, gnu::always_inline]] constexpr inline irq_result on_hard_irq(Core& core) noexcept {
    std::uint32_t const enabled = core.interrupts.enabled();
    if (enabled == 0) {
        return irq_result::none;
    }
    irq_result result = irq_result::none;
    if constexpr (Core::types::order::optimistic_order) {
        result = serve_optimistically(core, enabled);
    } else {
        result = serve_causes(core, enabled);
    }
    core.observer.note(events::exit{result});
    return result;
}

} // namespace doorbell::verb
