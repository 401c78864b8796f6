// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../time/counter.hpp"
#include "arrivals.hpp"
#include "concepts.hpp"
#include "ticks.hpp"

namespace doorbell {

/// A grace that follows the traffic: it learns how long streams take from an answer to their next request, and how long
/// a device flush takes, and waits as long as makes the mean round of a stream shortest. It ends early when every
/// stream that flushed lately waits; a lone stream waits for nobody; it is never longer than `MostNs` nanoseconds. [F5]
///
/// The round of a stream that returns after r: flushes follow each other in cycles of C = F + g; it is answered with
/// the first cycle, or ceil((r - g) / C) cycles later. One more grace g is tried with each flush.
template <std::uint64_t MostNs = 20'000'000>
struct learned_grace {
    static_assert(MostNs > 0, "doorbell: a grace of 0 is no grace; write riding instead of grouped");

    template <class Clock, std::size_t Streams>
    class state {
        static_assert(
            detail::tick_fits<Clock>(MostNs), "doorbell: this clock ticks more slowly than the grace; give the "
                                              "coalescer a finer clock or a longer grace");

    public:
        using rep = typename Clock::rep;

        constexpr void requested(tag stream, rep now) noexcept {
            if (away_.contains(stream)) {
                away_.erase(stream);
                arrivals_.add(static_cast<rep>(now - answered_[stream.index]));
            }
        }

        constexpr void issued(rep now) noexcept { issued_ = now; }

        constexpr void ended(tag_set<Streams> answered, rep now) noexcept {
            rep const took = static_cast<rep>(now - issued_);
            if (took <= longest_distance<rep>) { // else the clock stepped back
                flush_ = flush_ == 0 ? std::uint64_t{took} : flush_ - flush_ / 4 + took / 4;
            }
            ended_ = now;
            for (tag const each : answered) {
                answered_[each.index] = now;
            }
            away_ |= answered;
            learn();
        }

        [[nodiscard]] constexpr rep wait(Clock const& clock, flush_company<Streams> const& who, rep now) noexcept {
            rep const most = detail::ticks_of(clock, MostNs);
            rep const grace = grace_ < most ? static_cast<rep>(grace_) : most;
            rep const passed = static_cast<rep>(now - ended_);
            return who.lone() or passed >= grace ? rep{0} : static_cast<rep>(grace - passed);
        }

        [[nodiscard]] constexpr bool enough(flush_company<Streams> const& who) const noexcept {
            return who.expected.subset_of(who.waiting);
        }

        /// What it waits at the moment, in ticks, from the end of a flush.
        [[nodiscard]] constexpr std::uint64_t learned() const noexcept { return grace_; }

    private:
        // Two candidates a flush: bounded work in the section, and all of them within a few flushes.
        constexpr void learn() noexcept {
            if (arrivals_.count() == 0) {
                return;
            }
            std::uint64_t best = arrivals_.round(flush_, 0);
            best -= best / 64; // what is hardly better than not to wait is not worth waiting for
            std::uint64_t chosen = 0;
            std::uint64_t const now = arrivals_.round(flush_, grace_);
            if (grace_ != 0 and now < best) {
                best = now;
                chosen = grace_;
            }
            candidate_ = arrivals_.occupied_after(candidate_);
            std::uint64_t const other = detail::arrival_times::edge(candidate_);
            if (arrivals_.round(flush_, other) < best) {
                chosen = other;
            }
            grace_ = chosen;
        }

        detail::arrival_times arrivals_{};
        rep answered_[Streams]{};
        tag_set<Streams> away_{}; ///< streams that were answered and have not asked since
        std::uint64_t flush_ = 0; ///< how long a device flush takes
        std::uint64_t grace_ = 0;
        unsigned candidate_ = 0;
        rep issued_ = 0;
        rep ended_ = 0;
    };
};

static_assert(grace_policy<learned_grace<>, counter<detail::stopped_counter, 1>>);

} // namespace doorbell
