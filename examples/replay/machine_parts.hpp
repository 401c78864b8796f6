// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "virtual_machine.hpp"

#include <doorbell/registers/concepts.hpp>
#include <doorbell/testing/checking_lock.hpp>
#include <doorbell/time/concepts.hpp>

#include <cstddef>
#include <cstdint>

namespace replay {

/// The register bank of a core on the virtual machine: each access takes its time there and is counted there.
class machine_bank {
public:
    explicit machine_bank(virtual_machine& machine) noexcept : machine_{&machine} {}

    [[nodiscard]] std::uint32_t load(std::size_t offset) const noexcept { return machine_->load(offset); }

    void store(std::size_t offset, std::uint32_t value) const noexcept { machine_->store(offset, value); }

    void before_doorbell() const noexcept { machine_->model().before_doorbell(); }

    void after_done() const noexcept { machine_->model().after_done(); }

    void before_unlock() const noexcept { machine_->model().before_unlock(); }

private:
    virtual_machine* machine_;
};

static_assert(doorbell::register_bank<machine_bank>);

/// The lock of a core on the virtual machine: the machine watches it and measures how long it is held.
using machine_lock = doorbell::testing::checking_lock;

/// The clock of a core on the virtual machine. A time budget is part of a type, `nominal_ns`; so that a run can be
/// asked for another one, the clock makes that many nanoseconds last `budget_ns` of virtual time.
class machine_clock {
public:
    using rep = std::uint64_t;

    static constexpr std::uint64_t nominal_ns = 20'000;

    machine_clock(virtual_machine const& machine, std::uint64_t budget_ns) noexcept
        : machine_{&machine}, budget_ns_{budget_ns} {}

    [[nodiscard]] std::uint64_t now() const noexcept { return machine_->now(); }

    /// How long a tick, which is a nanosecond of virtual time, looks to the core.
    [[nodiscard]] std::uint64_t resolution_ns() const noexcept { return (nominal_ns + budget_ns_ - 1) / budget_ns_; }

    [[nodiscard]] std::uint64_t ticks(std::uint64_t ns) const noexcept {
        constexpr std::uint64_t longest = ~std::uint64_t{0} / 2;
        std::uint64_t const whole = ns / nominal_ns;
        if (whole > longest / budget_ns_ - 1) {
            return longest;
        }
        return whole * budget_ns_ + ns % nominal_ns * budget_ns_ / nominal_ns;
    }

private:
    virtual_machine const* machine_;
    std::uint64_t budget_ns_;
};

static_assert(doorbell::measured_rate<machine_clock>);

} // namespace replay
