// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "core_under_test.hpp"
#include "kernel_baselines.hpp"
#include "machine_parts.hpp"
#include "policy_run.hpp"
#include "virtual_machine.hpp"

#include <doorbell/host.hpp>

#include <cstdint>

namespace replay {

/// The driver of the library's cores: what belongs to a tag is on the virtual machine.
struct replay_driver {
    virtual_machine& machine;

    [[nodiscard]] doorbell::outcome response(doorbell::tag t) const noexcept {
        return static_cast<doorbell::outcome>(machine.model().ocs(t.index));
    }

    void completed(doorbell::claimed<doorbell::any_context> won, doorbell::outcome) const noexcept {
        machine.callback(won.index());
    }
};

/// The composed host on the virtual machine, with one of the library's completion policies.
template <class Budget>
class library_core final : public core_under_test {
public:
    static constexpr bool own = true;

    library_core(virtual_machine& machine, policy_settings const& settings) noexcept
        : driver_{machine}
        , host_{driver_, machine_bank{machine}, machine_clock{machine, settings.budget_ns}, machine.watch()} {}

    void start() noexcept override { static_cast<void>(host_.start()); }

    [[nodiscard]] bool submit(unsigned slot) noexcept override {
        return static_cast<bool>(host_.submit(doorbell::tag{slot}));
    }

    [[nodiscard]] handling on_hard_irq() noexcept override {
        return {.wake_thread = host_.on_hard_irq().wake_thread()};
    }

    [[nodiscard]] bool on_thread() noexcept override { return host_.on_thread().again(); }

private:
    replay_driver driver_;
    doorbell::host<doorbell::ufshci, replay_driver, machine_bank, machine_clock, Budget, machine_lock> host_;
};

using hard_core = library_core<doorbell::inline_all>;
using thread_core = library_core<doorbell::deferred_all>;
using time_core = library_core<doorbell::time_budget<machine_clock::nominal_ns>>;
template <unsigned Count>
using count_core = library_core<doorbell::count_budget<Count>>;

/// What the kernel's loops share on the virtual machine.
struct machine_completion {
    virtual_machine* machine;

    void operator()(unsigned slot) const noexcept { machine->callback(slot); }
};

struct machine_nanoseconds {
    virtual_machine const* machine;

    [[nodiscard]] std::uint64_t operator()() const noexcept { return machine->now(); }
};

class linux_hardirq_core final : public core_under_test {
public:
    static constexpr bool own = false;

    linux_hardirq_core(virtual_machine& machine, policy_settings const&) noexcept
        : loop_{machine_bank{machine}, machine.watch(), {&machine}} {}

    void start() noexcept override { loop_.start(doorbell::ufshci::transfer); }

    [[nodiscard]] bool submit(unsigned slot) noexcept override {
        loop_.submit(slot);
        return true;
    }

    [[nodiscard]] handling on_hard_irq() noexcept override {
        return {.wake_thread = loop_.handler() == kernel_baselines::irq_wake_thread};
    }

    [[nodiscard]] bool on_thread() noexcept override { return false; }

private:
    kernel_baselines::hardirq<machine_bank, machine_lock, machine_completion> loop_;
};

class linux_threaded_core final : public core_under_test {
public:
    static constexpr bool own = false;

    linux_threaded_core(virtual_machine& machine, policy_settings const&) noexcept
        : loop_{machine_bank{machine}, machine.watch(), {&machine}} {}

    void start() noexcept override { loop_.start(doorbell::ufshci::transfer); }

    [[nodiscard]] bool submit(unsigned slot) noexcept override {
        loop_.submit(slot);
        return true;
    }

    [[nodiscard]] handling on_hard_irq() noexcept override {
        return {.wake_thread = loop_.handler() == kernel_baselines::irq_wake_thread, .mask_line = true};
    }

    [[nodiscard]] bool on_thread() noexcept override {
        loop_.thread();
        return false;
    }

private:
    kernel_baselines::threaded<machine_bank, machine_lock, machine_completion> loop_;
};

class linux_budgeted_core final : public core_under_test {
public:
    static constexpr bool own = false;

    linux_budgeted_core(virtual_machine& machine, policy_settings const& settings) noexcept
        : loop_{machine_bank{machine}, machine.watch(), {&machine}, {&machine}, settings.budget_ns, settings.tick_ns} {}

    void start() noexcept override { loop_.start(doorbell::ufshci::transfer); }

    [[nodiscard]] bool submit(unsigned slot) noexcept override {
        loop_.submit(slot);
        return true;
    }

    [[nodiscard]] handling on_hard_irq() noexcept override {
        return {.wake_thread = loop_.handler() == kernel_baselines::irq_wake_thread};
    }

    [[nodiscard]] bool on_thread() noexcept override {
        loop_.thread();
        return false;
    }

private:
    kernel_baselines::budgeted<machine_bank, machine_lock, machine_completion, machine_nanoseconds> loop_;
};

} // namespace replay
