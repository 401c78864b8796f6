// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"
#include "limits.hpp"

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace doorbell::testing::explore {

/// How an exploration ended.
enum class verdict : std::uint8_t {
    exhausted, ///< every order that matters was tried
    bounded,   ///< every schedule within the preemption bound was tried
    stopped,   ///< at the limit of schedules or of time: what was tried is right, and there is more
    failed,    ///< a schedule breaks what the scenario promises
};

/// What went wrong, in which order.
struct failure {
    std::string what{};
    std::string script{}; ///< one line per step: context, operation, object, value; `*` marks a preemption
    std::string replay{}; ///< what explore::replay takes
    unsigned preemptions = 0;
    std::uint64_t found_at = 0; ///< the number of the schedule that first failed
};

/// The longest virtual time for which a context could not make its next step: the lock was taken, the flag not set, a
/// handler in its way. Time in which it was only not chosen does not count: its core was slow, nobody held it up.
struct wait {
    std::string who{};
    std::uint64_t longest = 0;
};

/// What one exploration has found.
struct report {
    std::string name{};
    verdict end = verdict::exhausted;
    unsigned preemptions = unbounded;
    reduction reduce = reduction::dynamic;
    std::uint64_t schedules = 0; ///< run to their end
    std::uint64_t covered = 0;   ///< given up since an equivalent one had run
    std::uint64_t orders = 0;    ///< that can be told apart; counted on request
    std::uint64_t steps = 0;     ///< of all schedules together
    std::uint64_t longest = 0;   ///< steps of the longest schedule
    double seconds = 0;
    std::vector<wait> waits{};
    std::optional<failure> fault{};

    /// No schedule failed. Ask `end` whether all were tried.
    [[nodiscard]] bool passed() const noexcept { return not fault; }

    [[nodiscard]] std::uint64_t longest_wait(std::string const& who) const noexcept {
        for (wait const& each : waits) {
            if (each.who == who) {
                return each.longest;
            }
        }
        return 0;
    }

    /// One line, and the script of a failure below it.
    [[nodiscard]] std::string text() const {
        std::string all = name + ": ";
        std::string const count = std::to_string(schedules) + (schedules == 1 ? " schedule" : " schedules");
        switch (end) {
        case verdict::exhausted:
            all += "exhausted, " + count;
            break;
        case verdict::bounded:
            all += "bounded, preemptions <= " + std::to_string(preemptions) + ", " + count;
            break;
        case verdict::stopped:
            all += "stopped at limit, " + count +
                   (preemptions != unbounded ? ", preemptions <= " + std::to_string(preemptions) : "");
            break;
        case verdict::failed:
            all += "FAILED in schedule " + std::to_string(fault ? fault->found_at : 0);
            break;
        }
        if (reduce == reduction::none and end != verdict::failed) {
            all += " without reduction";
        }
        if (covered != 0) {
            all += " (and " + std::to_string(covered) + " given up as covered)";
        }
        if (orders != 0) {
            all += ", " + std::to_string(orders) + " distinct orders";
        }
        all += ", longest " + std::to_string(longest) + " steps";
        if (fault) {
            all += "\n  " + fault->what + "\n" + fault->script + "  replay: explore::replay(\"" + fault->replay +
                   "\", scenario)\n";
        }
        return all;
    }

    friend std::ostream& operator<<(std::ostream& out, report const& r) { return out << r.text(); }
};

} // namespace doorbell::testing::explore
