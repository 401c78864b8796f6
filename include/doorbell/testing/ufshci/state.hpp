// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../controllers/ufshci/causes.hpp"
#include "../machine_memory.hpp"
#include "../timer_table.hpp"
#include "../ufshci_knobs.hpp"
#include "errors.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace doorbell::testing {

/// Lowest layer of the register model: the register words, counts, virtual time, memory, notes. The layers above it
/// (line, transfers, tasks, link, queues) each own the behaviour of one group of registers. One thread.
class ufshci_state {
public:
    static constexpr std::size_t window = 0x2000; ///< bytes of the register window
    static constexpr std::size_t words = window / 4;

    /// Virtual time in nanoseconds.
    [[nodiscard]] std::uint64_t now() const noexcept { return now_; }

    [[nodiscard]] ufshci_knobs const& knobs() const noexcept { return knobs_; }

    /// The word of a register as it stands, without the side effects of an access and without counting one.
    [[nodiscard]] std::uint32_t peek(std::size_t offset) const noexcept { return regs_[index(offset)]; }

    /// Puts a register to a value from the hardware's side, to start a test from a snapshot. No side effects.
    void poke(std::size_t offset, std::uint32_t value) noexcept { regs_[index(offset)] = value; }

    /// Accesses of the driver, per register and in all.
    [[nodiscard]] std::uint64_t reads(std::size_t offset) const noexcept { return reads_[index(offset)]; }

    [[nodiscard]] std::uint64_t writes(std::size_t offset) const noexcept { return writes_[index(offset)]; }

    [[nodiscard]] std::uint64_t reads() const noexcept { return sum(reads_); }

    [[nodiscard]] std::uint64_t writes() const noexcept { return sum(writes_); }

    void clear_counts() noexcept {
        reads_ = {};
        writes_ = {};
    }

    [[nodiscard]] error_list& errors() noexcept { return errors_; }

    [[nodiscard]] error_list const& errors() const noexcept { return errors_; }

    [[nodiscard]] access_log& log() noexcept { return log_; }

    [[nodiscard]] access_log const& log() const noexcept { return log_; }

    [[nodiscard]] machine_memory& memory() noexcept { return memory_; }

protected:
    /// Timers of all layers: first number of each group.
    enum timer : unsigned {
        finish_timer = 0,       // 32 slots: request done
        second_timer = 32,      // second half of a completion
        status_timer = 64,      // OCS lands
        clear_timer = 96,       // slot clear takes effect
        task_timer = 128,       // 8
        task_clear_timer = 136, // 8
        uic_timer = 144,
        uic_second_timer = 145,
        aggregation_timer = 146,
        line_timer = 147,
        enable_timer = 148,
        posted_timer = 149,
        queue_aggregation_timer = 160, // 32
        queue_stop_timer = 192,        // 32
        queue_cleanup_timer = 224,     // 32
        request_timer = 256,           // 64 requests of the queues: done
        post_timer = 320               // 64: entry lands
    };

    explicit ufshci_state(ufshci_knobs const& knobs)
        : knobs_(checked(knobs))
        , log_(knobs.log_entries)
        , memory_(knobs.memory_bytes, knobs.memory_base, knobs.memory_needs_barriers or knobs.dma_needs_sync) {}

    [[nodiscard]] static constexpr std::size_t index(std::size_t offset) noexcept { return (offset / 4) % words; }

    [[nodiscard]] std::uint32_t& reg(std::size_t offset) noexcept { return regs_[index(offset)]; }

    [[nodiscard]] std::uint32_t reg(std::size_t offset) const noexcept { return regs_[index(offset)]; }

    void error(driver_error what, std::size_t offset, std::uint32_t value) noexcept {
        errors_.add({what, static_cast<std::uint32_t>(offset), value, now_});
    }

    void note(access_kind kind, std::size_t offset, std::uint32_t value) noexcept {
        log_.note({now_, static_cast<std::uint32_t>(offset), value, kind});
    }

    /// Virtual time `ns` from now, short of "never".
    [[nodiscard]] std::uint64_t later(std::uint64_t ns) const noexcept {
        return ns > timer_table::never - 1 - now_ ? timer_table::never - 1 : now_ + ns;
    }

    [[nodiscard]] std::uint64_t random() noexcept { // splitmix64: repeatable everywhere
        random_ += 0x9E3779B97F4A7C15u;
        std::uint64_t z = random_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }

    ufshci_knobs knobs_;
    std::array<std::uint32_t, words> regs_{};
    std::array<std::uint64_t, words> reads_{};
    std::array<std::uint64_t, words> writes_{};
    std::uint64_t now_ = 0;
    std::uint64_t random_ = knobs_.seed;
    timer_table timers_{};
    error_list errors_{};
    access_log log_;
    machine_memory memory_;

private:
    static ufshci_knobs const& checked(ufshci_knobs const& knobs) {
        if (char const* const sentence = impossible(knobs)) {
            throw std::invalid_argument(sentence);
        }
        return knobs;
    }

    [[nodiscard]] static std::uint64_t sum(std::array<std::uint64_t, words> const& counts) noexcept {
        std::uint64_t total = 0;
        for (std::uint64_t const n : counts) {
            total += n;
        }
        return total;
    }
};

} // namespace doorbell::testing
