// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "hosted.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace doorbell::testing {

/// Block storage with a write cache. The content of a block is one 64-bit stamp, and every write is tracked, so that a
/// power cut at any instant tells exactly which acknowledged writes are lost. A write is acknowledged when `write`
/// returns. A flush promises the least that a flush may promise: what was acknowledged before it *began*. One thread.
class storage_device {
public:
    explicit storage_device(std::size_t blocks, bool cached = true)
        : cached_(cached), volatile_(blocks), durable_(blocks), last_(blocks), safe_(blocks) {}

    [[nodiscard]] std::size_t blocks() const noexcept { return durable_.size(); }

    /// One acknowledged write that the medium does not hold.
    struct lost_write {
        std::uint64_t id;    ///< as returned by write()
        std::uint64_t block; ///< block it wrote
        std::uint64_t stamp; ///< what it wrote there
    };

    /// Writes one block and acknowledges it; gives back the number of the write (1, 2, ...), or 0 when the block does
    /// not exist. `through`: the medium holds it already (force unit access).
    std::uint64_t write(std::uint64_t block, std::uint64_t stamp, bool through = false) {
        if (block >= blocks()) {
            return 0;
        }
        std::size_t const b = block;
        ++writes_;
        volatile_[b] = stamp;
        last_[b] = writes_;
        if (through or not cached_) {
            make_durable(b, writes_, stamp);
        } else {
            pending_.push_back({writes_, block, stamp});
        }
        return writes_;
    }

    [[nodiscard]] std::uint64_t read(std::uint64_t block) const noexcept {
        return block < blocks() ? volatile_[block] : 0;
    }

    /// What the medium holds of the block.
    [[nodiscard]] std::uint64_t durable(std::uint64_t block) const noexcept {
        return block < blocks() ? durable_[block] : 0;
    }

    /// A flush begins; the token names what it will cover.
    [[nodiscard]] std::uint64_t flush_begin() noexcept {
        ++flushes_;
        return writes_;
    }

    /// The flush ended: everything it covers is durable, unless it failed.
    void flush_end(std::uint64_t token, bool ok = true) {
        if (ok) {
            settle([token](lost_write const& w) { return w.id <= token; });
        }
    }

    /// The flush ended with an error, and the device gives up what it was to write back: marked clean, never written,
    /// so that a later flush succeeds without it. Real caches do this.
    void flush_dropped(std::uint64_t token) {
        std::erase_if(pending_, [token](lost_write const& w) { return w.id <= token; });
    }

    /// The device writes a block back by itself, as caches do.
    void write_back(std::uint64_t block) {
        settle([block](lost_write const& w) { return w.block == block; });
    }

    /// Acknowledged writes that a cut at this instant would lose, oldest first. A write that a newer durable one has
    /// replaced is not lost.
    [[nodiscard]] std::vector<lost_write> at_risk() const { return pending_; }

    /// The power fails: only the medium remains. Gives back what was lost.
    std::vector<lost_write> cut() {
        std::vector<lost_write> lost = pending_;
        pending_.clear();
        volatile_ = durable_;
        last_ = safe_;
        return lost;
    }

    /// Writes acknowledged, and flushes begun, so far.
    [[nodiscard]] std::uint64_t writes() const noexcept { return writes_; }

    [[nodiscard]] std::uint64_t flushes() const noexcept { return flushes_; }

private:
    void make_durable(std::size_t block, std::uint64_t id, std::uint64_t stamp) {
        if (id < safe_[block]) {
            return;
        }
        safe_[block] = id;
        durable_[block] = stamp;
        std::erase_if(pending_, [block, id](lost_write const& w) { return w.block == block and w.id <= id; });
    }

    template <typename Covers>
    void settle(Covers covers) {
        std::vector<lost_write> const before = pending_;
        for (lost_write const& w : before) {
            if (covers(w)) {
                make_durable(w.block, w.id, w.stamp);
            }
        }
    }

    bool cached_;
    std::vector<std::uint64_t> volatile_, durable_;
    std::vector<std::uint64_t> last_, safe_; // newest write of the block: at all, on the medium
    std::vector<lost_write> pending_{};
    std::uint64_t writes_ = 0, flushes_ = 0;
};

} // namespace doorbell::testing
