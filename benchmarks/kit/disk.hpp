// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doorbell/controllers/ufshci/descriptor.hpp>
#include <doorbell/core/context.hpp>
#include <doorbell/core/outcome.hpp>

#include <cstdint>

namespace bench {

/// The driver of every contender: the same descriptors, the same out-of-line callback. `Nanoseconds` is about what a
/// callback takes; 0 is a callback that only counts.
template <unsigned Nanoseconds>
struct disk {
    [[nodiscard]] doorbell::outcome response(doorbell::tag t) const noexcept {
        return doorbell::ufs::response(list[t.index]);
    }

    /// Out of line and in a file of its own, as a driver's callback is.
    void completed(doorbell::claimed<doorbell::any_context> won, doorbell::outcome result) noexcept;

    doorbell::ufs::utrd list[32]{};
    std::uint32_t done[32]{};
    std::uint32_t last = 0;
};

extern template struct disk<0>;
extern template struct disk<50>;
extern template struct disk<500>;

/// Which of 32 tags are finished when `count` are: spread evenly, as traffic leaves them.
[[nodiscard]] constexpr std::uint32_t finished(unsigned count) noexcept {
    switch (count) {
    case 1:
        return 0x0000'2000;
    case 2:
        return 0x0002'0002;
    case 4:
        return 0x0404'0404;
    case 8:
        return 0x1111'1111;
    case 16:
        return 0x5555'5555;
    default:
        return 0xFFFF'FFFF;
    }
}

} // namespace bench
