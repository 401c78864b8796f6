// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstdint>

namespace doorbell::detail {

/// How long streams take to come back, as counts of times in classes of a quarter octave. Old ones fade. Times are
/// ticks of one clock. Lock: the coalescer's; each member is a loop over the classes at most.
class arrival_times {
public:
    static constexpr unsigned classes = 132; ///< the last one holds all above 2^34 ticks

    constexpr void add(std::uint64_t time) noexcept {
        unsigned const which = class_of(time);
        ++counts_[which < classes ? which : classes - 1];
        if (++count_ >= fading) {
            fade();
        }
    }

    [[nodiscard]] constexpr std::uint32_t count() const noexcept { return count_; }

    /// The longest time of a class.
    [[nodiscard]] static constexpr std::uint64_t edge(unsigned which) noexcept {
        if (which < 4) {
            return which;
        }
        unsigned const octave = (which - 4) / 4;
        return (std::uint64_t{5 + (which - 4) % 4} << octave) - 1;
    }

    /// The next class that holds something, round and round; there is one.
    [[nodiscard]] constexpr unsigned occupied_after(unsigned which) const noexcept {
        for (unsigned step = 1; step <= classes; ++step) {
            unsigned const other = (which + step) % classes;
            if (counts_[other] != 0) {
                return other;
            }
        }
        return which;
    }

    /// The rounds of all that are counted, from one answer to the next, when flushes take `flush` and wait `grace`.
    [[nodiscard]] constexpr std::uint64_t round(std::uint64_t flush, std::uint64_t grace) const noexcept {
        std::uint64_t const cycle = flush + grace;
        std::uint64_t cycles = 0;
        for (unsigned which = 0; which < classes; ++which) {
            if (counts_[which] != 0) {
                cycles += counts_[which] * cycles_of(edge(which), cycle, grace);
            }
        }
        return cycle * cycles;
    }

private:
    static constexpr std::uint32_t fading = 256;
    static constexpr std::uint64_t most_cycles =
        16; ///< whoever stays away longer is no argument for or against waiting

    [[nodiscard]] static constexpr unsigned class_of(std::uint64_t time) noexcept {
        if (time < 4) {
            return static_cast<unsigned>(time);
        }
        unsigned const octave = static_cast<unsigned>(std::bit_width(time)) - 3;
        return 4 + 4 * octave + static_cast<unsigned>((time >> octave) & 3U);
    }

    [[nodiscard]] static constexpr std::uint64_t
    cycles_of(std::uint64_t time, std::uint64_t cycle, std::uint64_t grace) noexcept {
        std::uint64_t cycles = 1;
        for (std::uint64_t end = grace; end < time and cycles < most_cycles; end += cycle) {
            ++cycles;
        }
        return cycles;
    }

    constexpr void fade() noexcept {
        count_ = 0;
        for (std::uint16_t& each : counts_) {
            each = static_cast<std::uint16_t>(each / 2);
            count_ += each;
        }
    }

    std::uint16_t counts_[classes]{};
    std::uint32_t count_ = 0;
};

} // namespace doorbell::detail
