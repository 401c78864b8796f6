// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../tracking/tracker.hpp"
#include "concepts.hpp"

namespace doorbell {

/// One completion source of a core: what is outstanding there, behind a lock of its own. `List` is the hardware's side,
/// `Port` the driver's: which of its members speak for this source.
template <class List, class Port, class Lock>
struct source {
    using list = List;
    using port = Port;
    using requests_type = tracker<List::slots, Lock>;
    using states = typename requests_type::states;
    using tags = typename states::tags;

    requests_type requests;
};

/// A source that this core does not have.
struct no_source {};

/// Transfers speak to `response`, `completed` and, if it is there, `prepare`.
struct transfer_port {
    template <class Driver>
    static constexpr bool prepares = doorbell::prepares<Driver>;
    template <class Driver, class Context>
    static constexpr bool completes_in = doorbell::completes_in<Driver, Context>;

    template <class Driver>
    [[gnu::always_inline]] static constexpr void prepare(Driver& driver, tag which) noexcept {
        driver.prepare(which);
    }

    template <class Driver>
    [[nodiscard, gnu::always_inline]] static constexpr outcome response(Driver& driver, tag which) noexcept {
        return driver.response(which);
    }

    template <class Context, class Driver>
    [[gnu::always_inline]] static constexpr void completed(Driver& driver, tag which, outcome result) noexcept {
        driver.completed(claimed<Context>{which}, result);
    }
};

/// Task management requests speak to `task_response` and `task_completed`.
struct task_port {
    template <class Driver>
    static constexpr bool prepares = requires(Driver& driver, tag which) {
        { driver.task_prepare(which) } noexcept;
    };
    template <class Driver, class Context>
    static constexpr bool completes_in = requires(Driver& driver, claimed<Context> won, outcome result) {
        { driver.task_completed(won, result) } noexcept;
    };

    template <class Driver>
    static constexpr void prepare(Driver& driver, tag which) noexcept {
        driver.task_prepare(which);
    }

    template <class Driver>
    [[nodiscard]] static constexpr outcome response(Driver& driver, tag which) noexcept {
        return driver.task_response(which);
    }

    template <class Context, class Driver>
    static constexpr void completed(Driver& driver, tag which, outcome result) noexcept {
        driver.task_completed(claimed<Context>{which}, result);
    }
};

} // namespace doorbell
