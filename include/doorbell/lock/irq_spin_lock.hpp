// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "interrupt_mask.hpp"
#include "spin_lock.hpp"

namespace doorbell {

/// Masks the interrupts of this core, then spins: excludes handlers here and everybody on other cores. Safe in a hard
/// handler at the highest priority that calls the core [T9]. Cost: the mask's and the spin lock's. In a process of an
/// operating system there is nothing to mask and what remains is the spin lock, which serves threads there but not a
/// signal handler on the thread that holds it. A copy is another lock.
template <interrupt_mask Mask, bool HasExchange = detail::core_has_exchange>
class basic_irq_spin_lock {
public:
    using token = typename Mask::token;

    static constexpr lock_traits traits{.may_sleep = false, .masks_interrupts = true, .excludes_cores = true};

    constexpr basic_irq_spin_lock() noexcept = default;

    constexpr explicit basic_irq_spin_lock(Mask mask) noexcept : mask_{mask} {}

    // Masked first: a handler that came between the two would spin for what the code below it holds.
    [[nodiscard, gnu::always_inline]] token acquire() noexcept {
        token const before = mask_.mask();
        static_cast<void>(spin_.acquire());
        return before;
    }

    [[gnu::always_inline]] void release(token before) noexcept {
        spin_.release({});
        mask_.restore(before);
    }

private:
    basic_spin_lock<HasExchange> spin_{};
    [[no_unique_address]] Mask mask_{};
};

using irq_spin_lock = basic_irq_spin_lock<cpu_interrupts>;

} // namespace doorbell
