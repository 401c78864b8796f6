// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "core_under_test.hpp"
#include "machine_costs.hpp"
#include "policy_results.hpp"
#include "recording.hpp"
#include "timeline.hpp"
#include "virtual_machine.hpp"

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace replay {

/// What the policies can be told.
struct policy_settings {
    std::uint64_t budget_ns = 20'000;  ///< of the policies that look at a clock
    std::uint64_t tick_ns = 4'000'000; ///< of the clock that linux-budgeted looks at
    unsigned count = 8;                ///< requests that an entry of the count policy completes
};

/// Everything that a run needs.
struct run_setting {
    recording& source;
    machine_costs costs{};
    policy_settings policy{};
    timeline* picture = nullptr;
    std::string picture_name{};
};

/// A core on a virtual machine of its own, with a recording.
class policy_run {
public:
    virtual ~policy_run() = default;

    /// Goes on until the recorded event `horizon` has happened.
    virtual void run_to(std::uint64_t horizon) = 0;
    /// Goes on until nothing happens any more.
    [[nodiscard]] virtual policy_results finish() = 0;

protected:
    policy_run() = default;
    policy_run(policy_run const&) = default;
    policy_run& operator=(policy_run const&) = default;
};

template <class Core>
concept runnable_core = std::derived_from<Core, core_under_test> and
                        std::constructible_from<Core, virtual_machine&, policy_settings const&> and requires {
                            { Core::own } -> std::convertible_to<bool>;
                        };

/// The run of one core type.
template <runnable_core Core>
class run_of final : public policy_run {
public:
    explicit run_of(run_setting const& setting)
        : machine_{setting.costs, setting.source, setting.picture,
                   setting.picture == nullptr ? 0 : setting.picture->process(setting.picture_name)},
          core_{machine_, setting.policy} {
        machine_.attach(core_);
    }

    void run_to(std::uint64_t horizon) override { machine_.run_to(horizon); }

    [[nodiscard]] policy_results finish() override {
        policy_results results = machine_.finish();
        results.own = Core::own;
        return results;
    }

private:
    virtual_machine machine_;
    Core core_;
};

template <runnable_core Core>
[[nodiscard]] std::unique_ptr<policy_run> make_run(run_setting const& setting) {
    return std::make_unique<run_of<Core>>(setting);
}

/// A policy that can be asked for by name.
struct policy_entry {
    std::string_view name;
    std::unique_ptr<policy_run> (*make)(run_setting const&);
};

} // namespace replay
