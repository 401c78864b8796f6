// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../core/options.hpp"
#include "../dma/coherent.hpp"
#include "concepts.hpp"
#include "handlers.hpp"
#include "lines.hpp"
#include "masking.hpp"
#include "options.hpp"
#include "signal.hpp"

#include "../completion/concepts.hpp"
#include "../lock/concepts.hpp"

#include <concepts>
#include <cstdint>

namespace doorbell::detail {

/// The cause of task management, when the driver takes part in it.
template <class Controller, class Driver>
inline constexpr std::uint32_t tasks_cause = 0;
template <class Controller, task_driver Driver>
inline constexpr std::uint32_t tasks_cause<Controller, Driver> = Controller::tasks::cause;

/// The collaborators of one core as a list of names, and what must be true of them together.
template <class Controller, class Driver, class Bank, class Clock, class Budget, class Lock, class Chosen>
struct host_types {
    using controller = Controller;
    using driver = Driver;
    using bank = Bank;
    using clock = Clock;
    using budget = Budget;
    using lock = Lock;
    using routes = typename Chosen::template get<handlers_family, handlers<>>;
    using observer = typename Chosen::template get<observer_family, observed_by<fault_counts>>::type;
    using dma = typename Chosen::template get<dma_family, dma_by<coherent>>::type;
    using line = typename Chosen::template get<line_family, shared_line>;
    using acknowledge = typename Chosen::template get<acknowledge_family, acknowledge_enabled>;
    using placement = typename Chosen::template get<placement_family, hard_handler_nests>;
    using processor_cores = typename Chosen::template get<cores_family, cores<2>>;
    using masking = typename Chosen::template get<masking_family, leave_unmasked>;
    using signal = typename Chosen::template get<signal_family, level_line>;
    using order = typename Chosen::template get<order_family, acknowledge_first>;
    using gathering = typename Chosen::template get<gathering_family, each_completion>;
    using giveback = typename Chosen::template get<giveback_family, in_place>;
    using timeouts = typename Chosen::template get<timeout_family, no_timeouts>;
    using polling = typename Chosen::template get<polling_family, complete_polled>;
    using read_back = typename Chosen::template get<read_back_family, posted_acknowledge>;

    static_assert(
        sleepless_lock<Lock>,
        "doorbell: this lock may sleep and cannot be taken in the hard handler; write irq_spin_lock, or "
        "interrupt_lock with cores<1>");
    static_assert(
        not sleepless_lock<Lock> or interruptible_lock<Lock, placement>,
        "doorbell: the hard handler would wait for ever for this lock when it interrupts its holder; write "
        "irq_spin_lock, or promise hard_handler_elsewhere");
    static_assert(
        not sleepless_lock<Lock> or excluding_lock<Lock, processor_cores>,
        "doorbell: this lock only masks interrupts and excludes no other processor core; write irq_spin_lock, "
        "or the option cores<1>");
    static_assert(
        budget_fits<Budget, Clock>,
        "doorbell: this time source is coarser than the time budget; choose a finer clock or a count_budget");
    static_assert(
        completes_in<Driver, thread_context>,
        "doorbell: the driver has no `void completed(claimed<any_context>, outcome) noexcept` that the thread "
        "can call; write one");
    static_assert(
        not completes_in<Driver, thread_context> or not Budget::completes_in_hard_handler or giveback::defers or
            completes_in<Driver, hard_context>,
        "doorbell: completed() takes claimed<thread_context>, but this budget completes in the hard handler; "
        "write deferred_all or in_bottom_half, or take claimed<any_context>");
    static_assert(
        routes::template urgent_may_run_hard<Driver>,
        "doorbell: an urgent handler must take raised<any_context> and be noexcept; one that may sleep takes "
        "raised<thread_context> and is bound with deferred<>");
    static_assert(
        routes::template all_may_run_in_thread<Driver>,
        "doorbell: a deferred handler must take raised<thread_context> or raised<any_context> and be noexcept, and an "
        "urgent one raised<any_context>: the thread goes on where the hard handler left");
    static_assert(
        not masking::masks_line or routes::urgent_causes == 0,
        "doorbell: with the line masked, urgent handlers would wait for the thread; write mask_cause");
    static_assert(
        not masking::masks_line or masks_line<Driver>,
        "doorbell: mask_line needs the driver's `void mask_line() noexcept` and `void unmask_line() noexcept`");
    static_assert(
        not masking::masks_line or std::same_as<line, sole_line> or on_shared_lines<masking>,
        "doorbell: masking a shared line silences the other devices on it; write mask_cause, sole_line, or "
        "mask_shared_line");
    static_assert(
        not order::optimistic_order or signal::level,
        "doorbell: the optimistic order acknowledges a cause it has not read, and an edge does not come again; write "
        "acknowledge_first, or level_line");
    static_assert(
        not order::optimistic_order or Budget::completes_in_hard_handler,
        "doorbell: the optimistic order looks at the doorbell in the hard handler, which deferred_all does not; write "
        "acknowledge_first");
    static_assert(
        not gathering::gathers or gathers<Controller, Bank>,
        "doorbell: this controller cannot gather completions; write each_completion");
    static_assert(
        (routes::causes & Controller::transfers::cause) == 0,
        "doorbell: finished transfers are served by the completion loop; do not bind a handler to them");
    static_assert(
        (routes::causes & tasks_cause<Controller, Driver>) == 0,
        "doorbell: the driver has task_completed(), so the completion loop serves task management; do not bind a "
        "handler to its cause");
};

/// The options that a core knows.
template <class Option>
inline constexpr bool known_option = of_family<
    Option, handlers_family, observer_family, dma_family, line_family, acknowledge_family, cores_family,
    placement_family, masking_family, signal_family, order_family, gathering_family, polling_family, read_back_family,
    timeout_family, giveback_family>;

} // namespace doorbell::detail
