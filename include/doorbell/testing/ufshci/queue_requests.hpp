// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace doorbell::testing {

/// The requests that the device has taken from submission rings, until their entries are posted. `Work` is what the
/// device remembers of each.
template <typename Work>
class queue_requests {
public:
    static constexpr unsigned capacity = 64;
    static constexpr unsigned none = capacity;
    static constexpr std::size_t entry_bytes = 32;

    struct request {
        std::array<unsigned char, entry_bytes> entry{}; ///< as fetched
        Work work{};
        std::uint64_t order = 0; ///< in which requests were taken
        std::uint32_t ocs = 0;
        std::uint8_t queue = 0, completion = 0, tag = 0, unit = 0;
        bool busy = false; ///< this place is used
        bool done = false; ///< finished, entry not posted yet
        bool interrupts = true;
    };

    [[nodiscard]] request& operator[](unsigned place) noexcept { return requests_[place]; }

    /// A place that is not used; `none`: all are.
    [[nodiscard]] unsigned free() const noexcept {
        for (unsigned i = 0; i < capacity; ++i) {
            if (not requests_[i].busy) {
                return i;
            }
        }
        return none;
    }

    /// The oldest unfinished request of a submission queue; of these, the one with a task tag.
    [[nodiscard]] unsigned oldest(unsigned queue) const noexcept {
        return first([queue](request const& r) { return not r.done and r.queue == queue; });
    }

    [[nodiscard]] unsigned find(unsigned queue, unsigned tag) const noexcept {
        return first([queue, tag](request const& r) { return not r.done and r.queue == queue and r.tag == tag; });
    }

    /// The oldest finished request whose entry belongs into a completion queue.
    [[nodiscard]] unsigned oldest_done(unsigned completion) const noexcept {
        return first([completion](request const& r) { return r.done and r.completion == completion; });
    }

    [[nodiscard]] unsigned working() const noexcept {
        return count([](request const& r) { return r.busy and not r.done; });
    }

    [[nodiscard]] unsigned done() const noexcept {
        return count([](request const& r) { return r.done; });
    }

private:
    template <typename Wanted>
    [[nodiscard]] unsigned first(Wanted wanted) const noexcept {
        unsigned best = none;
        for (unsigned i = 0; i < capacity; ++i) {
            request const& r = requests_[i];
            if (r.busy and wanted(r) and (best == none or r.order < requests_[best].order)) {
                best = i;
            }
        }
        return best;
    }

    template <typename Wanted>
    [[nodiscard]] unsigned count(Wanted wanted) const noexcept {
        unsigned n = 0;
        for (request const& r : requests_) {
            n += wanted(r) ? 1u : 0u;
        }
        return n;
    }

    std::array<request, capacity> requests_{};
};

} // namespace doorbell::testing
