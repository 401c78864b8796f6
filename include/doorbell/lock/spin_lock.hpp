// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"

namespace doorbell {

namespace detail {

/// The compiler has an atomic exchange of a word for this core, in line.
inline constexpr bool core_has_exchange = __atomic_always_lock_free(sizeof(unsigned), nullptr);

/// Tells the core that it is waiting: saves power, frees the other thread of the same core, and leaves the spin without
/// a burst of mispredicted loads.
inline void spin_pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || (defined(__arm__) && defined(__ARM_ARCH) && __ARM_ARCH >= 7)
    asm volatile("yield" ::: "memory");
#elif defined(__riscv)
    asm volatile(".insn i 0x0F, 0, x0, x0, 0x010" ::: "memory"); // `pause`, a hint that older cores ignore
#else
    asm volatile("" ::: "memory");
#endif
}

} // namespace detail

/// Spins until it has the lock. Excludes other cores; does not mask interrupts, so it is for a core that is entered
/// from threads or polls only, or from handlers that do not interrupt each other on one core. Bounded by the longest
/// section of the others (there is no queue: under heavy contention one core may lose many rounds). Cost uncontended:
/// one atomic exchange and one store-release [T10]. A copy is another lock.
template <bool HasExchange = detail::core_has_exchange>
class basic_spin_lock {
    static_assert(
        HasExchange, "doorbell: this core has no atomic exchange to spin on; "
                     "use interrupt_lock together with the option cores<1>");

public:
    struct token {};

    static constexpr lock_traits traits{.may_sleep = false, .masks_interrupts = false, .excludes_cores = true};

    constexpr basic_spin_lock() noexcept = default;

    // The waiting stands in line and calls nothing: for a call, however unlikely, the path that does not wait would
    // save registers.
    [[nodiscard, gnu::always_inline]] token acquire() noexcept {
        while (__atomic_exchange_n(&held_, 1U, __ATOMIC_ACQUIRE) != 0) [[unlikely]] {
            // Loads only, until the lock looks free: exchanges would take the line away from the one who has to free
            // it.
            while (__atomic_load_n(&held_, __ATOMIC_RELAXED) != 0) {
                detail::spin_pause();
            }
        }
        return {};
    }

    [[gnu::always_inline]] void release(token) noexcept { __atomic_store_n(&held_, 0U, __ATOMIC_RELEASE); }

private:
    unsigned held_ = 0;
};

static_assert(lock_policy<basic_spin_lock<true>>);

using spin_lock = basic_spin_lock<>;

} // namespace doorbell
