// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../core/tag_set.hpp"
#include "interrupt_state.hpp"
#include "options.hpp"
#include "source.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace doorbell {

namespace detail {

template <class Types, bool HasTasks>
struct task_source {
    using type = no_source;
};

template <class Types>
struct task_source<Types, true> {
    using type = source<typename Types::controller::tasks, task_port, typename Types::lock>;
};

} // namespace detail

/// Everything a core is made of, in one place that the verbs work on. `Types` names the collaborators.
/// Each verb is a function of its own over this; `host` is the front door that owns one.
template <class Types>
struct collaborators {
    using types = Types;
    using controller = typename Types::controller;
    using driver_type = typename Types::driver;
    using transfer_source = source<typename controller::transfers, transfer_port, typename Types::lock>;
    using task_source = typename detail::task_source<Types, task_driver<driver_type>>::type;
    using tags = typename transfer_source::tags;

    using timing_type = typename Types::timeouts::template state<controller::transfers::slots, driver_type>;
    using giveback_type =
        typename Types::giveback::template state<controller::transfers::slots, driver_type, typename Types::clock>;

    static constexpr bool has_tasks = not std::same_as<task_source, no_source>;

    driver_type& driver;
    [[no_unique_address]] typename Types::bank bank;
    [[no_unique_address]] typename Types::clock clock;
    transfer_source transfers;
    [[no_unique_address]] task_source tasks{};
    [[no_unique_address]] typename Types::observer observer{};
    [[no_unique_address]] typename Types::dma dma{};
    [[no_unique_address]] typename Types::budget::template bound<typename Types::clock> budget{};
    [[no_unique_address]] typename Types::order::state look_at_status{};
    interrupt_state interrupts{};
    [[no_unique_address]] timing_type timing{};
    [[no_unique_address]] giveback_type giveback{};

    /// The deadlines of a source: transfers have them, if they were asked for.
    template <class Source>
    [[nodiscard, gnu::always_inline]] constexpr auto& timing_of(Source&) noexcept {
        if constexpr (std::same_as<Source, transfer_source>) {
            return timing;
        } else {
            return untimed;
        }
    }

    static constexpr no_timeouts::nothing untimed{};

    /// Runs a section of the core's own lock, which is that of its transfers: it guards `interrupts` too.
    template <class Section>
    [[gnu::always_inline]] constexpr auto locked(Section section) noexcept {
        return transfers.requests.locked(section);
    }

    /// Calls `visit(source)` for every source, task management first: it is what recovery waits for.
    template <class Visit>
    [[gnu::always_inline]] constexpr void each_source(Visit visit) noexcept {
        if constexpr (has_tasks) {
            visit(tasks);
        }
        visit(transfers);
    }
};

} // namespace doorbell
