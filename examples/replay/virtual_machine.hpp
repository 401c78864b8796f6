// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "core_under_test.hpp"
#include "machine_costs.hpp"
#include "policy_results.hpp"
#include "recorded_event.hpp"
#include "recording.hpp"
#include "slot_table.hpp"
#include "timeline.hpp"
#include "waiting_line.hpp"

#include <doorbell/controllers/ufshci/offsets.hpp>
#include <doorbell/testing/checking_lock.hpp>
#include <doorbell/testing/ufshci_model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace replay {

/// A machine in virtual time around the register model. One processor runs the hard handler and the thread; the hard
/// handler interrupts the thread wherever no lock is held. Requests come from other processors at their recorded times;
/// they wait only for a slot and for the lock. Time passes where it costs something: at register accesses, callbacks,
/// handler entries and wakes; what falls due meanwhile happens at its time.
class virtual_machine {
public:
    static constexpr unsigned slots = slot_table::slots;

    virtual_machine(machine_costs const& costs, recording& source, timeline* picture, unsigned picture_process)
        : costs_{costs}
        , source_{source}
        , picture_{picture}
        , process_{picture_process}
        , model_{knobs()}
        , watch_{{.self = this, .acquired = &on_acquired, .released = &on_released, .failed = &on_lock_error}} {
        model_.bring_up();
    }

    virtual_machine(virtual_machine const&) = delete;
    virtual_machine& operator=(virtual_machine const&) = delete;

    /// Brings the core up; its register accesses until now are not counted.
    void attach(core_under_test& core) {
        core_ = &core;
        core.start();
        who_ = runner::nobody;
        results_ = {};
        look_at_recording();
        now_ = next_recorded_; // nothing happens when the recording is empty
    }

    /// Runs until the recorded event `horizon` has happened, or the recording has ended.
    void run_to(std::uint64_t horizon) {
        while (cursor_ < horizon and next_recorded_ != never) {
            step();
        }
    }

    /// The recording has ended: runs until nothing happens any more, and counts what was lost.
    policy_results finish() {
        while (std::min({next_recorded_, table_.next_finish(), thread_at_}) != never) {
            step();
        }
        results_.lost = table_.finished();
        if (not waiting_.empty()) {
            fault(std::to_string(waiting_.size()) + " requests were never handed to the hardware: no slot became free");
        }
        if (not model_.errors().empty()) {
            fault("the register model was driven wrongly: " + model_.errors()[0].text());
        }
        results_.requests = source_.counts().requests;
        return std::move(results_);
    }

    // What the core under test reaches.

    [[nodiscard]] std::uint32_t load(std::size_t offset) noexcept {
        pass(costs_.read_ns);
        ++results_.reads;
        return model_.load(offset);
    }

    void store(std::size_t offset, std::uint32_t value) noexcept {
        pass(costs_.write_ns);
        ++results_.writes;
        model_.store(offset, value);
        if (offset == doorbell::ufs::offset::utrldbr) {
            table_.rung(value, now_);
        }
    }

    [[nodiscard]] doorbell::testing::ufshci_model& model() noexcept { return model_; }

    [[nodiscard]] doorbell::testing::lock_watch& watch() noexcept { return watch_; }

    [[nodiscard]] std::uint64_t now() const noexcept { return now_; }

    /// The core gives the request in `slot` back.
    void callback(unsigned slot) noexcept {
        if (slot >= slots or not table_.has_finished(slot)) {
            ++results_.doubled;
            pass(costs_.callback_ns);
            return;
        }
        slot_table::request const& r = table_[slot];
        if (r.counted) {
            results_.note_completion(now_ - r.finish_at);
        }
        if (picture_ != nullptr) {
            picture_->request(process_, slot, r.tag, r.rung_at, r.finish_at, now_);
        }
        table_.complete(slot);
        pass(costs_.callback_ns);
        table_.release(slot);
        hand_in();
    }

private:
    static constexpr std::uint64_t never = slot_table::never;

    enum class runner : std::uint8_t { setup, nobody, thread, hard_handler, submitter };

    [[nodiscard]] static doorbell::testing::ufshci_knobs knobs() noexcept {
        doorbell::testing::ufshci_knobs k;
        k.aggregation = doorbell::testing::aggregation_mode::absent;
        k.memory_bytes = 0;
        k.check_descriptors = false;
        k.log_entries = 0;
        return k;
    }

    void step() {
        std::uint64_t const next = std::min(next_recorded_, table_.next_finish());
        if (thread_at_ <= next) {
            run_thread();
        } else {
            advance(next);
        }
    }

    /// Time passes for whoever runs.
    void pass(std::uint64_t ns) noexcept {
        if (who_ == runner::submitter) {
            now_ += ns;
        } else if (who_ != runner::setup) {
            advance(now_ + ns);
        }
    }

    /// Moves the processor's time on to `to`; what falls due happens on the way. An interrupt that comes in between
    /// takes its own time, which is added.
    void advance(std::uint64_t to) noexcept {
        for (;;) {
            std::uint64_t const next = std::min(next_recorded_, table_.next_finish());
            if (next > to or next == never) {
                break;
            }
            now_ = std::max(now_, next);
            while (next_recorded_ <= now_) {
                take_recorded();
            }
            while (table_.next_finish() <= now_) {
                static_cast<void>(model_.finish(table_.finish_next()));
            }
            hand_in();
            std::uint64_t const before = now_;
            interrupt();
            to += now_ - before;
        }
        now_ = std::max(now_, to);
    }

    void look_at_recording() noexcept {
        auto const* const e = gave_up_ ? nullptr : source_.at(cursor_);
        next_recorded_ = e == nullptr ? never : e->time_ns;
    }

    void take_recorded() noexcept {
        recorded_event const e = *source_.at(cursor_);
        ++cursor_;
        if (e.what == recorded_event::kind::send) {
            waiting_.push({.number = e.request, .tag = e.tag, .sent_at = e.time_ns});
            gave_up_ = waiting_.hopeless(); // the core keeps the slots for itself; what follows could only pile up
        } else {
            bool const counted = e.what == recorded_event::kind::finish;
            if (not table_.set_end(e.request, e.time_ns, now_, counted)) {
                waiting_.set_end(e.request, e.time_ns, counted);
            }
        }
        look_at_recording();
    }

    /// Other processors hand in what waits, while there are slots and the lock is free.
    void hand_in() noexcept {
        while (not waiting_.empty() and not held_ and not table_.full()) {
            runner const before = std::exchange(who_, runner::submitter);
            auto const user = watch_.run_as(doorbell::testing::lock_user::thread);
            std::uint64_t const mine = now_;
            unsigned const slot = table_.take(waiting_.pop());
            if (core_->submit(slot)) {
                ++results_.handed;
            } else {
                fault("the core refused a request although its slot was free");
                table_.release(slot);
            }
            now_ = mine;
            static_cast<void>(watch_.run_as(user));
            who_ = before;
        }
    }

    /// Enters the hard handler as long as the line asks for it and the processor lets it.
    void interrupt() noexcept {
        unsigned idle_entries = 0;
        while (model_.line() and not line_masked_ and not held_ and
               (who_ == runner::nobody or who_ == runner::thread)) {
            std::uint64_t const done = results_.completed;
            std::uint64_t const finishes = table_.finishes();
            runner const before = std::exchange(who_, runner::hard_handler);
            auto const user = watch_.run_as(doorbell::testing::lock_user::hard_handler);
            ++results_.interrupts;
            advance(now_ + costs_.entry_ns);
            std::uint64_t const from = now_;
            handling const asked = core_->on_hard_irq();
            results_.hard_max_ns = std::max(results_.hard_max_ns, now_ - from);
            if (picture_ != nullptr) {
                picture_->hard(process_, from, now_);
            }
            line_masked_ = asked.mask_line;
            if (asked.wake_thread) {
                wake();
            }
            static_cast<void>(watch_.run_as(user));
            who_ = before;
            idle_entries = done == results_.completed and finishes == table_.finishes() ? idle_entries + 1 : 0;
            if (idle_entries == most_idle) {
                fault("interrupt storm: the handler leaves the line up");
                line_masked_ = true;
            }
        }
    }

    void wake() noexcept {
        if (thread_runs_) {
            run_again_ = true;
        } else if (thread_at_ == never) {
            thread_at_ = now_ + costs_.wake_ns;
            ++results_.wakeups;
        }
    }

    void run_thread() {
        advance(thread_at_);
        thread_at_ = never;
        who_ = runner::thread;
        thread_runs_ = true;
        std::uint64_t const from = now_;
        unsigned idle_runs = 0;
        bool again = true;
        while (again) {
            run_again_ = false;
            std::uint64_t const before = now_;
            again = core_->on_thread() or run_again_;
            idle_runs = before == now_ ? idle_runs + 1 : 0;
            if (idle_runs == most_idle) {
                fault("the thread asks to run again for ever");
                break;
            }
        }
        if (picture_ != nullptr) {
            picture_->thread(process_, from, now_);
        }
        thread_runs_ = false;
        who_ = runner::nobody;
        line_masked_ = false;
        interrupt();
    }

    static void on_acquired(void* self) {
        auto& m = *static_cast<virtual_machine*>(self);
        m.held_ = true;
        if (m.who_ == runner::submitter) {
            m.now_ = std::max(m.now_, m.lock_free_at_);
        } else if (m.who_ != runner::setup and m.lock_free_at_ > m.now_) {
            m.advance(m.lock_free_at_);
        }
        m.acquired_at_ = m.now_;
    }

    static void on_released(void* self) {
        auto& m = *static_cast<virtual_machine*>(self);
        m.held_ = m.watch_.held();
        if (m.held_ or m.who_ == runner::setup) {
            return;
        }
        m.lock_free_at_ = m.now_;
        m.results_.lock_max_ns = std::max(m.results_.lock_max_ns, m.now_ - m.acquired_at_);
        if (m.picture_ != nullptr) {
            m.picture_->lock(m.process_, m.acquired_at_, m.now_);
        }
        if (m.who_ != runner::submitter) {
            m.hand_in();
            m.interrupt();
        }
    }

    static void on_lock_error(void* self, doorbell::testing::lock_error) {
        static_cast<virtual_machine*>(self)->fault("the lock was taken or given back wrongly");
    }

    void fault(std::string what) {
        constexpr std::size_t enough = 8;
        if (results_.faults.size() < enough) {
            results_.faults.push_back(std::move(what));
        }
    }

    static constexpr unsigned most_idle = 1000;

    machine_costs costs_;
    recording& source_;
    timeline* picture_;
    unsigned process_;
    doorbell::testing::ufshci_model model_;
    doorbell::testing::lock_watch watch_;
    core_under_test* core_ = nullptr;
    slot_table table_{};
    waiting_line waiting_{};
    policy_results results_{};
    std::uint64_t now_ = 0;
    std::uint64_t cursor_ = 0;
    std::uint64_t next_recorded_ = never;
    std::uint64_t thread_at_ = never;
    std::uint64_t lock_free_at_ = 0;
    std::uint64_t acquired_at_ = 0;
    runner who_ = runner::setup;
    bool held_ = false;
    bool line_masked_ = false;
    bool thread_runs_ = false;
    bool run_again_ = false;
    bool gave_up_ = false;
};

} // namespace replay
