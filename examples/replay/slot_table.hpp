// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace replay {

/// The slots of the controller as the device knows them: which request each holds and when the device finishes it.
/// A request keeps its slot until its callback has run.
class slot_table {
public:
    static constexpr unsigned slots = 32;
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    struct request {
        std::uint64_t number = 0;
        std::uint32_t tag = 0;         ///< as recorded
        std::uint64_t sent_at = 0;     ///< as recorded
        std::uint64_t latency = never; ///< what the device takes; not known until its end is read
        bool counted = true;           ///< false: its end is missing from the recording
        std::uint64_t rung_at = never;
        std::uint64_t finish_at = never;
    };

    [[nodiscard]] request const& operator[](unsigned slot) const noexcept { return requests_[slot]; }

    [[nodiscard]] bool full() const noexcept { return taken_ == ~std::uint32_t{0}; }

    [[nodiscard]] bool has_finished(unsigned slot) const noexcept { return ((finished_ >> slot) & 1U) != 0; }

    /// Requests that the device finished and whose callback has not run.
    [[nodiscard]] std::uint64_t finished() const noexcept {
        return static_cast<std::uint64_t>(std::popcount(finished_));
    }

    /// How often the device has finished a request.
    [[nodiscard]] std::uint64_t finishes() const noexcept { return finishes_; }

    /// When the device finishes the next request.
    [[nodiscard]] std::uint64_t next_finish() const noexcept { return next_; }

    /// Puts a request into the lowest free slot. Not when `full()`.
    [[nodiscard]] unsigned take(request const& r) noexcept {
        auto const slot = static_cast<unsigned>(std::countr_one(taken_));
        taken_ |= bit(slot);
        requests_[slot] = r;
        return slot;
    }

    /// The doorbell was rung: the device begins.
    void rung(std::uint32_t bits, std::uint64_t now) noexcept {
        for (std::uint32_t rest = bits & taken_ & ~at_device_ & ~finished_; rest != 0; rest &= rest - 1) {
            auto const slot = static_cast<unsigned>(std::countr_zero(rest));
            request& r = requests_[slot];
            if (r.rung_at != never) {
                continue;
            }
            r.rung_at = now;
            at_device_ |= bit(slot);
            if (r.latency != never) {
                plan(r, now + r.latency);
            }
        }
    }

    /// The recording shows the end of a request. False: it holds no slot.
    [[nodiscard]] bool
    set_end(std::uint64_t number, std::uint64_t recorded_end, std::uint64_t now, bool counted) noexcept {
        for (std::uint32_t rest = taken_; rest != 0; rest &= rest - 1) {
            request& r = requests_[static_cast<unsigned>(std::countr_zero(rest))];
            if (r.number == number) {
                r.latency = recorded_end - r.sent_at;
                r.counted = counted;
                if (r.rung_at != never) {
                    plan(r, std::max(now, r.rung_at + r.latency));
                }
                return true;
            }
        }
        return false;
    }

    /// The device finishes the request that is next; its slot.
    [[nodiscard]] unsigned finish_next() noexcept {
        unsigned found = 0;
        std::uint64_t second = never;
        std::uint64_t first = never;
        for (std::uint32_t rest = at_device_; rest != 0; rest &= rest - 1) {
            auto const slot = static_cast<unsigned>(std::countr_zero(rest));
            std::uint64_t const at = requests_[slot].finish_at;
            if (at < first) {
                second = first;
                first = at;
                found = slot;
            } else if (at < second) {
                second = at;
            }
        }
        next_ = second;
        at_device_ &= ~bit(found);
        finished_ |= bit(found);
        ++finishes_;
        return found;
    }

    /// The callback of the request runs.
    void complete(unsigned slot) noexcept { finished_ &= ~bit(slot); }

    /// The slot can be used again.
    void release(unsigned slot) noexcept {
        taken_ &= ~bit(slot);
        requests_[slot] = {};
    }

private:
    [[nodiscard]] static constexpr std::uint32_t bit(unsigned slot) noexcept { return std::uint32_t{1} << slot; }

    void plan(request& r, std::uint64_t when) noexcept {
        r.finish_at = when;
        next_ = std::min(next_, when);
    }

    std::array<request, slots> requests_{};
    std::uint32_t taken_ = 0;
    std::uint32_t at_device_ = 0;
    std::uint32_t finished_ = 0;
    std::uint64_t finishes_ = 0;
    std::uint64_t next_ = never;
};

} // namespace replay
