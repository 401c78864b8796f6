// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"
#include "limits.hpp"
#include "path.hpp"
#include "races.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace doorbell::testing::explore::detail {

/// Depth-first enumeration of schedules by running them again: each run repeats the steps up to a state where something
/// is left to try, and goes on from there. One context after the other is named by `choose`.
class search {
public:
    enum class answer : std::uint8_t {
        run,        ///< `who()` makes the next step
        covered,    ///< all that could run has been covered by earlier schedules
        different,  ///< the scenario did not repeat itself
        impossible, ///< the script names a context that cannot run here
    };

    explicit search(limits const& how, std::vector<std::uint8_t> script = {}) : how_{how}, script_{std::move(script)} {
        // An order that stays within the bound may be equivalent only to others that exceed it.
        how_.reduce = how_.preemptions == unbounded ? how_.reduce : reduction::none;
    }

    search(search const&) = delete;
    search& operator=(search const&) = delete;

    /// A new run begins.
    void begin() noexcept { depth_ = 0; }

    [[nodiscard]] unsigned who() const noexcept { return steps_[depth_ - 1].who; }

    /// Decides who goes on.
    [[nodiscard]] answer choose(state_view const& now) {
        if (depth_ < steps_.size()) {
            state const& known = steps_[depth_];
            ++depth_;
            return known.enabled == now.enabled ? answer::run : answer::different;
        }
        state next = follow(now);
        context_set const candidates = now.enabled & ~next.asleep;
        if (candidates == 0) {
            return answer::covered;
        }
        next.who = next.before != nobody and (candidates & only(next.before)) != 0
                       ? next.before
                       : static_cast<unsigned>(std::countr_zero(candidates));
        if (depth_ < script_.size()) {
            next.who = script_[depth_];
            if (next.who >= now.contexts or (now.enabled & only(next.who)) == 0) {
                return answer::impossible;
            }
        }
        next.wanted = how_.reduce == reduction::dynamic ? only(next.who) : now.enabled;
        steps_.push(next);
        fresh_ = depth_;
        ++depth_;
        return answer::run;
    }

    /// The step that was chosen is about to be made. False: it is not the one that was made here before.
    [[nodiscard]] bool step(operation const& what) {
        std::size_t const at = depth_ - 1;
        state& now = steps_[at];
        if (at < fresh_) {
            return now.touches == what.touches;
        }
        now.touches = what.touches;
        now.clock = steps_.clock_of(now.who, what.touches, at);
        now.number = now.clock.of(now.who);
        if (how_.reduce == reduction::dynamic) {
            race_finder{steps_}.find(now.who, what.touches, now.clock, what.when.test != nullptr, at);
        }
        return true;
    }

    /// Nobody can go on. `waiting` are those who would if they could.
    void end(state_view const& now, context_set waiting) {
        if (how_.reduce != reduction::dynamic) {
            return;
        }
        for (context_set rest = waiting; rest != 0; rest &= rest - 1) {
            auto const context = static_cast<unsigned>(std::countr_zero(rest));
            footprint const& touches = now.next[context]->touches;
            race_finder{steps_}.find(context, touches, steps_.clock_of(context, touches, depth_), true, depth_);
        }
    }

    /// Moves on to the next schedule. False: there is none left.
    [[nodiscard]] bool advance() {
        while (not steps_.empty()) {
            state& last = steps_.back();
            last.done |= only(last.who);
            context_set left = last.wanted & ~last.done & ~last.asleep;
            for (; left != 0; left &= left - 1) {
                auto const next = static_cast<unsigned>(std::countr_zero(left));
                if (last.cost(next) <= how_.preemptions) {
                    last.who = next;
                    fresh_ = steps_.size() - 1;
                    return true;
                }
            }
            steps_.shorten(steps_.size() - 1);
        }
        return false;
    }

    [[nodiscard]] std::size_t depth() const noexcept { return depth_; }

    [[nodiscard]] path const& steps() const noexcept { return steps_; }

    [[nodiscard]] unsigned preemptions() const noexcept {
        return steps_.empty() ? 0 : steps_.back().cost(steps_.back().who);
    }

    /// The contexts in the order in which they ran.
    [[nodiscard]] std::vector<std::uint8_t> order() const {
        std::vector<std::uint8_t> all;
        for (std::size_t i = 0; i < depth_ and i < steps_.size(); ++i) {
            all.push_back(static_cast<std::uint8_t>(steps_[i].who));
        }
        return all;
    }

private:
    /// The state after the last step.
    [[nodiscard]] state follow(state_view const& now) const {
        state next{};
        next.enabled = now.enabled;
        if (depth_ == 0) {
            return next;
        }
        state const& last = steps_[depth_ - 1];
        next.before = last.who;
        next.preemptions = last.cost(last.who);
        if (how_.reduce == reduction::none) {
            return next;
        }
        // Whoever was covered there and is not touched by the step need not be tried again.
        for (context_set rest = (last.asleep | last.done) & ~only(last.who); rest != 0; rest &= rest - 1) {
            auto const context = static_cast<unsigned>(std::countr_zero(rest));
            if (not dependent(now.next[context]->touches, last.touches)) {
                next.asleep |= only(context);
            }
        }
        return next;
    }

    limits how_;
    std::vector<std::uint8_t> script_;
    path steps_{};
    std::size_t depth_ = 0;
    std::size_t fresh_ = 0; ///< steps before this one are repeated
};

} // namespace doorbell::testing::explore::detail
