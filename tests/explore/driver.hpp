// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "machine.hpp"

#include <doorbell/host.hpp>

#include <array>
#include <functional>
#include <string>

namespace rig {

/// The driver of the scenarios: keeps the books. What it counts is its own affair and no step.
struct disk {
    machine* hardware;
    explore::presence* inside;            ///< handlers and thread runs under way; nullptr: nobody waits for them
    explore::wake_flag* half = nullptr;   ///< what makes the bottom half run
    std::function<void(unsigned)> more{}; ///< what a callback does besides

    std::array<unsigned, machine::most_slots> issued{};
    std::array<unsigned, machine::most_slots> completed_ok{};
    std::array<unsigned, machine::most_slots> forced{};
    std::array<bool, machine::most_slots> in_use{};
    bool one_owner = false; ///< while the thread owns the source nobody else completes
    unsigned callbacks_running = 0;
    std::uint32_t urgent_seen = 0;
    std::uint32_t deferred_seen = 0;
    unsigned urgent_calls = 0;

    // Under the lock, before the ring.
    void prepare(db::tag t) noexcept {
        explore::require(not in_use[t.index], "a tag in use is not submitted again");
        in_use[t.index] = true;
        ++issued[t.index];
        hardware->status[t.index] = db::outcome::not_written;
    }

    [[nodiscard]] db::outcome response(db::tag t) noexcept { return hardware->answer(t.index); }

    void completed(db::claimed<db::any_context> won, db::outcome result) noexcept {
        if (one_owner) {
            explore::object const all = hardware->callbacks();
            explore::point("begin", all, {all, explore::mode::write}, won.index());
            explore::require(callbacks_running == 0, "one context at a time works on what has an owner");
            ++callbacks_running;
            explore::point("end", all, {all, explore::mode::write}, won.index());
            --callbacks_running;
        } else {
            explore::boundary("completed", won.index());
        }
        explore::require(explore::unlocked(), "no callback runs with the lock held");
        explore::require(in_use[won.index()], "each request completes once");
        in_use[won.index()] = false;
        if (result == db::outcome::success) {
            ++completed_ok[won.index()];
        } else {
            explore::require(
                (hardware->owned & (1U << won.index())) == 0, "no request is given back while hardware may write it");
            explore::require(
                result == db::outcome::reset or result == db::outcome::aborted or result == db::outcome::timed_out,
                "a request ends as success, aborted, timed out or by reset");
            ++forced[won.index()];
        }
        if (more) {
            more(won.index());
        }
    }

    void urgent(db::raised<db::any_context> causes) noexcept {
        explore::require(explore::unlocked(), "no handler runs with the lock held");
        urgent_seen |= causes.bits();
        ++urgent_calls;
    }

    void deferred(db::raised<db::thread_context> causes) noexcept {
        explore::require(explore::unlocked(), "no handler runs with the lock held");
        deferred_seen |= causes.bits();
    }

    void schedule_giveback() noexcept {
        explore::require(explore::unlocked(), "nobody is woken with the lock held");
        half->wake();
    }

    void synchronize() noexcept {
        explore::require(explore::unlocked(), "nobody waits with the lock held");
        if (inside != nullptr) {
            inside->await_nobody();
        }
    }

    [[nodiscard]] bool end_on_device(db::tag which) noexcept {
        hardware->end(which.index);
        return true;
    }

    void pause() noexcept { hardware->await_clear(); }

    void mask_line() noexcept { hardware->mask_line(true); }

    void unmask_line() noexcept { hardware->mask_line(false); }

    // issued = completed + failed by reset [W1]
    void check_books(explore::schedule& s) const {
        for (unsigned t = 0; t < machine::most_slots; ++t) {
            s.check(
                issued[t] == completed_ok[t] + forced[t] and not in_use[t],
                "nobody is lost: tag " + std::to_string(t) + " was issued " + std::to_string(issued[t]) +
                    " times, completed " + std::to_string(completed_ok[t]) + " and failed " +
                    std::to_string(forced[t]) + " times");
        }
    }
};

/// Which lock, which budget, which options.
template <class Lock, class Budget, class... Options>
using core =
    db::host<db::ufshci, disk, bank, explore::step_clock, Budget, Lock, db::observed_by<db::null_observer>, Options...>;

/// All the parts of one scenario, and the contexts that most of them have.
template <class Core>
struct parts {
    explore::schedule& s;
    machine hardware;
    explore::wake_flag wake{s};
    explore::wake_flag timer{s, "timer"};
    explore::wake_flag half{s, "bottom half"};
    explore::presence inside{s, "core code"};
    disk driver;
    Core host;

    explicit parts(
        explore::schedule& one, unsigned slots, bool waits_for_others = false,
        explore::access_rule rule = explore::access_rule::behind_lock)
        : s{one}
        , hardware{one, slots}
        , driver{&hardware, waits_for_others ? &inside : nullptr, &half}
        , host{driver, bank{machine_bank{&hardware}, machine_map{&hardware}}} {
        s.watch("core", host, rule);
        (void)host.start();
        for (unsigned i = 0; i < slots; ++i) {
            hardware.serve(s, i);
        }
    }

    void enter() {
        if (driver.inside != nullptr) {
            inside.enter();
        }
    }

    void leave() {
        if (driver.inside != nullptr) {
            inside.leave();
        }
    }

    void hard_irq() {
        hardware.take_pulse();
        unsigned const seen = hardware.changes;
        enter();
        auto const result = host.on_hard_irq();
        if (result.wake_thread()) {
            wake.wake();
        }
        if (not result.handled() and not hardware.edge) {
            hardware.ignore(seen);
        }
        leave();
    }

    /// `nested`: on the core where the scenario's other contexts run.
    void interrupts(bool nested) {
        if (nested) {
            s.hard_handler("irq", explore::core{0}, hardware.line(), [this] { hard_irq(); });
        } else {
            s.hard_handler("irq", hardware.line(), [this] { hard_irq(); });
        }
    }

    void thread() {
        s.service("thread", explore::core{0}, [this] {
            for (;;) {
                wake.sleep();
                enter();
                db::thread_result last;
                do {
                    last = host.on_thread();
                } while (last.again());
                leave();
                if (last.retry()) {
                    timer.wake();
                }
            }
        });
    }

    void bottom_half() {
        s.service("bottom half", explore::core{1}, [this] {
            for (;;) {
                half.sleep();
                enter();
                while (host.run_bottom_half().again()) {
                }
                leave();
            }
        });
    }

    void check_end() {
        driver.check_books(s);
        s.check(host.outstanding().empty(), "nothing is outstanding at the end");
        s.check(host.leftover().empty(), "nothing is left over at the end");
        s.check(host.quarantined().empty(), "nothing is withheld at the end");
        s.check(not hardware.line_masked, "the line is not masked at the end");
    }
};

} // namespace rig
