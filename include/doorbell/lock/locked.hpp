// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"

#include <type_traits>

namespace doorbell {

/// Runs section() with the lock held and returns its result by value. The context is that of the lock; the section must
/// not take the lock again, call user code or throw; cost: the lock's, and nothing for this function.
// A function that is inlined always, and not a guard object: the guard's address escapes into its destructor, which
// costs instructions in each section.
template <lock_policy Lock, class Section>
    requires requires(Section& section) { section(); }
[[gnu::always_inline]] constexpr inline auto locked(Lock& lock, Section section) noexcept {
    static_assert(
        not std::is_reference_v<decltype(section())>,
        "doorbell: a locked section returns a value; a reference would outlive the lock that guards it");
    typename Lock::token const token = lock.acquire();
    if constexpr (std::is_void_v<decltype(section())>) {
        section();
        lock.release(token);
    } else {
        auto const result = section();
        lock.release(token);
        return result;
    }
}

} // namespace doorbell
