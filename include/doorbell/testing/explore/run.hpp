// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"
#include "report.hpp"
#include "schedule.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace doorbell::testing::explore {

/// What is explored: called once per schedule, see `schedule`.
using scenario = std::function<void(schedule&)>;

namespace detail {

/// Runs a scenario again and again and keeps the counts.
class exploration {
public:
    exploration(std::string name, scenario const& body, limits const& how, written_words written = {})
        : body_{body}, how_{how}, written_{std::move(written)} {
        result_.name = std::move(name);
        forget();
    }

    /// All schedules within the limits, or up to the first failure.
    report run() {
        auto const begin = std::chrono::steady_clock::now();
        auto const seconds = [begin] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        };
        do {
            written_.grew = false;
            forget();
            search decisions{how_};
            do {
                if (result_.schedules == how_.schedules or ((runs_ & 0xFF) == 0xFF and seconds() > how_.seconds)) {
                    result_.end = verdict::stopped;
                    break;
                }
                once(decisions);
            } while (not written_.grew and not result_.fault and decisions.advance());
        } while (written_.grew);
        result_.orders = orders_.size();
        if (result_.fault) {
            result_.end = verdict::failed;
            simplify(*result_.fault);
        }
        result_.seconds = seconds();
        return std::move(result_);
    }

    /// One schedule, with its script.
    report follow(std::vector<std::uint8_t> order) {
        written_.grew = false;
        limits how = how_;
        how.reduce = reduction::none;
        result_.reduce = reduction::none;
        search decisions{how, std::move(order)};
        result_.end = verdict::stopped;
        once(decisions, true);
        if (result_.fault) {
            result_.end = verdict::failed;
        }
        return std::move(result_);
    }

private:
    /// What has been counted so far is void: accesses were not seen that matter.
    void forget() {
        report fresh{};
        fresh.name = result_.name;
        fresh.preemptions = how_.preemptions;
        fresh.reduce = how_.preemptions == unbounded ? how_.reduce : reduction::none;
        fresh.end = how_.preemptions == unbounded ? verdict::exhausted : verdict::bounded;
        result_ = std::move(fresh);
        orders_.clear();
    }

    void once(search& decisions, bool recording = false) {
        ++runs_;
        decisions.begin();
        schedule one{decisions, stacks_, written_, how_, recording};
        body_(one);
        if (not one.went() and not one.failure()) {
            one.fail("doorbell: the scenario did not call go()");
        }
        tally(decisions, one);
        if (std::optional<std::string> const& why = one.failure()) {
            result_.fault = failure{
                *why, one.script().text(), encode({decisions.order(), written_}), decisions.preemptions(),
                result_.schedules};
        }
    }

    void tally(search const& decisions, schedule const& one) {
        result_.steps += decisions.depth();
        if (one.covered()) {
            ++result_.covered;
            return;
        }
        ++result_.schedules;
        result_.longest = one.steps() > result_.longest ? one.steps() : result_.longest;
        if (how_.count_orders) {
            orders_.insert(decisions.steps().order_hash());
        }
        result_.waits.resize(one.contexts().size());
        std::size_t i = 0;
        for (context const& each : one.contexts()) {
            wait& longest = result_.waits[i++];
            longest.who = each.name;
            longest.longest = each.longest > longest.longest ? each.longest : longest.longest;
        }
    }

    /// Looks for a failure with fewer preemptions, and runs what it has once more for its script.
    void simplify(failure& fault) {
        std::uint64_t const found_at = fault.found_at;
        for (unsigned bound = 0; bound < fault.preemptions and how_.shrink != 0; ++bound) {
            limits fewer = how_;
            fewer.reduce = reduction::none;
            fewer.preemptions = bound;
            fewer.schedules = how_.shrink;
            fewer.seconds = 5;
            fewer.shrink = 0;
            fewer.count_orders = false;
            report found = exploration{"", body_, fewer, written_}.run();
            if (found.fault) {
                fault = *std::move(found.fault);
                break;
            }
        }
        if (fault.script.empty()) {
            recorded_order known = decode(fault.replay).value_or(recorded_order{});
            report const again =
                exploration{"", body_, how_, std::move(known.written)}.follow(std::move(known.contexts));
            if (again.fault) {
                fault.script = again.fault->script;
                if (again.fault->what != fault.what) {
                    fault.what += " (and, when repeated, " + again.fault->what + ")";
                }
            } else {
                fault.what += " (but not when repeated: the scenario depends on something besides the schedule)";
            }
        }
        fault.found_at = found_at;
    }

    scenario const& body_;
    limits how_;
    written_words written_;
    stack_pool stacks_{};
    report result_{};
    std::uint64_t runs_ = 0;
    std::unordered_set<std::uint64_t> orders_{};
};

} // namespace detail

/// Runs a scenario in every order that matters, within limits, until one fails. Same program, same schedules.
[[nodiscard]] inline report run(std::string name, scenario const& body, limits const& how = {}) {
    return detail::exploration{std::move(name), body, how}.run();
}

/// Runs the one schedule that a report names; after the end of the string everybody goes on as long as he can.
[[nodiscard]] inline report replay(std::string_view order, scenario const& body, limits const& how = {}) {
    auto known = detail::decode(order);
    if (not known) {
        report wrong{};
        wrong.name = "replay";
        wrong.end = verdict::failed;
        wrong.fault = failure{"doorbell: this is not a string that explore printed", "", std::string{order}, 0, 0};
        return wrong;
    }
    return detail::exploration{"replay", body, how, std::move(known->written)}.follow(std::move(known->contexts));
}

} // namespace doorbell::testing::explore
