// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>

namespace doorbell {

/// What a lock does beside locking.
struct lock_traits {
    /// acquire() may put the caller to sleep: never for a hard handler.
    bool may_sleep = false;
    /// While it is held, no interrupt handler runs on this core that could want it too.
    bool masks_interrupts = false;
    /// While it is held, no other core holds it.
    bool excludes_cores = false;

    friend constexpr bool operator==(lock_traits const&, lock_traits const&) noexcept = default;
};

/// A lock whose acquire() returns what its release() needs to restore, the interrupt state above all: so sections nest,
/// and an inner release does not switch on what the outer section had off [T9]. A lock that is safe in a hard handler
/// is so at the highest priority that calls the core: it neither sleeps nor waits for code that it has interrupted. A
/// lock is not recursive.
template <class L>
concept lock_policy = requires(L& lock, typename L::token token) {
    { lock.acquire() } noexcept -> std::same_as<typename L::token>;
    { lock.release(token) } noexcept;
    { L::traits } -> std::convertible_to<lock_traits>;
};

} // namespace doorbell
