// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../core/tag_set.hpp"

#include <cstddef>

namespace doorbell::detail {

/// Which riders are in use, for whom, for what, and which device flushes each still waits for. Lock: the coalescer's.
template <std::size_t Riders, std::size_t Streams, std::size_t Domains, std::size_t Slots>
class rider_book {
public:
    using riders = tag_set<Riders>;
    using domains = tag_set<Domains>;
    using slots = tag_set<Slots>;

    [[nodiscard]] constexpr bool seated(tag rider) const noexcept { return seated_.contains(rider); }

    [[nodiscard]] constexpr riders seated() const noexcept { return seated_; }

    constexpr void seat(tag rider, tag stream, domains where, slots awaited) noexcept {
        seated_.insert(rider);
        entry& e = entries_[rider.index];
        e = {where, awaited, static_cast<unsigned char>(stream.index)};
    }

    [[nodiscard]] constexpr tag stream(tag rider) const noexcept { return {entries_[rider.index].stream}; }

    [[nodiscard]] constexpr domains where(tag rider) const noexcept { return entries_[rider.index].where; }

    /// Somebody who waits belongs to this stream.
    [[nodiscard]] constexpr bool uses(tag stream) const noexcept {
        for (tag const each : seated_) {
            if (this->stream(each) == stream) {
                return true;
            }
        }
        return false;
    }

    /// These riders are to be answered with an error whatever becomes of their flush.
    constexpr void spoil(riders some) noexcept { spoiled_ |= some & seated_; }

    /// One slot is done with these riders. Gives back those that wait for no other slot, and forgets them. [F6]
    [[nodiscard]] constexpr riders released(tag slot, riders some) noexcept {
        if constexpr (Slots > 1) {
            for (tag const each : some) {
                slots& awaited = entries_[each.index].awaited;
                awaited.erase(slot);
                if (not awaited.empty()) {
                    some.erase(each);
                }
            }
        }
        seated_ -= some;
        return some;
    }

    /// Of released riders, those that were spoiled; they are so no longer.
    [[nodiscard]] constexpr riders take_spoiled(riders released) noexcept {
        riders const some = spoiled_ & released;
        spoiled_ -= released;
        return some;
    }

private:
    static_assert(Streams <= 256, "doorbell: at most 256 streams; give flush_streams less");

    struct entry {
        domains where{};
        slots awaited{};
        unsigned char stream = 0;
    };

    entry entries_[Riders]{};
    riders seated_{};
    riders spoiled_{};
};

} // namespace doorbell::detail
