// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../core/tag.hpp"
#include "../time/concepts.hpp"

#include <concepts>

namespace doorbell {

/// What is to become of a request whose time is over and which hardware has not finished.
enum class timeout_action : unsigned {
    extend, ///< it gets more time: an arming of its own
    abort,  ///< it is ended on the device and in its slot; what does not let go waits for a reset
    reset,  ///< it is withheld until a reset
};

/// An action, and how much more time: ticks for mixed timeouts; where all requests have the same, that is given anew.
template <counter_rep Rep>
struct timeout_verdict {
    timeout_action action = timeout_action::abort;
    Rep more = 0;
};

/// Needed for `ask_driver`. Thread context, no lock; the request is in nobody's hands but hardware's meanwhile.
template <class D, class Rep>
concept judges_timeouts = requires(D& d, tag which) {
    { d.timed_out(which) } noexcept -> std::same_as<timeout_verdict<Rep>>;
};

/// Abort what is late; what hardware does not give up needs a reset. The ladder of most drivers.
struct abort_then_reset {
    template <class Rep, class Driver>
    [[nodiscard]] static constexpr timeout_verdict<Rep> judge(Driver&, tag) noexcept {
        return {timeout_action::abort, 0};
    }
};

/// Withhold what is late, for a driver that always resets, or that calls `recover` itself.
struct quarantine_until_reset {
    template <class Rep, class Driver>
    [[nodiscard]] static constexpr timeout_verdict<Rep> judge(Driver&, tag) noexcept {
        return {timeout_action::reset, 0};
    }
};

/// The driver decides each time.
struct ask_driver {
    template <class Rep, class Driver>
    [[nodiscard]] static constexpr timeout_verdict<Rep> judge(Driver& driver, tag which) noexcept {
        return driver.timed_out(which);
    }
};

/// What one `expire(now)` did. `stuck` is withheld: `recover` or `reset` ends it.
template <class Tags>
struct expiry {
    Tags missed{};   ///< found finished although their time was over: success, and no interrupt had told
    Tags extended{}; ///< got more time
    Tags ended{};    ///< their callbacks ran, as timed out or with the response that was there after all
    Tags stuck{};    ///< withheld until a reset

    [[nodiscard]] constexpr bool needs_reset() const noexcept { return not stuck.empty(); }
};

/// How `extend` ended.
enum class extend_status : unsigned {
    extended,     ///< it has more time
    already_done, ///< somebody completes it: nothing was touched
    stale,        ///< the ticket is of an older request of this tag, or of none
};

} // namespace doorbell
