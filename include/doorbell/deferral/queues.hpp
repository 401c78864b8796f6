// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "item.hpp"

#include <cstdint>

namespace doorbell {

/// What became of a request that its submitter wants back.
enum class unlink_status : std::uint8_t {
    not_queued,   ///< hardware has it, or nobody: take it back there
    already_done, ///< its completion is queued: the callback will run once, with the real status
    completing,   ///< its callback is running
};

/// The state of one bottom half, as plain words: two queues, in the order of arrival, and the run that is under way.
/// Every member requires that the caller holds the lock: `bottom_half` pairs the two. No member calls back or waits.
/// A run takes what is queued when it begins; what arrives meanwhile belongs to the next. High priority goes first, low
/// gets at least one item per run. One run at a time. [G1] [G2]
class giveback_queues {
public:
    constexpr giveback_queues() noexcept = default;

    giveback_queues(giveback_queues const&) = delete;
    giveback_queues& operator=(giveback_queues const&) = delete;

    /// Queues one completion; false when it is queued already: nothing is done then. Cost: a few stores.
    [[nodiscard]] constexpr bool push(deferred_item& item) noexcept {
        if (item.queued_ or item.endpoint_ == nullptr) {
            return false;
        }
        item.queued_ = true;
        item.next_ = nullptr;
        ++item.endpoint_->waiting_;
        queue& q = of(*item.endpoint_);
        (q.first == nullptr ? q.first : q.last->next_) = &item;
        q.last = &item;
        ++q.count;
        return true;
    }

    /// True for the one that has to see that a run begins: something is queued, and nobody was told yet. [H3]
    [[nodiscard]] constexpr bool schedule() noexcept {
        bool const wanted = not asked_ and not running_ and not empty();
        asked_ = asked_ or wanted;
        return wanted;
    }

    /// Begins a run over what is queued now; false when one is under way, which will see to the rest. [G2]
    [[nodiscard]] constexpr bool begin() noexcept {
        if (running_) {
            return false;
        }
        running_ = true;
        asked_ = false; // before the work, so that no request to run is lost
        high_.left = high_.count;
        low_.left = low_.count;
        low_given_ = false;
        return true;
    }

    /// How many this run has still to give back.
    [[nodiscard]] constexpr std::uint32_t left() const noexcept { return high_.left + low_.left; }

    /// The next completion of this run; nothing when the batch is over, or the budget, once low priority had its one.
    /// The item is out of the queue before its callback runs. [G1] [G3]
    [[nodiscard]] constexpr deferred_item* next(bool within_budget) noexcept {
        current_ = nullptr;
        current_endpoint_ = nullptr;
        if (within_budget and high_.left != 0) {
            return take(high_);
        }
        if (low_.left != 0 and (within_budget or not low_given_)) {
            low_given_ = true;
            return take(low_);
        }
        return nullptr;
    }

    /// Ends the run; true when more is queued and another run has to be seen to. [G2]
    [[nodiscard]] constexpr bool end() noexcept {
        running_ = false;
        asked_ = not empty();
        return asked_;
    }

    /// Nothing is queued; callbacks may still run. [G4]
    [[nodiscard]] constexpr bool empty() const noexcept { return high_.count + low_.count == 0; }

    /// Nothing is queued and nothing runs. [G4]
    [[nodiscard]] constexpr bool quiet() const noexcept { return empty() and not running_; }

    /// [G4]
    [[nodiscard]] constexpr endpoint_activity activity(endpoint const& of) const noexcept {
        if (current_endpoint_ == &of) {
            return endpoint_activity::completing;
        }
        return of.waiting_ != 0 ? endpoint_activity::waiting : endpoint_activity::quiet;
    }

    /// What can be said about a request that somebody wants back; changes nothing. [G3]
    [[nodiscard]] constexpr unlink_status unlink(deferred_item const& item) const noexcept {
        if (item.queued_) {
            return unlink_status::already_done;
        }
        return current_ == &item ? unlink_status::completing : unlink_status::not_queued;
    }

private:
    struct queue {
        deferred_item* first = nullptr;
        deferred_item* last = nullptr;
        std::uint32_t count = 0;
        std::uint32_t left = 0; // of the run that is under way
    };

    [[nodiscard]] constexpr queue& of(endpoint const& e) noexcept {
        return e.priority() == giveback_priority::high ? high_ : low_;
    }

    [[nodiscard]] constexpr deferred_item* take(queue& q) noexcept {
        deferred_item* const item = q.first;
        q.first = item->next_;
        --q.count;
        --q.left;
        item->queued_ = false;
        --item->endpoint_->waiting_;
        current_ = item;
        current_endpoint_ = item->endpoint_;
        return item;
    }

    queue high_{};
    queue low_{};
    deferred_item const* current_ = nullptr;
    endpoint const* current_endpoint_ = nullptr;
    bool running_ = false;
    bool asked_ = false;
    bool low_given_ = false;
};

} // namespace doorbell
