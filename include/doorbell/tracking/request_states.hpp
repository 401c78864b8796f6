// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "../core/results.hpp"
#include "../core/tag_set.hpp"

namespace doorbell {

/// What one look at the hardware claims: `batch` is the caller's alone, `unknown` was reported but never issued. [T6]
template <class Tags>
struct claim_result {
    Tags batch{};
    Tags unknown{};
};

/// How `withdraw` ended.
enum class withdrawal : unsigned {
    won,          ///< the tag is the caller's: no other context will complete this generation
    already_done, ///< another context claimed it: its callback has run or will run once
    stale,        ///< the ticket is of an older generation, or of no request
};

/// The state of every request of one completion source, as plain words.
/// Every member requires that the caller holds the lock of the source: `tracker` pairs the two. No member waits, calls
/// back or reads hardware but through the argument that says so. A tag is in one state: free, outstanding, parked
/// (claimed, callback not run) or closing; lagging is a mark on a parked tag. [T2]
template <std::size_t Slots>
class request_states {
public:
    using tags = tag_set<Slots>;

    constexpr request_states() noexcept = default;

    /// Opens the tags of `usable` for submission; all others answer out_of_range. What is outstanding or parked stays
    /// so; nothing may be closing.
    constexpr void open(tags usable) noexcept {
        usable_ = usable;
        barred_ = ~usable;
        why_barred_ = submit_status::out_of_range;
    }

    /// Refuses every submission from now on, with `why`.
    constexpr void bar(submit_status why) noexcept {
        barred_ = tags::all();
        why_barred_ = why;
    }

    /// Marks `set` outstanding under a new generation and rings, in this order, or refuses all of it. [T1] [T2]
    /// `set` is not empty. Cost: three loads, two ors and one test beside the marks; one store per tag for the
    /// generation.
    template <class Ring>
    [[gnu::always_inline]] constexpr submitted submit(tags set, Ring ring) noexcept {
        if (set.intersects(outstanding_ | parked_ | barred_)) [[unlikely]] {
            return submitted{refusal(set)};
        }
        outstanding_ |= set;
        std::uint32_t const generation = generation_ += generation_step;
        for (tag const each : set) {
            generation_of_[each.index] = generation;
        }
        ring(set);
        return submitted{submit_status::accepted, generation};
    }

    /// Claims what the hardware has finished, and what an earlier run has left: the leftover joins the batch and is
    /// never overtaken. `busy()` is one read of the completion state. [T1] [H2] [T4]
    template <class Busy>
    [[gnu::always_inline]] constexpr claim_result<tags> claim(Busy busy) noexcept {
        tags const now = busy();
        tags const finished = outstanding_ - now;
        tags unknown = now - outstanding_;
        if (not unknown.empty()) [[unlikely]] {
            unknown -= closing_;
        }
        outstanding_ &= now;
        return {finished | take_parked(), unknown};
    }

    /// Claims only what an earlier run has left; reads no hardware.
    [[nodiscard]] constexpr tags take_parked() noexcept {
        tags const left = parked_;
        parked_ = {};
        return left;
    }

    /// Keeps what a run did not finish. True when the thread has to be woken: always for tags nobody asked yet, once
    /// per request for tags that lag. [H1] [H2] [T11] Cost: one step per lagging tag.
    [[nodiscard]] constexpr bool park(tags unasked, tags lagging) noexcept {
        parked_ |= unasked | lagging;
        bool wake = not unasked.empty();
        for (tag const each : lagging) {
            wake |= (generation_of_[each.index] & lagging_mark) == 0;
            generation_of_[each.index] |= lagging_mark;
        }
        return wake;
    }

    /// Takes one request out of the hardware's and everybody else's hands. A lagging tag can be withdrawn, a tag
    /// whose outcome is fixed cannot. [T2] [T11]
    [[nodiscard]] constexpr withdrawal withdraw(ticket const& which) noexcept {
        if (which.which.index >= Slots or generation(which.which) != which.generation) {
            return withdrawal::stale;
        }
        if (outstanding_.contains(which.which)) {
            outstanding_.erase(which.which);
            return withdrawal::won;
        }
        if (parked_.contains(which.which) and (generation_of_[which.which.index] & lagging_mark) != 0) {
            parked_.erase(which.which);
            return withdrawal::won;
        }
        return which.generation == 0 ? withdrawal::stale : withdrawal::already_done;
    }

    /// Moves what is outstanding out of everybody's reach, before a register write that makes a doorbell read 0
    /// without completing anyone. Claims find nothing from here on, submissions answer `why`. [T1]
    constexpr void close(submit_status why) noexcept {
        bar(why);
        closing_ |= outstanding_;
        outstanding_ = {};
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

    [[nodiscard]] constexpr tags outstanding() const noexcept { return outstanding_ | closing_; }

    [[nodiscard]] constexpr tags parked() const noexcept { return parked_; }

    /// What a submission of no tag at all is answered.
    [[nodiscard]] constexpr submit_status standing() const noexcept {
        return barred_ == tags::all() ? why_barred_ : submit_status::accepted;
    }

    /// The generation a tag was last submitted under; 0 when never.
    [[nodiscard]] constexpr std::uint32_t generation(tag which) const noexcept {
        return generation_of_[which.index] & ~lagging_mark;
    }

private:
    // The lowest bit of a tag's generation marks it as lagging: a new submission forgets the mark at no cost.
    static constexpr std::uint32_t lagging_mark = 1;
    static constexpr std::uint32_t generation_step = 2;

    [[gnu::noinline, gnu::cold]] constexpr submit_status refusal(tags set) const noexcept {
        if (set.intersects(~usable_)) {
            return why_barred_ == submit_status::not_started ? submit_status::not_started : submit_status::out_of_range;
        }
        return barred_ == tags::all() ? why_barred_ : submit_status::busy;
    }

    tags outstanding_{};
    tags parked_{};
    tags barred_{tags::all()};
    std::uint32_t generation_ = 0;
    std::uint32_t generation_of_[Slots]{};
    tags closing_{};
    tags usable_{};
    submit_status why_barred_ = submit_status::not_started;
};

} // namespace doorbell
