// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include "completion/count_budget.hpp"
#include "completion/first_of.hpp"
#include "completion/time_budget.hpp"
#include "completion/unbounded.hpp"
#include "controllers/ufshci.hpp"
#include "core/options.hpp"
#include "dispatch/collaborators.hpp"
#include "dispatch/dispatcher.hpp"
#include "dispatch/handlers.hpp"
#include "dispatch/life.hpp"
#include "dispatch/lines.hpp"
#include "dispatch/options.hpp"
#include "dispatch/submit.hpp"
#include "dma/coherent.hpp"
#include "lock/interrupt_lock.hpp"
#include "lock/irq_spin_lock.hpp"
#include "lock/null_lock.hpp"
#include "lock/spin_lock.hpp"
#include "registers/mmio_bank.hpp"
#include "time/counter.hpp"
#include "time/cycle_counter.hpp"

namespace doorbell {

namespace detail {

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
        not completes_in<Driver, thread_context> or not Budget::completes_in_hard_handler or
            completes_in<Driver, hard_context>,
        "doorbell: completed() takes claimed<thread_context>, but this budget completes in the hard handler; "
        "write deferred_all, or take claimed<any_context>");
    static_assert(
        routes::template urgent_may_run_hard<Driver>,
        "doorbell: an urgent handler must take raised<any_context> and be noexcept; one that may sleep takes "
        "raised<thread_context> and is bound with deferred<>");
    static_assert(
        routes::template deferred_may_run_in_thread<Driver>,
        "doorbell: a deferred handler must take raised<thread_context> or raised<any_context> and be noexcept");
    static_assert(
        (routes::causes & Controller::transfer) == 0,
        "doorbell: finished transfers are served by the completion loop; do not bind a handler to them");
};

} // namespace detail

/// A driver core: interrupt dispatch, budgeted completion, hand-over and tracking, composed from the types that are
/// named.
///
/// `Controller` is the family of hardware, `Driver` owns what belongs to a tag, `Bank` reaches the registers, `Clock`
/// is read by the `Budget` of the hard handler, `Lock` guards the shared words. Options, in any order: handlers<...>,
/// observed_by<>, dma_by<>, shared_line or sole_line, acknowledge_enabled or acknowledge_snapshot, cores<N>,
/// hard_handler_elsewhere.
/// The constructor is constexpr, so that a global core can be `constinit`; there is no heap, no exception, no virtual
/// call and nothing that runs before main. [W2] Before `start` every verb but `reset` is inert. [D7]
template <
    class Controller, driver Driver, register_bank Bank, time_source Clock, budget_policy<Clock> Budget,
    lock_policy Lock, option... Options>
    requires controller<Controller, Bank>
class host {
    static_assert(
        (of_family<
             Options, handlers_family, observer_family, dma_family, line_family, acknowledge_family, cores_family,
             placement_family> and
         ...),
        "doorbell: host does not know this option; the ones it takes are listed above class host in host.hpp");

    using types = detail::host_types<Controller, Driver, Bank, Clock, Budget, Lock, options<Options...>>;

public:
    using tags = tag_set<Controller::slots>;
    static constexpr std::uint32_t all_causes = Controller::transfer | types::routes::causes;

    constexpr host(
        Driver& driver, Bank bank, Clock clock = {}, Lock lock = {}, typename types::observer observer = {},
        typename types::dma dma = {}) noexcept
        : core_{
              .driver = driver,
              .bank = bank,
              .clock = clock,
              .requests = tracker<Controller::slots, Lock>{lock},
              .observer = observer,
              .dma = dma} {}

    host(host const&) = delete;
    host& operator=(host const&) = delete;

    /// Hands one request, or a set with one doorbell write, to the hardware. The driver owns the tag and has filled its
    /// descriptor. Contexts: any. Cost: one lock section, one register write. [T1]
    submitted submit(tag which) noexcept {
        return which.index < Controller::slots ? verb::submit(core_, tags{which})
                                               : verb::refuse(core_, submit_status::out_of_range);
    }

    /// An empty set is accepted while the core runs, and rings nothing.
    submitted submit(tags set) noexcept { return set.empty() ? verb::submit_nothing(core_) : verb::submit(core_, set); }

    /// The interrupt. Context: hard handler. Cost: two reads and one write of registers, one lock section. [D1]
    irq_result on_hard_irq() noexcept { return verb::on_hard_irq(core_); }

    /// What the hard handler left, and what finished since. Context: thread, after a wake; run again while `again()`.
    /// [H3]
    thread_result on_thread() noexcept { return verb::serve_in_thread<true>(core_); }

    /// Completes everything that has finished, whoever submitted it, also what an interrupt would have found. Context:
    /// thread, or a callback that runs in one. Cost: one lock section, one register read. [T8]
    thread_result poll() noexcept { return verb::serve_in_thread<false>(core_); }

    /// Opens the core: the controller's list runs already. Without arguments: the slots that the controller reports and
    /// all causes that are handled. What was raised or finished before is served before it returns, callbacks included:
    /// no edge would tell of it any more. Context: thread. [B2] [D7]
    start_status start() noexcept { return start(Controller::usable(core_.bank)); }

    start_status start(tags usable, std::uint32_t causes = all_causes) noexcept {
        return verb::start(core_, usable, causes);
    }

    /// Masks, waits, completes what is claimed or finished, and touches no register any more; tells what the hardware
    /// still holds. Context: thread, and not from a callback. [D7]
    tags stop() noexcept {
        require_waiting();
        return verb::stop(core_);
    }

    /// Halts the controller and ends every request, as what really happened or else as `outcome::reset`. Context:
    /// thread, and not from a callback. After it: bring-up, then `start`. [T1]
    reset_status reset() noexcept {
        require_waiting();
        return verb::reset(core_);
    }

    /// Adds and removes enabled causes. Contexts: any. Cost: one lock section, one register write. [D8]
    void enable(std::uint32_t causes) noexcept { verb::set_enabled(core_, 0, causes); }

    void disable(std::uint32_t causes) noexcept { verb::set_enabled(core_, causes, 0); }

    /// Writes the enable register again from its shadow, after the controller lost power. [D8]
    void resync() noexcept { verb::set_enabled(core_, 0, 0); }

    /// No thread can run: early boot, resume. The hard handler completes everything, its budget notwithstanding; what
    /// may sleep stays recorded, for the loop that is named. [D7]
    template <class DrainedBy = drained_by_nobody>
    void threads_unavailable() noexcept {
        static_assert(
            not std::same_as<DrainedBy, drained_by_nobody> or
                (types::routes::template thread_only<Driver> == 0 and completes_in<Driver, hard_context>),
            "doorbell: this core has handlers that only a thread may run; name the loop that calls on_thread() "
            "meanwhile: threads_unavailable<drained_by<&loop>>()");
        set_threads(false);
    }

    void threads_available() noexcept { set_threads(true); }

    /// What the hardware holds. Contexts: any. Cost: one lock section.
    [[nodiscard]] tags outstanding() noexcept { return core_.requests.outstanding(); }

    /// What is claimed and waits for the thread, or for its response. Contexts: any. Cost: one lock section. [H1]
    [[nodiscard]] tags leftover() noexcept { return core_.requests.parked(); }

    /// The causes the core wants enabled; 0 while inert. [D8]
    [[nodiscard]] std::uint32_t enabled() const noexcept { return core_.interrupts.enabled(); }

    [[nodiscard]] typename types::observer const& observer() const noexcept { return core_.observer; }

private:
    static constexpr void require_waiting() noexcept {
        static_assert(
            synchronizes<Driver> or types::processor_cores::one,
            "doorbell: a handler may be running on another processor core; give the driver `void synchronize() "
            "noexcept`, which returns when none of this core runs, or the option cores<1>");
    }

    void set_threads(bool available) noexcept {
        core_.requests.locked([this, available](auto&) noexcept { core_.interrupts.set_threads_available(available); });
    }

    collaborators<types> core_;
};

} // namespace doorbell
