// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects.hpp"
#include "traffic.hpp"

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace flush_bench {

/// What came of it.
struct figures {
    std::uint64_t writes = 0;  ///< answered, each with its flush
    std::uint64_t time = 0;    ///< in nanoseconds
    std::uint64_t latency = 0; ///< of all flush requests together
    std::uint64_t device_flushes = 0;
    std::uint64_t longest = 0;          ///< the worst request
    std::vector<std::uint64_t> waits{}; ///< after the change: how long each flush was held back

    /// Per second, to the nearest.
    [[nodiscard]] std::uint64_t rate() const { return (writes * 1'000'000'000 + time / 2) / time; }

    /// Mean latency of a flush, in nanoseconds.
    [[nodiscard]] std::uint64_t mean_latency() const { return writes == 0 ? 0 : latency / writes; }
};

/// Every writer writes, asks for a flush, waits for the answer, and begins again. The device serves writes beside each
/// other and beside a flush; one flush at a time.
template <class Subject>
[[nodiscard]] figures simulate(traffic const& t) {
    using next = std::pair<std::uint64_t, unsigned>;
    std::priority_queue<next, std::vector<next>, std::greater<>> ready; // when a writer's write is complete
    std::vector<std::uint64_t> asked(most_writers);
    dice d{t.seed};
    for (unsigned i = 0; i < t.writers; ++i) {
        ready.emplace(pause_of(t, d), i);
    }
    constexpr std::uint64_t never = ~std::uint64_t{0};
    Subject subject{};
    figures f{.time = t.time};
    std::uint64_t flush_ends = never;
    std::uint64_t timer = never;
    std::uint64_t oldest = never; // request that waits for a flush to begin
    while (true) {
        std::uint64_t const write = ready.empty() ? never : ready.top().first;
        std::uint64_t now = flush_ends < write ? flush_ends : write;
        now = timer < now ? timer : now;
        if (now >= t.time) {
            return f;
        }
        virtual_clock::current = now;
        reaction r{};
        if (now == flush_ends) {
            flush_ends = never;
            r = subject.ended();
        } else if (now == write) {
            unsigned const writer = ready.top().second;
            ready.pop();
            asked[writer] = now;
            oldest = oldest == never ? now : oldest;
            r = subject.ask(writer);
        } else {
            timer = never;
            r = subject.timer();
        }
        timer = r.when;
        if (r.issue) {
            ++f.device_flushes;
            std::uint64_t const by = t.flush * t.flush_spread / 100;
            flush_ends = now + t.flush - by + d.below(2 * by + 1);
            if (t.later_writers != 0 and now >= t.change and oldest != never) {
                f.waits.push_back(now - oldest);
            }
            oldest = never;
        }
        for (db::tag const each : r.answered) {
            std::uint64_t const took = now - asked[each.index];
            ++f.writes;
            f.latency += took;
            f.longest = took > f.longest ? took : f.longest;
            bool const leaves = t.later_writers != 0 and now >= t.change and each.index >= t.later_writers;
            if (not leaves) {
                ready.emplace(now + pause_of(t, d), each.index);
            }
        }
    }
}

} // namespace flush_bench
