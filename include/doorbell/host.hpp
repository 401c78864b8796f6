// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "completion/adaptive_budget.hpp"
#include "completion/count_budget.hpp"
#include "completion/first_of.hpp"
#include "completion/time_budget.hpp"
#include "completion/unbounded.hpp"
#include "controllers/ufshci.hpp"
#include "deferral/giveback.hpp"
#include "dispatch/collaborators.hpp"
#include "dispatch/composition.hpp"
#include "dispatch/dispatcher.hpp"
#include "dispatch/inspect.hpp"
#include "dispatch/life.hpp"
#include "dispatch/quiesce.hpp"
#include "dispatch/recovery.hpp"
#include "dispatch/submit.hpp"
#include "lock/interrupt_lock.hpp"
#include "lock/irq_spin_lock.hpp"
#include "lock/null_lock.hpp"
#include "lock/spin_lock.hpp"
#include "registers/mmio_bank.hpp"
#include "time/counter.hpp"
#include "time/cycle_counter.hpp"
#include "time/deadline.hpp"
#include "timeout/expiry.hpp"
#include "timeout/options.hpp"

#include <cstdint>

namespace doorbell {

/// A driver core: interrupt dispatch, budgeted completion, hand-over, tracking and recovery, composed from the types
/// that are named.
///
/// `Controller` is the family of hardware, `Driver` owns what belongs to a tag, `Bank` reaches the registers, `Clock`
/// is read by the `Budget` of the hard handler, `Lock` guards the shared words. Options, in any order, are those of
/// dispatch/handlers.hpp, options.hpp, lines.hpp, signal.hpp and masking.hpp, of timeout/options.hpp and of
/// deferral/giveback.hpp.
/// The constructor is constexpr, so that a global core can be `constinit`; there is no heap, no exception, no virtual
/// call and nothing that runs before main. [W2] Before `start` every verb but `reset` is inert. [D7]
template <
    class Controller, driver Driver, register_bank Bank, time_source Clock, budget_policy<Clock> Budget,
    lock_policy Lock, option... Options>
    requires controller<Controller, Bank>
class host {
    static_assert(
        (detail::known_option<Options> and ...),
        "doorbell: host does not know this option; the ones it takes are listed above class host in host.hpp");

    using types = detail::host_types<Controller, Driver, Bank, Clock, Budget, Lock, options<Options...>>;
    using core_type = collaborators<types>;

public:
    using tags = typename core_type::tags;
    using time_rep = typename core_type::timing_type::rep;
    using limit_type = typename core_type::timing_type::limit_type;
    static constexpr std::uint32_t all_causes =
        Controller::transfers::cause | detail::tasks_cause<Controller, Driver> | types::routes::causes;

    constexpr host(
        Driver& driver, Bank bank, Clock clock = {}, Lock lock = {}, typename types::observer observer = {},
        typename types::dma dma = {}) noexcept
        : core_{
              .driver = driver,
              .bank = bank,
              .clock = clock,
              .transfers = {typename core_type::transfer_source::requests_type{lock}},
              .observer = observer,
              .dma = dma} {}

    host(host const&) = delete;
    host& operator=(host const&) = delete;

    /// Hands one request, or a set with one doorbell write, to the hardware. The driver owns the tag and has filled its
    /// descriptor. Contexts: any. Cost: one lock section, one register write. [T1]
    submitted submit(tag which) noexcept {
        if (not exists(which)) [[unlikely]] {
            return out_of_range();
        }
        return verb::submit(core_, core_.transfers, which);
    }

    /// The same for a set, with one doorbell write. Contexts: any. An empty set is accepted while the core runs, and
    /// rings nothing. [T1]
    submitted submit(tags set) noexcept {
        if (set.empty()) [[unlikely]] {
            return verb::submit_nothing(core_);
        }
        return verb::submit(core_, core_.transfers, set);
    }

    /// The same for a request that is left to `poll`, under the option leave_polled. Contexts: any. [T8]
    submitted submit_polled(tag which) noexcept
        requires types::polling::leaves
    {
        return exists(which) ? verb::submit_polled(core_, core_.transfers, which) : out_of_range();
    }

    /// The poller of these requests is gone: whoever looks completes them, beginning now. Context: thread. [T8]
    thread_result leave_to_anyone(tags set) noexcept
        requires types::polling::leaves
    {
        core_.locked([set](auto& requests) noexcept { requests.leave_to_anyone(set); });
        return verb::serve_in_thread<true>(core_);
    }

    /// The same for a tag that `start` reserved: also while submissions are blocked. Contexts: any. [X5]
    submitted submit_reserved(tag which) noexcept { return submit_reserved(which, limit_type{}); }

    /// The same with a limit of its own: a recovery command has a short one. Contexts: any. [X5]
    submitted submit_reserved(tag which, limit_type limit) noexcept {
        return exists(which) ? verb::submit_reserved(core_, core_.transfers, tags{which}, limit) : out_of_range();
    }

    /// The same as `submit` for requests that may take `limit`, under mixed_timeouts: `within<Rep>{ticks}`.
    /// Contexts: any. Cost: that of `submit`, and a few instructions. [X1]
    submitted submit_within(tags set, limit_type limit) noexcept
        requires core_type::timing_type::keeps
    {
        return set.empty() ? verb::submit_nothing(core_) : verb::submit(core_, core_.transfers, set, limit);
    }

    /// The same by a caller that knows what the time is: nobody has to call `tick`. Contexts: any.
    submitted submit_at(time_rep now, tags set, limit_type limit = {}) noexcept
        requires core_type::timing_type::keeps
    {
        using said = typename core_type::timing_type::said;
        return set.empty() ? verb::submit_nothing(core_) : verb::submit(core_, core_.transfers, set, said{limit, now});
    }

    /// What the time is, in the ticks of the timeouts: called often enough that a deadline may be late by as much as
    /// lies between two calls. Contexts: any. Cost: one lock section. [X1]
    void tick(time_rep now) noexcept
        requires core_type::timing_type::keeps
    {
        core_.locked([this, now](auto&) noexcept { core_.timing.tick(now); });
    }

    /// The timer fired, or somebody wants to know. Looks at the deadlines; where one has passed, at the hardware; ends
    /// by the policy what is late, and arms the timer for who is left. Whoever finished completes as a success. Stopped
    /// or gated it does nothing; once the controller is gone it ends everything. At least once per half of the
    /// counter's range, or a deadline that passed looks like one to come. Context: thread, and not from a callback.
    /// Cost: one lock section per eight deadlines looked at, one register read per section with a late one. [X2] [X4]
    /// [D4]
    expiry<tags> expire(time_rep now) noexcept
        requires core_type::timing_type::keeps
    {
        return verb::expire_due(core_, now);
    }

    /// More time for one request, counted from the last `tick`. Contexts: any. Cost: one lock section. [X4] [T2]
    extend_status extend(ticket const& which, limit_type limit = {}) noexcept
        requires core_type::timing_type::keeps
    {
        return verb::extend(core_, which, limit);
    }

    /// A command without a tag was issued and may take `ticks`; `end_control` from the handler of its cause tells
    /// whether it is still waited for. Contexts: any. Cost: one lock section. [X2]
    void arm_control(unsigned which, time_rep ticks) noexcept
        requires core_type::timing_type::keeps
    {
        verb::arm_control(core_, which, ticks);
    }

    bool end_control(unsigned which) noexcept
        requires core_type::timing_type::keeps
    {
        return core_.locked([this, which](auto&) noexcept { return core_.timing.commands.take(tag{which}); });
    }

    /// Hands over a task management request, of the driver that has `task_completed`. Contexts: any.
    submitted submit_task(tag which) noexcept
        requires core_type::has_tasks
    {
        if (which.index >= Controller::tasks::slots) {
            return out_of_range();
        }
        core_.locked([this](auto&) noexcept { core_.interrupts.expect(Controller::tasks::cause, 0); });
        return verb::submit(core_, core_.tasks, which);
    }

    /// The interrupt. Context: hard handler. Cost: two reads and one write of registers, one lock section. [D1]
    irq_result on_hard_irq() noexcept { return verb::on_hard_irq(core_); }

    /// What the hard handler left, and what finished since. Context: thread, after a wake; run again while `again()`.
    /// [H3]
    thread_result on_thread() noexcept { return verb::serve_in_thread<true>(core_); }

    /// Completes everything that has finished, whoever submitted it, also what an interrupt would have found. Context:
    /// thread, or a callback that runs in one. `again()`: work waits for `on_thread`. Cost: one lock section, one read.
    /// [T8]
    thread_result poll() noexcept { return verb::serve_in_thread<false>(core_); }

    /// Runs one batch of the callbacks that wait, under in_bottom_half. `again()`: schedule another. Context: thread,
    /// task or main loop, after `schedule_giveback`. Cost: one lock section per callback and two more. [G1] [G2]
    thread_result run_bottom_half() noexcept
        requires core_type::giveback_type::defers
    {
        return core_.giveback.run(core_);
    }

    /// Where the completions of an endpoint stand: "nothing is queued" is not "nothing runs". Contexts: any. [G4]
    [[nodiscard]] endpoint_activity activity(endpoint const& of) noexcept
        requires core_type::giveback_type::defers
    {
        return core_.locked([this, &of](auto&) noexcept { return core_.giveback.activity(of); });
    }

    /// Opens the core: the controller's list runs already. Without arguments: the slots that the controller reports and
    /// all causes that are handled. What was raised or finished before is served before it returns, callbacks included:
    /// no edge would tell of it any more. Context: thread. [B2] [D7]
    /// A core that is not stopped refuses, and reads nothing: its controller may be gated. [P1]
    start_result start() noexcept {
        return start(core_.interrupts.now() == phase::stopped ? Controller::transfers::usable(core_.bank) : tags{});
    }

    start_result start(tags usable, std::uint32_t causes = all_causes) noexcept {
        return start(start_options<tags>{.usable = usable, .causes = causes});
    }

    start_result start(start_options<tags> const& with) noexcept { return verb::start(core_, with); }

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

    /// Ends one request early; the callback comes when tag and buffers can be reused. Context: thread. Needs the
    /// driver's `end_on_device`. Cost: register accesses until the slot is given up. [T5]
    abort_status abort(ticket const& which) noexcept
        requires ends_on_device<Driver>
    {
        return verb::abort(core_, core_.transfers, which);
    }

    /// Aborts what is outstanding now; returns what needs a reset. Context: thread. [T2]
    tags abort_all() noexcept
        requires ends_on_device<Driver>
    {
        return verb::abort_all(core_, core_.transfers);
    }

    /// Declares the time of a set over: what has finished completes as a success, the rest is quarantined and returned.
    /// Context: thread. Cost: one lock section, one register read. [X2] [D4]
    tags expire_tags(tags set) noexcept { return verb::expire(core_, core_.transfers, set); }

    /// Ends one quarantined request on the device and in its slot, then gives it back. Context: thread. [T5]
    abort_status recover(tag which, outcome verdict = outcome::timed_out) noexcept
        requires ends_on_device<Driver>
    {
        return exists(which) ? verb::recover(core_, core_.transfers, which, verdict) : abort_status::stale;
    }

    /// Holds ordinary submissions back, and lets them go; nests. Contexts: any. [Q1]
    void block() noexcept { verb::block(core_); }

    void unblock() noexcept { verb::unblock(core_); }

    /// Completes until nothing is in flight, or until the limit. Context: thread. [Q1]
    template <time_limit<typename Clock::rep> Limit>
    wait_status drain(Limit const& limit) noexcept {
        return verb::drain(core_, limit);
    }

    /// Completes until `done()`, an error of the controller, or the limit. Context: thread.
    template <time_limit<typename Clock::rep> Limit, class Done>
    wait_status wait(Limit const& limit, Done done) noexcept {
        return verb::wait(core_, limit, Controller::errors, done);
    }

    /// Clock or power go, and come back: no register access meanwhile; answers as `on_thread`. Context: thread. [P1]
    void gate() noexcept {
        require_waiting();
        verb::gate(core_);
    }

    thread_result ungate() noexcept { return verb::ungate(core_); }

    /// Adds and removes enabled causes. Contexts: any; on an edge line `enable` is for a thread, since it serves what
    /// stands already and would raise no edge, and answers as `on_thread`. Cost: one lock section, one write. [D8]
    thread_result enable(std::uint32_t causes) noexcept { return verb::set_enabled(core_, 0, causes); }

    void disable(std::uint32_t causes) noexcept { (void)verb::set_enabled(core_, causes, 0); }

    /// Programs again what the controller forgot when it lost power. Contexts, and answer: as `enable`. [D8]
    thread_result resync() noexcept { return verb::resync(core_); }

    /// Causes of a command that was issued, or has ended: under the optimistic order an entry looks for them. Contexts:
    /// any. Cost: one lock section. [D1a]
    void expect(std::uint32_t causes) noexcept { verb::expect(core_, causes, 0); }

    void expect_no_more(std::uint32_t causes) noexcept { verb::expect(core_, 0, causes); }

    /// No thread can run: early boot, resume. The hard handler completes everything, its budget notwithstanding; what
    /// may sleep stays recorded, for the loop that is named. Both answer as `on_thread`: `again()`, it has to run for
    /// what waits already. Context: thread. [D7] [H2]
    template <class DrainedBy = drained_by_nobody>
    thread_result threads_unavailable() noexcept {
        static_assert(
            not std::same_as<DrainedBy, drained_by_nobody> or
                (types::routes::template inline_causes<Driver> == types::routes::causes and
                 completes_in<Driver, hard_context>),
            "doorbell: this core has handlers that only a thread may run; name the loop that calls on_thread() "
            "meanwhile: threads_unavailable<drained_by<&loop>>()");
        return verb::set_threads(core_, false);
    }

    thread_result threads_available() noexcept { return verb::set_threads(core_, true); }

    /// What the hardware holds; what is claimed and waits for the thread or for its response; what is withheld until
    /// hardware cannot write it. Contexts: any. Cost: one lock section. [H1] [T5]
    [[nodiscard]] tags outstanding() noexcept { return verb::outstanding(core_); }

    [[nodiscard]] tags leftover() noexcept { return verb::leftover(core_); }

    [[nodiscard]] tags quarantined() noexcept { return verb::quarantined(core_); }

    /// The causes the core acts on; 0 while inert. [D8]
    [[nodiscard]] std::uint32_t enabled() const noexcept { return core_.interrupts.enabled(); }

    [[nodiscard]] typename types::observer const& observer() const noexcept { return core_.observer; }

private:
    static constexpr void require_waiting() noexcept {
        static_assert(
            synchronizes<Driver> or types::processor_cores::one,
            "doorbell: a handler may be running on another processor core; give the driver `void synchronize() "
            "noexcept`, which returns when none of this core runs, or the option cores<1>");
    }

    static constexpr bool exists(tag which) noexcept { return which.index < Controller::transfers::slots; }

    submitted out_of_range() noexcept { return verb::refuse(core_, submit_status::out_of_range); }

    core_type core_;
};

} // namespace doorbell
