// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "../core/results.hpp"
#include "../core/shared_word.hpp"
#include "../core/tag_set.hpp"
#include "claims.hpp"

namespace doorbell {

/// The state of every request of one completion source, as plain words.
/// Every member requires that the caller holds the lock of the source: `tracker` pairs the two. No member waits, calls
/// back or reads hardware but through the argument that says so. A tag is in one state: free, outstanding, parked
/// (claimed, callback not run), quarantined (timed out or aborted, and hardware may still write it) or closing (a reset
/// is under way); lagging is a mark on a parked tag. [T2] [T5]
template <std::size_t Slots>
class request_states {
public:
    using tags = tag_set<Slots>;

    constexpr request_states() noexcept = default;

    /// Opens the tags of `usable` for submission, those of `reserved` only for recovery. What is outstanding or parked
    /// stays so, and a block holds on; nothing may be closing. [X5] [Q1]
    constexpr void open(tags usable, tags reserved = {}) noexcept {
        usable_ = usable;
        reserved_ = reserved & usable;
        reason_ = submit_status::accepted;
        bar_again();
    }

    /// Refuses every submission from now on, with `why`.
    constexpr void bar(submit_status why) noexcept {
        reason_ = why;
        bar_again();
    }

    /// Lifts `bar`.
    constexpr void unbar() noexcept { bar(submit_status::accepted); }

    /// Holds ordinary submissions back until `unblock`; nests by count. [Q1]
    constexpr void block() noexcept {
        ++blocks_;
        bar_again();
    }

    constexpr void unblock() noexcept {
        blocks_ -= blocks_ == 0 ? 0 : 1;
        bar_again();
    }

    /// Every tag of the set can be submitted now. `set` is not empty. Cost: two loads and two tests for one tag; for a
    /// set, one load and one test per tag.
    /// `shut` are more that cannot, for a reason of the caller's.
    [[nodiscard, gnu::always_inline]] constexpr bool ready(tag which, tags shut = {}) const noexcept {
        return not(barred_ | shut).contains(which) and generation_of_[which.index].plain() == 0;
    }

    [[nodiscard, gnu::always_inline]] constexpr bool ready(tags set, tags shut = {}) const noexcept {
        if (set.intersects(barred_ | shut)) {
            return false;
        }
        do {
            if (generation_of_[set.front().index].plain() != 0) {
                return false;
            }
            set.pop_front();
        } while (not set.empty());
        return true;
    }

    /// The callback of a tag that the caller won is about to run: from here on the tag can be submitted again. The one
    /// member that needs no lock, since nobody else writes the word of a tag that was won. [T3] Cost: one store.
    [[gnu::always_inline]] constexpr void give_back(tag which) noexcept { generation_of_[which.index].store(0); }

    /// Marks a set that is ready outstanding, under a new generation, which it returns; whoever marks rings in the same
    /// section. Cost: one store per tag. [T1] [T2]
    [[gnu::always_inline]] constexpr std::uint32_t mark(tags set) noexcept {
        outstanding_ |= set;
        std::uint32_t const generation = generation_ += generation_step;
        do {
            generation_of_[set.front().index].plain_store(generation);
            set.pop_front();
        } while (not set.empty());
        return generation;
    }

    /// The same for one tag, without a walk over a set.
    [[gnu::always_inline]] constexpr std::uint32_t mark(tag which) noexcept {
        outstanding_ |= tags{which};
        generation_of_[which.index].plain_store(generation_ += generation_step);
        return generation_;
    }

    /// Marks `set` and rings, in this order, or refuses all of it and says why. [T1] [T2]
    template <class Ring>
    constexpr submitted submit(tags set, Ring ring) noexcept {
        if (not ready(set)) {
            return submitted{refusal(set)};
        }
        return mark_and_ring(set, ring);
    }

    /// The same for a reserved tag, which no ordinary submission can take and no block holds back. [X5]
    template <class Ring>
    constexpr submitted submit_reserved(tags set, Ring ring) noexcept {
        if (reason_ != submit_status::accepted or not set.subset_of(reserved_)) {
            return submitted{reason_ != submit_status::accepted ? reason_ : submit_status::out_of_range};
        }
        for (tag const each : set) {
            if (generation_of_[each.index].load() != 0) {
                return submitted{submit_status::busy};
            }
        }
        return mark_and_ring(set, ring);
    }

    /// Claims what the hardware has finished and is not in `spared`, and what an earlier run has left: the leftover
    /// joins the batch and is never overtaken. `busy()` is one read of the completion state. [T1] [H2] [T4]
    template <class Busy>
    [[gnu::always_inline]] constexpr claim_result<tags> claim(Busy busy, tags spared = {}) noexcept {
        tags const held = busy() | spared;
        tags const finished = outstanding_ - held;
        tags unknown = held - outstanding_;
        if (not unknown.empty()) [[unlikely]] {
            unknown -= closing_ | quarantined_ | spared;
        }
        outstanding_ &= held;
        tags const batch = finished | parked_;
        parked_ = {};
        return {batch, unknown};
    }

    /// Leaves requests to their poller: claims can spare them. [T8]
    constexpr void leave_to_poller(tags set) noexcept { polled_ |= set; }

    /// Their poller is gone, or they were claimed.
    constexpr void leave_to_anyone(tags set) noexcept { polled_ -= set; }

    [[nodiscard]] constexpr tags polled() const noexcept { return polled_; }

    /// Claims only what an earlier run has left; reads no hardware.
    [[nodiscard]] constexpr tags take_parked() noexcept {
        tags const left = parked_;
        parked_ = {};
        return left;
    }

    /// Keeps what a run did not finish. True when the thread has to be woken: always for tags nobody asked yet, once
    /// per request for tags that lag. A caller that will not tell the thread, such as a poll, says so: the wake is then
    /// left to whoever finds the tag lagging next. [H1] [H2] [T11] Cost: one step per lagging tag.
    [[nodiscard]] constexpr bool park(tags unasked, tags lagging, bool tells_thread = true) noexcept {
        parked_ |= unasked | lagging;
        bool wake = not unasked.empty();
        for (tag const each : lagging) {
            std::uint32_t const marked = generation_of_[each.index].load();
            wake |= (marked & told_mark) == 0;
            generation_of_[each.index].store(marked | (tells_thread ? lagging_mark | told_mark : lagging_mark));
        }
        return wake;
    }

    /// Takes one request out of everybody's hands but hardware's: no claim finds it, no submission gets its tag, until
    /// `release`. A lagging tag can be quarantined, a tag whose outcome is fixed cannot. [T2] [T5] [T11]
    [[nodiscard]] constexpr withdrawal quarantine(ticket const& which) noexcept {
        if (which.which.index >= Slots or (which.generation & first_generation) == 0) {
            return withdrawal::stale;
        }
        std::uint32_t const now = generation(which.which);
        if (now != which.generation) {
            return now == 0 ? withdrawal::already_done : withdrawal::stale;
        }
        return quarantine(tags{which.which}).empty() ? withdrawal::already_done : withdrawal::won;
    }

    /// The same for those of a set that are outstanding or lagging; returns them.
    constexpr tags quarantine(tags set) noexcept {
        tags const taken = set & (outstanding_ | lagging());
        outstanding_ -= taken;
        parked_ -= taken;
        quarantined_ |= taken;
        bar_again();
        return taken;
    }

    /// Claims what has finished and quarantines those of `set` that have not, in one look: success wins. [X2]
    template <class Busy>
    [[nodiscard]] constexpr expired_result<tags> expire(tags set, Busy busy) noexcept {
        tags const late = set & lagging();
        parked_ -= late;
        auto const found = claim(busy);
        parked_ |= late;
        return {found, quarantine(set)};
    }

    /// Ends the quarantine of one tag, for whoever established that hardware cannot write it any more. False when a
    /// reset took it meanwhile. [T5]
    [[nodiscard]] constexpr bool release(tag which) noexcept {
        bool const mine = quarantined_.contains(which);
        quarantined_.erase(which);
        bar_again();
        return mine;
    }

    /// Gives a quarantined request back to hardware, as what it was before: its time was not over after all. False when
    /// a reset took it meanwhile. The caller looks at the hardware in the same section, since nobody claimed it until
    /// now.
    [[nodiscard]] constexpr bool resume(tag which) noexcept {
        if (not release(which)) {
            return false;
        }
        (lags(which) ? parked_ : outstanding_).insert(which);
        return true;
    }

    /// Moves what is outstanding out of everybody's reach, before a register write that makes a doorbell read 0
    /// without completing anyone. Claims find nothing from here on, submissions answer `why`. [T1]
    constexpr void close(submit_status why) noexcept {
        closing_ |= outstanding_ | quarantined_;
        outstanding_ = {};
        quarantined_ = {};
        bar(why);
    }

    /// For whoever closed: what finished while the list still ran, with the leftover.
    template <class Busy>
    [[nodiscard]] constexpr tags collect(Busy busy) noexcept {
        tags const finished = closing_ - busy();
        closing_ -= finished;
        return finished | take_parked();
    }

    /// For whoever closed: everything that is left, to be completed by force.
    [[nodiscard]] constexpr tags force() noexcept {
        tags const left = closing_ | parked_;
        closing_ = {};
        parked_ = {};
        return left;
    }

    /// What hardware holds, as far as the core knows.
    [[nodiscard]] constexpr tags outstanding() const noexcept { return outstanding_ | closing_; }

    [[nodiscard]] constexpr tags parked() const noexcept { return parked_; }

    [[nodiscard]] constexpr tags quarantined() const noexcept { return quarantined_; }

    /// Parked requests that wait for their response, not for their turn. Cost: one step per parked tag.
    [[nodiscard]] constexpr tags lagging() const noexcept {
        tags marked{};
        for (tag const each : parked_) {
            if (lags(each)) {
                marked.insert(each);
            }
        }
        return marked;
    }

    /// It has finished, and its response was missing when somebody looked. [T11]
    [[nodiscard]] constexpr bool lags(tag which) const noexcept {
        return (generation_of_[which.index].load() & lagging_mark) != 0;
    }

    /// Nothing is in flight, and no callback waits here.
    [[nodiscard]] constexpr bool idle() const noexcept {
        return (outstanding_ | closing_ | parked_ | quarantined_).empty();
    }

    /// A claimed request waits here for its turn.
    [[nodiscard]] constexpr bool waiting() const noexcept { return not(parked_ - lagging()).empty(); }

    /// What a submission of no tag at all is answered.
    [[nodiscard]] constexpr submit_status standing() const noexcept {
        return reason_ == submit_status::accepted and blocks_ != 0 ? submit_status::blocked : reason_;
    }

    /// The generation of a tag's request, until its callback begins; 0 when there is none.
    [[nodiscard]] constexpr std::uint32_t generation(tag which) const noexcept {
        return generation_of_[which.index].load() & ~(lagging_mark | told_mark);
    }

    /// The generation of the latest submission.
    [[nodiscard]] constexpr std::uint32_t latest() const noexcept { return generation_; }

private:
    // The lowest bits of a tag's generation mark it as lagging, and that the thread was told: a new submission forgets
    // both at no cost. The next is always set, so that no generation is 0, which means that the tag is free.
    static constexpr std::uint32_t lagging_mark = 1;
    static constexpr std::uint32_t told_mark = 2;
    static constexpr std::uint32_t first_generation = 4;
    static constexpr std::uint32_t generation_step = 8;

    template <class Ring>
    constexpr submitted mark_and_ring(tags set, Ring ring) noexcept {
        std::uint32_t const generation = mark(set);
        ring(set);
        return submitted{submit_status::accepted, generation};
    }

    // One word answers the hot path's question; it is worked out anew whenever one of its reasons changes.
    constexpr void bar_again() noexcept {
        bool const shut = reason_ != submit_status::accepted or blocks_ != 0;
        barred_ = shut ? tags::all() : ~usable_ | quarantined_ | reserved_;
    }

    [[gnu::noinline, gnu::cold]] constexpr submit_status refusal(tags set) const noexcept {
        if (reason_ == submit_status::not_started) {
            return reason_;
        }
        if (set.intersects(~usable_ | reserved_)) {
            return submit_status::out_of_range;
        }
        if (reason_ != submit_status::accepted) {
            return reason_;
        }
        return blocks_ != 0 ? submit_status::blocked : submit_status::busy;
    }

    tags outstanding_{};
    tags parked_{};
    tags barred_{tags::all()};
    std::uint32_t generation_ = first_generation;
    shared_word generation_of_[Slots]{};
    tags polled_{};
    tags quarantined_{};
    tags closing_{};
    tags usable_{};
    tags reserved_{};
    unsigned blocks_ = 0;
    submit_status reason_ = submit_status::not_started;
};

} // namespace doorbell
