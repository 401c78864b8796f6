// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include "../core/context.hpp"

namespace doorbell {

struct handlers_family;

namespace detail {

template <auto Member, class Driver, class Context>
concept runs_in = requires(Driver& driver, raised<Context> causes) {
    { (driver.*Member)(causes) } noexcept;
};

} // namespace detail

/// Binds a member of the driver to causes that must not wait for a thread: it runs in the hard handler even while
/// transfers are deferred. [D6] The member takes `raised<any_context>` or `raised<hard_context>` and is noexcept.
template <std::uint32_t Causes, auto Member>
struct urgent {
    static_assert(Causes != 0, "doorbell: a handler bound to no cause never runs; name its cause bits");
    static constexpr std::uint32_t causes = Causes;
    static constexpr bool in_hard_handler = true;
    static constexpr auto member = Member;
};

/// Binds a member of the driver to causes that are recorded in the hard handler and delivered in the thread. [D2]
/// The member may sleep when it takes `raised<thread_context>`.
template <std::uint32_t Causes, auto Member>
struct deferred {
    static_assert(Causes != 0, "doorbell: a handler bound to no cause never runs; name its cause bits");
    static constexpr std::uint32_t causes = Causes;
    static constexpr bool in_hard_handler = false;
    static constexpr auto member = Member;
};

/// Option of `host`: who handles which cause. Bound while compiling; nothing is stored and nothing is erased. [D6]
template <class... Handlers>
struct handlers {
    using family = handlers_family;

private:
    template <class Handler, class Driver>
    static constexpr bool runs_hard = detail::runs_in<Handler::member, Driver, hard_context>;

public:
    static constexpr std::uint32_t urgent_causes = (0U | ... | (Handlers::in_hard_handler ? Handlers::causes : 0U));
    static constexpr std::uint32_t deferred_causes = (0U | ... | (Handlers::in_hard_handler ? 0U : Handlers::causes));
    static constexpr std::uint32_t causes = urgent_causes | deferred_causes;

    /// Every urgent handler may run in the hard handler, and in the thread when that goes on for it. [D6]
    template <class Driver>
    static constexpr bool urgent_may_run_hard =
        ((not Handlers::in_hard_handler or runs_hard<Handlers, Driver>) and ...);

    /// Every handler can be called from the thread.
    template <class Driver>
    static constexpr bool all_may_run_in_thread = (detail::runs_in<Handlers::member, Driver, thread_context> and ...);

    /// Causes none of whose handlers has to wait for a thread. [D7]
    template <class Driver>
    static constexpr std::uint32_t inline_causes =
        causes & ~(0U | ... | (runs_hard<Handlers, Driver> ? 0U : Handlers::causes));

    /// Runs the urgent handlers of what was raised. Context: hard handler. Cost: one test per handler.
    template <class Driver>
    static constexpr void
    run_urgent([[maybe_unused]] Driver& driver, [[maybe_unused]] std::uint32_t raised_now) noexcept {
        (run<Handlers::in_hard_handler, Handlers, hard_context>(driver, raised_now), ...);
    }

    /// Runs the handlers of what was recorded, and of what the thread acknowledged itself. Context: thread.
    template <class Driver>
    static constexpr void
    run_in_thread([[maybe_unused]] Driver& driver, [[maybe_unused]] std::uint32_t recorded) noexcept {
        (run<true, Handlers, thread_context>(driver, recorded), ...);
    }

    /// Runs those deferred handlers whose causes need no thread, for a phase without threads. [D7]
    template <class Driver>
    static constexpr void
    run_deferred_inline([[maybe_unused]] Driver& driver, [[maybe_unused]] std::uint32_t recorded) noexcept {
        (run<deferred_and_inline<Handlers, Driver>, Handlers, hard_context>(driver, recorded & inline_causes<Driver>),
         ...);
    }

private:
    template <class Handler, class Driver>
    static constexpr bool deferred_and_inline = not Handler::in_hard_handler and runs_hard<Handler, Driver>;

    template <bool Selected, class Handler, class Context, class Driver>
    [[gnu::always_inline]] static constexpr void run(Driver& driver, std::uint32_t now) noexcept {
        if constexpr (Selected) {
            if (std::uint32_t const mine = now & Handler::causes; mine != 0) {
                (driver.*Handler::member)(raised<Context>{mine});
            }
        }
    }
};

} // namespace doorbell
