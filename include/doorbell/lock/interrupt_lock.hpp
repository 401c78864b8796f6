// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"
#include "interrupt_mask.hpp"

namespace doorbell {

/// Keeps interrupt handlers of this core out and nobody else: for a system of one core, which the option cores<1> has
/// to promise. Safe in a hard handler, needs no atomic instruction, never waits [T9] [T10]. Cost: the mask's.
template <interrupt_mask Mask>
class basic_interrupt_lock {
    static_assert(
        Mask::effective, "doorbell: here interrupts cannot be masked, so this lock would exclude nobody; "
                         "use spin_lock, lockable<M> or, alone on one thread, null_lock");

public:
    using token = typename Mask::token;

    static constexpr lock_traits traits{.may_sleep = false, .masks_interrupts = true, .excludes_cores = false};

    constexpr basic_interrupt_lock() noexcept = default;

    constexpr explicit basic_interrupt_lock(Mask mask) noexcept : mask_{mask} {}

    [[nodiscard, gnu::always_inline]] constexpr token acquire() noexcept { return mask_.mask(); }

    [[gnu::always_inline]] constexpr void release(token before) noexcept { mask_.restore(before); }

private:
    [[no_unique_address]] Mask mask_{};
};

namespace detail {
struct some_interrupts {
    struct token {};

    static constexpr bool effective = true;

    static constexpr token mask() noexcept { return {}; }

    static constexpr void restore(token) noexcept {}
};
} // namespace detail

static_assert(lock_policy<basic_interrupt_lock<detail::some_interrupts>>);

using interrupt_lock = basic_interrupt_lock<cpu_interrupts>;

} // namespace doorbell
