// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"
#include "clock.hpp"
#include "operation.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace doorbell::testing::explore::detail {

/// A set of contexts, one bit each.
using context_set = std::uint32_t;

[[nodiscard]] constexpr context_set only(unsigned context) noexcept {
    return context_set{1} << context;
}

inline constexpr unsigned nobody = most_contexts;

/// Who may run at a state, and what each context would do there.
struct state_view {
    context_set enabled = 0;
    unsigned contexts = 0;
    std::array<operation const*, most_contexts> next{};
};

/// One state on the way to where the search stands, what has been tried there, and the step that was taken from it.
struct state {
    context_set enabled = 0;
    context_set wanted = 0;   ///< what has to be tried here
    context_set done = 0;     ///< what has been tried completely
    context_set asleep = 0;   ///< what an earlier branch has covered
    unsigned before = nobody; ///< who made the step that led here
    unsigned preemptions = 0; ///< until here
    // The step:
    unsigned who = nobody;
    std::uint32_t number = 0; ///< of that context, from 1
    footprint touches{};
    order_clock clock{};

    [[nodiscard]] bool preempts(unsigned next) const noexcept {
        return before != nobody and before != next and (enabled & only(before)) != 0;
    }

    [[nodiscard]] unsigned cost(unsigned next) const noexcept { return preemptions + (preempts(next) ? 1U : 0U); }

    /// This state's step comes before, or is, the one of `clock`.
    [[nodiscard, gnu::always_inline]] inline bool precedes(order_clock const& other) const noexcept {
        return other.after(who, number);
    }
};

/// The states of the schedule that runs, from the first one. What happened-before what is known for each step.
// The long loops here and in races.hpp are not instrumented: with watched memory that would be most of the time.
class path {
public:
    [[nodiscard]] std::size_t size() const noexcept { return states_.size(); }

    [[nodiscard]] bool empty() const noexcept { return states_.empty(); }

    [[nodiscard]] state& operator[](std::size_t i) noexcept { return states_[i]; }

    [[nodiscard]] state const& operator[](std::size_t i) const noexcept { return states_[i]; }

    [[nodiscard]] state* data() noexcept { return states_.data(); }

    [[nodiscard]] state& back() noexcept { return states_.back(); }

    [[nodiscard]] state const& back() const noexcept { return states_.back(); }

    void push(state const& next) { states_.push_back(next); }

    void shorten(std::size_t size) { states_.resize(size); }

    /// The last step of a context among the first `size`; nullptr when it has made none.
    [[nodiscard]] __attribute__((no_sanitize("thread"))) state const*
    last_of(unsigned context, std::size_t size) const noexcept {
        state const* const steps = states_.data();
        for (std::size_t i = size; i-- > 0;) {
            if (steps[i].who == context) {
                return &steps[i];
            }
        }
        return nullptr;
    }

    /// What comes before a step with this footprint that `context` makes after the first `size` steps.
    [[nodiscard]] __attribute__((no_sanitize("thread"))) order_clock
    clock_of(unsigned context, footprint const& touches, std::size_t size) const noexcept {
        state const* const steps = states_.data();
        order_clock clock{};
        std::uint32_t number = 1;
        if (state const* const last = last_of(context, size)) {
            clock = last->clock;
            number = last->number + 1;
        }
        for (std::size_t i = size; i-- > 0;) {
            if (not steps[i].precedes(clock) and dependent(steps[i].touches, touches)) {
                clock.join(steps[i].clock);
            }
        }
        clock.set(context, number);
        return clock;
    }

    /// The same for all schedules that differ only in the order of steps that are independent.
    [[nodiscard]] std::uint64_t order_hash() const noexcept {
        std::uint64_t sum = states_.size();
        for (state const& each : states_) {
            sum += each.clock.hash(each.who);
        }
        return sum;
    }

private:
    std::vector<state> states_{};
};

} // namespace doorbell::testing::explore::detail
