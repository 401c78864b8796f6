// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../lock/concepts.hpp"
#include "../hosted.hpp"
#include "points.hpp"

#include <memory>
#include <utility>

namespace doorbell::testing::explore {

namespace detail {

struct lock_state {
    object what{};
    context const* holder = nullptr;
};

} // namespace detail

/// A lock of an explored core: acquiring waits until it is free, and acquiring and releasing are switch points. A
/// handle: copies are the same lock. Made inside a scenario, by default constructor or with a name for the script.
/// `Traits` say what it stands for: excludes_cores waits for the holder, masks_interrupts holds off handlers and
/// everything else on the core meanwhile; a lock that masks only excludes nobody on another core.
template <lock_traits Traits>
class explored_lock {
public:
    struct token {};

    static constexpr lock_traits traits = Traits;

    explored_lock() : explored_lock{"lock"} {}

    explicit explored_lock(char const* name) : state_{std::make_shared<detail::lock_state>()} {
        if (schedule* const one = schedule::current()) {
            state_->what = one->thing(name);
        }
    }

    [[nodiscard]] token acquire() noexcept {
        schedule* const one = schedule::here();
        if (one == nullptr) {
            return {};
        }
        if (Traits.masks_interrupts) {
            one->mask();
        }
        if (Traits.excludes_cores) {
            if (state_->holder == one->active()) {
                one->fail(one->active()->name, " acquires a lock that it holds");
            }
            one->at(
                {.verb = "acquire",
                 .what = state_->what,
                 .touches{state_->what, mode::write},
                 .when = {
                     [](void const* s) { return static_cast<detail::lock_state const*>(s)->holder == nullptr; },
                     state_.get()}});
            state_->holder = one->active();
        }
        one->holds_lock(true);
        return {};
    }

    void release(token) noexcept {
        schedule* const one = schedule::here();
        if (one == nullptr) {
            return;
        }
        operation end{.verb = "release", .what = state_->what};
        if (Traits.excludes_cores) {
            if (state_->holder != one->active()) {
                one->fail(one->active()->name, " releases a lock that it does not hold");
            }
            end.touches.add(state_->what, mode::release);
        }
        if (Traits.masks_interrupts) {
            end.touches.add(one->unmasking());
        }
        one->at(end);
        state_->holder = nullptr;
        one->holds_lock(false);
        if (Traits.masks_interrupts) {
            one->unmask();
        }
    }

private:
    std::shared_ptr<detail::lock_state> state_;
};

/// Stands for irq_spin_lock.
using explored_irq_spin_lock =
    explored_lock<lock_traits{.may_sleep = false, .masks_interrupts = true, .excludes_cores = true}>;
/// Stands for spin_lock: a handler that interrupts its holder waits for ever.
using explored_spin_lock =
    explored_lock<lock_traits{.may_sleep = false, .masks_interrupts = false, .excludes_cores = true}>;
/// Stands for interrupt_lock, with cores<1>.
using explored_interrupt_lock =
    explored_lock<lock_traits{.may_sleep = false, .masks_interrupts = true, .excludes_cores = false}>;

/// Claims everything and does nothing: what a scenario looks like when somebody forgot to lock.
struct explored_no_lock {
    struct token {};

    static constexpr lock_traits traits{.may_sleep = false, .masks_interrupts = true, .excludes_cores = true};

    [[nodiscard]] token acquire() const noexcept { return {}; }

    void release(token) const noexcept {}
};

static_assert(lock_policy<explored_irq_spin_lock>);
static_assert(lock_policy<explored_no_lock>);

} // namespace doorbell::testing::explore
