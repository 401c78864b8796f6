// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../core/outcome.hpp"
#include "../../core/tag_set.hpp"

#include <cstddef>
#include <cstdint>

namespace doorbell::ufs {

/// An entry of a completion ring, as hardware writes it: eight little-endian words.
struct completion_entry {
    std::uint32_t word[8];

    /// Overall command status. The read is real, and orders what follows behind it.
    [[nodiscard]] outcome status() const noexcept {
        return static_cast<outcome>(__atomic_load_n(&word[4], __ATOMIC_ACQUIRE) & 0xFFU);
    }
};

/// Where one queue's registers lie, and its rings: what bring-up read from SQDAO, CQDAO and CQISAO, and what it
/// allocated.
struct queue_place {
    std::size_t sqd = 0;  ///< block of the submission queue's run-time registers
    std::size_t cqd = 0;  ///< block of the completion queue's
    std::size_t cqis = 0; ///< block of the completion queue's interrupt registers
    completion_entry const* completions = nullptr;
    std::uint32_t depth = 0; ///< entries in each ring; more than the slots, so that a ring is never full
};

/// What the host remembers of one multi-queue pair: its side of both rings, and the status of each tag, copied out of
/// the ring before the ring's place is given back. Guarded by the lock of the core that serves the queue.
template <std::size_t Slots>
class queue_state {
public:
    using tags = tag_set<Slots>;
    static constexpr std::uint32_t entry_bytes = 32;

    constexpr queue_state() noexcept = default;

    constexpr explicit queue_state(queue_place const& place) noexcept : place_{place} {}

    [[nodiscard]] constexpr queue_place const& place() const noexcept { return place_; }

    /// The status that was copied for a claimed tag; `not_written` while there is none. What a driver's `response`
    /// answers for this queue.
    [[nodiscard]] constexpr outcome response(tag which) const noexcept { return status_[which.index]; }

    /// The submission entry that a tag of the set being rung goes into, in ascending order of tags: called by the
    /// driver's `prepare`, which writes the entry there.
    [[nodiscard]] constexpr std::uint32_t next_submission() noexcept {
        std::uint32_t const here = submitted_;
        submitted_ = next(submitted_);
        return here;
    }

    /// Logical unit of a tag's request: what clean-up has to name. Called by the driver's `prepare`.
    constexpr void set_unit(tag which, std::uint8_t unit) noexcept { unit_[which.index] = unit; }

    /// Entries that named no request of this queue.
    [[nodiscard]] constexpr std::uint32_t strangers() const noexcept { return strangers_; }

    // The following are for the queue's controller, with the lock held.

    [[nodiscard]] constexpr tags held() const noexcept { return held_; }

    constexpr void rung(tags set) noexcept {
        held_ |= set;
        for (tag const each : set) {
            status_[each.index] = outcome::not_written;
        }
    }

    [[nodiscard]] constexpr std::uint32_t submission_tail() const noexcept { return submitted_ * entry_bytes; }

    [[nodiscard]] constexpr std::uint32_t completion_head() const noexcept { return head_ * entry_bytes; }

    /// Takes entries up to `tail`, at most `Stride`; returns the tags that hardware still holds, and with them those
    /// that an entry named without anybody having issued them; one that is named twice has ended all the same. A tail
    /// outside of the ring is none: a controller that is gone reads as all ones, and old entries would end new
    /// requests. [D4]
    template <unsigned Stride, class TagOf>
    constexpr tags take(std::uint32_t tail_bytes, TagOf tag_of) noexcept {
        std::uint32_t const tail = tail_bytes / entry_bytes;
        tags ended{};
        tags unknown{};
        for (unsigned taken = 0; head_ != tail and tail < place_.depth and taken < Stride; ++taken) {
            completion_entry const& entry = place_.completions[head_];
            outcome const status = entry.status();
            tag const which = tag_of(entry);
            if (which.index < Slots and held_.contains(which)) {
                held_.erase(which);
                ended.insert(which);
                status_[which.index] = status;
            } else {
                ++strangers_;
                if (which.index < Slots) {
                    unknown.insert(which);
                }
            }
            head_ = next(head_);
        }
        return held_ | (unknown - ended);
    }

    /// Clean-up of one tag goes by stages, one look each: stop fetching, name the tag, wait, start again. [T7]
    enum class cleanup : unsigned { none, stopping, cleaning };

    [[nodiscard]] constexpr cleanup stage() const noexcept { return stage_; }

    constexpr void begin_cleanup(tag which) noexcept {
        stage_ = cleanup::stopping;
        cleaned_ = which;
    }

    /// What names the request to clean up: task tag and logical unit.
    [[nodiscard]] constexpr std::uint32_t cleanup_target() const noexcept {
        return cleaned_.index | std::uint32_t{unit_[cleaned_.index]} << 8U;
    }

    constexpr void stopped() noexcept { stage_ = cleanup::cleaning; }

    constexpr void cleaned() noexcept {
        stage_ = cleanup::none;
        held_.erase(cleaned_);
    }

    /// Both rings are empty again, after the controller was reset.
    constexpr void restart() noexcept {
        held_ = {};
        head_ = 0;
        submitted_ = 0;
        stage_ = cleanup::none;
    }

private:
    [[nodiscard]] constexpr std::uint32_t next(std::uint32_t entry) const noexcept {
        return entry + 1 == place_.depth ? 0 : entry + 1;
    }

    queue_place place_{};
    tags held_{};
    std::uint32_t head_ = 0;
    std::uint32_t submitted_ = 0;
    std::uint32_t strangers_ = 0;
    cleanup stage_ = cleanup::none;
    tag cleaned_{};
    outcome status_[Slots]{};
    std::uint8_t unit_[Slots]{};
};

} // namespace doorbell::ufs
