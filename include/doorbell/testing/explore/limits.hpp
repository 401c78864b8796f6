// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"

#include <cstdint>

namespace doorbell::testing::explore {

/// Which of the schedules that cannot be told apart are left out.
enum class reduction : std::uint8_t {
    none,       ///< none of them: every interleaving of every step
    sleep_sets, ///< does not finish two equivalent schedules, but visits every state
    dynamic,    ///< dynamic partial order reduction with sleep sets: one schedule per order that matters
};

/// No bound on preemptions.
inline constexpr unsigned unbounded = ~0U;

/// How far an exploration goes. Whatever ends it, the report says so.
struct limits {
    reduction reduce = reduction::dynamic;
    /// A schedule may take the processor this often from a context that could go on. A bounded
    /// search runs every such schedule, without reduction.
    unsigned preemptions = unbounded;
    /// Stop after this many schedules.
    std::uint64_t schedules = 10'000'000;
    /// Stop after this many seconds.
    double seconds = 60;
    /// A schedule longer than this is a livelock.
    std::uint32_t steps = 2'000;
    /// After a failure, look for one with fewer preemptions, in at most this many schedules per bound; 0 does not look.
    std::uint64_t shrink = 20'000;
    /// Counts the orders that can be told apart as well, which costs 8 bytes and more for each.
    bool count_orders = false;
};

} // namespace doorbell::testing::explore
