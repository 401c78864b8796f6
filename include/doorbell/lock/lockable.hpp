// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"

namespace doorbell {

/// Has lock() and unlock(), as std::mutex and the mutexes of real-time systems have.
template <class M>
concept basic_lockable = requires(M& mutex) {
    mutex.lock();
    mutex.unlock();
};

/// A mutex of somebody else's, which must outlive this handle and may put the caller to sleep: for cores that are
/// entered from threads only. A mutex that throws ends the program. Copies are handles on the same mutex. Cost: the
/// mutex's.
template <basic_lockable M>
class lockable {
public:
    struct token {};

    static constexpr lock_traits traits{.may_sleep = true, .masks_interrupts = false, .excludes_cores = true};

    constexpr explicit lockable(M& mutex) noexcept : mutex_{&mutex} {}

    [[nodiscard]] constexpr token acquire() const noexcept {
        mutex_->lock();
        return {};
    }

    constexpr void release(token) const noexcept { mutex_->unlock(); }

private:
    M* mutex_;
};

namespace detail {
struct some_mutex {
    constexpr void lock() noexcept {}

    constexpr void unlock() noexcept {}
};
} // namespace detail

static_assert(lock_policy<lockable<detail::some_mutex>>);

} // namespace doorbell
