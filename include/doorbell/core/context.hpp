// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tag.hpp"

#include <concepts>
#include <cstdint>

namespace doorbell {

// Where code runs is said by the type of an argument that the callee gets anyway. An empty argument of its own would
// cost a register move on some ABIs; this costs nothing on any.

/// Code that may run anywhere: it does not sleep and is brief.
struct any_context {};

/// The hard interrupt handler.
struct hard_context {};

/// A thread, bottom half or main loop, with interrupts enabled: code here may sleep.
struct thread_context {};

/// One of the three contexts above.
template <class C>
concept execution_context =
    std::same_as<C, any_context> or std::same_as<C, hard_context> or std::same_as<C, thread_context>;

/// Code written for context To may be called from context From: the same one, or To runs anywhere [D6].
template <class From, class To>
concept may_enter =
    execution_context<From> and execution_context<To> and (std::same_as<From, To> or std::same_as<To, any_context>);

/// A request that this caller alone has won and whose end it now reports [D6]. Callbacks that take
/// claimed<any_context> run anywhere; those that take claimed<thread_context> are never bound to the hard handler.
template <execution_context C>
class claimed {
public:
    constexpr explicit claimed(tag t) noexcept : tag_{t} {}

    // A constructor of the target and not a conversion operator, so that one rule serves every pair of contexts.
    template <execution_context From>
        requires(not std::same_as<From, C>) and may_enter<From, C>
    constexpr claimed(claimed<From> other) noexcept : tag_{other.get()} {} // NOLINT(google-explicit-constructor)

    [[nodiscard]] constexpr tag get() const noexcept { return tag_; }

    [[nodiscard]] constexpr unsigned index() const noexcept { return tag_.index; }

private:
    tag tag_;
};

/// Interrupt causes that were acknowledged and are handed to their handler, as the bits of the cause register [D6].
template <execution_context C>
class raised {
public:
    constexpr explicit raised(std::uint32_t causes) noexcept : bits_{causes} {}

    template <execution_context From>
        requires(not std::same_as<From, C>) and may_enter<From, C>
    constexpr raised(raised<From> other) noexcept : bits_{other.bits()} {} // NOLINT(google-explicit-constructor)

    [[nodiscard]] constexpr std::uint32_t bits() const noexcept { return bits_; }

private:
    std::uint32_t bits_;
};

} // namespace doorbell
