// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../lock/null_lock.hpp"
#include "results.hpp"

#include <concepts>
#include <type_traits>

namespace doorbell::detail {

/// How completed writes are counted beside others who count.
enum class counting {
    alone,  ///< nobody else is there: a plain increment
    atomic, ///< one atomic increment, no lock
    locked, ///< this core cannot increment 64 bits at once: a plain increment with the lock held [T10]
};

template <class Lock>
[[nodiscard]] consteval counting counting_beside() noexcept {
    if (std::same_as<Lock, null_lock>) {
        return counting::alone;
    }
    return __atomic_always_lock_free(sizeof(write_generation), nullptr) ? counting::atomic : counting::locked;
}

/// How many writes of a domain were completed. Wide enough never to wrap, and never compared with a clock. [F1]
///
/// It is incremented before the write's callback runs. Whoever asks for a flush because of that callback is ordered
/// behind the increment by whatever told him, so it needs no ordering of its own.
template <counting How>
class generation_counter {
public:
    /// Context: any. Lock: the coalescer's where `How` is locked, else none. Cost: one increment. [F1]
    [[gnu::always_inline]] constexpr write_generation advance() noexcept {
        if (How == counting::atomic and not std::is_constant_evaluated()) {
            return __atomic_add_fetch(&value_, 1, __ATOMIC_RELAXED);
        }
        return ++value_;
    }

    [[nodiscard, gnu::always_inline]] constexpr write_generation load() const noexcept {
        if (How == counting::atomic and not std::is_constant_evaluated()) {
            return __atomic_load_n(&value_, __ATOMIC_RELAXED);
        }
        return value_;
    }

private:
    // What was written before the coalescer knew of the device is the first write of all. [F7]
    write_generation value_ = 1;
};

} // namespace doorbell::detail
