// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"
#include "schedule.hpp"

#include <cstdint>
#include <string_view>

// What code under exploration may call from any context, also from inside noexcept functions. Outside of an exploration
// all of it does nothing.

namespace doorbell::testing::explore {

/// What must be true here: when it is not, the schedule fails, its script is kept, and the call does not return.
inline void require(bool holds, std::string_view what) {
    if (schedule* const one = schedule::current(); not holds and one != nullptr) {
        one->fail(what);
    }
}

/// A switch point that touches `touches`: the next thing the caller does is this step. For models of devices.
inline void point(char const* verb, object what, footprint const& touches) {
    if (schedule* const one = schedule::here()) {
        one->at({.verb = verb, .what = what, .touches = touches});
    }
}

/// The same with a value, which the printed schedule shows.
inline void point(char const* verb, object what, footprint const& touches, std::uint64_t value) {
    if (schedule* const one = schedule::here()) {
        one->at({.verb = verb, .what = what, .touches = touches, .value = value, .has_value = true});
    }
}

/// A switch point that touches nothing shared: where a callback begins, for example. It stands in the script, and a
/// hard handler of the same core may come there.
inline void boundary(char const* verb, std::uint64_t value) {
    point(verb, nothing, {}, value);
}

/// Work that touches nothing shared and takes `time`; every other step takes 1. What others wait for it shows in
/// `report::longest_wait`.
inline void spend(char const* verb, std::uint64_t value, std::uint64_t time) {
    if (schedule* const one = schedule::here()) {
        one->at({.verb = verb, .value = value, .has_value = true, .takes = time});
    }
}

/// No lock is held by the running context. [T3]
[[nodiscard]] inline bool unlocked() noexcept {
    schedule const* const one = schedule::here();
    return one == nullptr or one->locks_held() == 0;
}

/// Waits until `done()`, which depends on `touches` and has no effect.
template <class Done>
void wait_until(char const* verb, object what, footprint const& touches, Done const& done) {
    if (schedule* const one = schedule::current()) {
        one->at(
            {.verb = verb,
             .what = what,
             .touches = touches,
             .when = {[](void const* self) -> bool { return (*static_cast<Done const*>(self))(); }, &done}});
    }
}

} // namespace doorbell::testing::explore
