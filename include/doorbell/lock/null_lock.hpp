// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"

namespace doorbell {

/// No lock. The caller promises that nobody else is in the core at the same time, by one core and one priority, or by a
/// lock of his own around every call: that promise is what its traits say. Any context, no errors, no instruction.
class null_lock {
public:
    struct token {};

    static constexpr lock_traits traits{.may_sleep = false, .masks_interrupts = true, .excludes_cores = true};

    [[nodiscard, gnu::always_inline]] constexpr token acquire() const noexcept { return {}; }

    [[gnu::always_inline]] constexpr void release(token) const noexcept {}
};

static_assert(lock_policy<null_lock>);

} // namespace doorbell
