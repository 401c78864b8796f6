// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../time/counter.hpp"
#include "arrivals.hpp"
#include "concepts.hpp"
#include "ticks.hpp"
#include "trial.hpp"

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
            rep const since = static_cast<rep>(now - ended_);
            trial_.passed(since <= longest_distance<rep> ? since : 0);
            ended_ = now;
            for (tag const each : answered) {
                rep const round = static_cast<rep>(now - answered_[each.index]);
                if (known_.contains(each) and round / most_rounds <= flush_ + grace_) {
                    trial_.round(round);
                }
                answered_[each.index] = now;
            }
            away_ |= answered;
            known_ |= answered;
            trial_.flushed();
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
        static constexpr std::uint64_t most_rounds = 16; ///< whoever stays away longer tells nothing of flushes

        // One candidate a flush: bounded work in the section, and all of them within a few flushes.
        constexpr void learn() noexcept {
            if (arrivals_.count() == 0) {
                return;
            }
            candidate_ = arrivals_.occupied_after(candidate_);
            std::uint64_t const other = detail::arrival_times::edge(candidate_);
            std::uint64_t const with_other = arrivals_.round(flush_, other);
            std::uint64_t with_best = arrivals_.round(flush_, best_);
            if (best_ == 0 or with_other < with_best) {
                best_ = other;
                with_best = with_other;
            }
            grace_ = worth_it(with_best, arrivals_.round(flush_, 0)) ? best_ : 0;
        }

        // Where waiting promises a quarter, it waits; where it threatens to cost a tenth, not; in between it tries.
        [[nodiscard]] constexpr bool worth_it(std::uint64_t with, std::uint64_t without) const noexcept {
            if (with <= without - without / 4) {
                return true;
            }
            return with <= without + without / 10 and trial_.waits();
        }

        detail::arrival_times arrivals_{};
        rep answered_[Streams]{};
        detail::grace_trial trial_{};
        tag_set<Streams> away_{};  ///< streams that were answered and have not asked since
        tag_set<Streams> known_{}; ///< streams that were answered before
        std::uint64_t flush_ = 0;  ///< how long a device flush takes
        std::uint64_t grace_ = 0;  ///< from the end of one flush to the next, at most
        std::uint64_t best_ = 0;   ///< the best of the graces that were tried
        unsigned candidate_ = 0;
        rep issued_ = 0;
        rep ended_ = 0;
    };
};

static_assert(grace_policy<learned_grace<>, counter<detail::stopped_counter, 1>>);

} // namespace doorbell
