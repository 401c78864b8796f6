// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "hosted.hpp"
#include "lock_watch.hpp"

#include "../lock/concepts.hpp"

namespace doorbell::testing {

/// A lock that excludes nobody and notices who would have had to wait: a handle on a lock_watch, which must outlive it
/// and which the test looks at. `Traits` are what the core under test is to believe; by default a lock that is safe in
/// a hard handler. Single-threaded tests only.
template <lock_traits Traits>
class basic_checking_lock {
public:
    struct token {
        std::uint64_t number;
    };

    static constexpr lock_traits traits = Traits;

    // Implicit, so that a test hands its watch to a core as it is.
    constexpr basic_checking_lock(lock_watch& watch) noexcept : watch_{&watch} {} // NOLINT(google-explicit-constructor)

    [[nodiscard]] constexpr token acquire() const noexcept { return {watch_->acquire()}; }

    constexpr void release(token held) const noexcept { watch_->release(held.number); }

private:
    lock_watch* watch_;
};

using checking_lock =
    basic_checking_lock<lock_traits{.may_sleep = false, .masks_interrupts = true, .excludes_cores = true}>;
static_assert(lock_policy<checking_lock>);

} // namespace doorbell::testing
