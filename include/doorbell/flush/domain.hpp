// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../core/shared_word.hpp"
#include "../core/tag_set.hpp"
#include "generation.hpp"

#include <cstddef>

namespace doorbell::detail {

/// What is known of the writes of one namespace or logical unit: how many were completed, up to which one the medium
/// holds them, which of these are in doubt, and who has still to be told of an error. Lock: the coalescer's, for all
/// but `advance` and `poisoned`.
template <std::size_t Streams, counting How>
class durability_domain {
public:
    using streams = tag_set<Streams>;

    /// A write was completed, or something that may have written. [F1] [F7]
    [[gnu::always_inline]] constexpr write_generation advance() noexcept { return written_.advance(); }

    [[nodiscard]] constexpr write_generation written() const noexcept { return written_.load(); }

    /// Takes down what a flush covers that is handed over next. Before it is handed over, or writes that complete in
    /// between would count as covered. [F1]
    constexpr void sample() noexcept { sampled_ = written_.load(); }

    /// Nothing was completed since the flush in flight was handed over: it covers all there is. [F1]
    [[nodiscard]] constexpr bool covered() const noexcept { return written_.load() == sampled_; }

    /// The flush in flight succeeded.
    constexpr void settle() noexcept { durable_ = sampled_ > durable_ ? sampled_ : durable_; }

    /// Nothing that needs a flush can be left, and this is known. [F7]
    [[nodiscard]] constexpr bool clean() const noexcept {
        return durable_ >= (mode_ == cache_mode::write_through ? through_ : written_.load());
    }

    [[nodiscard]] constexpr bool writes_through() const noexcept { return mode_ == cache_mode::write_through; }

    /// Every write that was completed up to `place` is on the medium, and no failure speaks against it. [F3]
    [[nodiscard]] constexpr bool durable(write_generation place) const noexcept {
        bool const doubtful = place > doubt_after_ and place <= doubt_upto_;
        return place == written_through or
               (place != 0 and place <= (clean() ? written_.load() : durable_) and not doubtful);
    }

    /// Writes that are completed from now on are treated as `mode` says. What was written through needs no flush when
    /// the cache is switched back on. [F7]
    constexpr void set_mode(cache_mode mode) noexcept {
        bool const was_through = mode_ == cache_mode::write_through;
        if (was_through and mode != cache_mode::write_through and clean()) {
            durable_ = written_.load();
        } else if (not was_through and mode == cache_mode::write_through) {
            through_ = written_.load();
        }
        mode_ = mode;
    }

    /// The flush in flight failed, and its failure says nothing of what became of the writes it was to cover. Not even
    /// a later success does. True: there are such writes. [F3]
    constexpr bool doubt_sampled() noexcept { return not clean() and doubt(sampled_); }

    /// The cache was lost. [F8]
    constexpr bool doubt_written() noexcept { return not clean() and doubt(written_.load()); }

    /// Everybody who is there is due an error, and if nobody gets it, whoever comes next. [F3] [F8]
    constexpr void raise(flush_error why, streams open, bool poison) noexcept {
        untold_ = open;
        nobody_told_ = true;
        why_ = why;
        if (poison) {
            poisoned_.store(1);
        }
    }

    /// An error is due to this stream.
    [[nodiscard]] constexpr bool owes(tag stream) const noexcept { return untold_.contains(stream) or poisoned(); }

    /// An error is due to somebody.
    [[nodiscard]] constexpr bool owes() const noexcept { return nobody_told_ or not untold_.empty() or poisoned(); }

    constexpr void told(tag stream) noexcept {
        untold_.erase(stream);
        nobody_told_ = false;
    }

    /// A stream that opens inherits an error that nobody was told of.
    constexpr void opened(tag stream) noexcept {
        if (nobody_told_) {
            untold_.insert(stream);
        }
    }

    constexpr void closed(tag stream) noexcept { untold_.erase(stream); }

    /// Contexts: any. Lock: none.
    [[nodiscard]] constexpr bool poisoned() const noexcept { return poisoned_.load() != 0; }

    [[nodiscard]] constexpr flush_error why() const noexcept { return why_; }

    /// Whoever owns the data has found out what the medium holds, and starts from there.
    constexpr void start_over() noexcept {
        doubt_after_ = doubt_upto_ = 0;
        untold_ = {};
        nobody_told_ = false;
        why_ = flush_error::none;
        poisoned_.store(0);
    }

private:
    // One stretch from the first doubtful write to the last: what lies between two failures counts as doubtful too.
    constexpr bool doubt(write_generation upto) noexcept {
        if (upto <= durable_) {
            return false;
        }
        bool const first = doubt_upto_ == 0;
        doubt_after_ = first or durable_ < doubt_after_ ? durable_ : doubt_after_;
        doubt_upto_ = first or upto > doubt_upto_ ? upto : doubt_upto_;
        return true;
    }

    generation_counter<How> written_{};
    write_generation durable_ = 0;     ///< the last successful flush covered the writes up to here
    write_generation sampled_ = 0;     ///< the flush in flight covers the writes up to here
    write_generation through_ = 0;     ///< while written through: what was completed before that
    write_generation doubt_after_ = 0; ///< behind this one begin the writes that a failure has made doubtful
    write_generation doubt_upto_ = 0;  ///< and with this one they end; 0: there are none
    streams untold_{};                 ///< streams to which an error is due
    shared_word poisoned_{};
    flush_error why_ = flush_error::none;
    cache_mode mode_ = cache_mode::unknown;
    bool nobody_told_ = false; ///< an error was raised and nobody has had it
};

} // namespace doorbell::detail
