// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace doorbell::testing {

/// Processors behind an interrupt chip, in one thread: an entry runs when the script says so, on the core it names, and
/// to its end. Called from inside an entry, `deliver` nests on the same core or runs on another one, as hardware may do
/// at that instant. A core that masks its interrupts holds entries off.
template <interrupt_chip Chip>
class cores {
public:
    static constexpr unsigned count = 4;

    /// One hard-handler entry; gets the core and the input.
    using handler = void (*)(void* context, unsigned core, unsigned input) noexcept;

    cores(Chip& chip, handler entry, void* context) noexcept : chip_(chip), entry_(entry), context_(context) {}

    void mask_core(unsigned core) noexcept { ++masked_[core % count]; }

    void unmask_core(unsigned core) noexcept { --masked_[core % count]; }

    /// Runs one entry on `core` if the chip has one and the core takes it. False: nothing ran.
    bool deliver(unsigned core = 0) noexcept {
        core %= count;
        if (masked_[core] != 0) {
            return false;
        }
        unsigned const input = chip_.claim();
        if (input == Chip::none) {
            return false;
        }
        ++entries_;
        ++depth_[core];
        deepest_ = depth_[core] > deepest_ ? depth_[core] : deepest_;
        entry_(context_, core, input);
        --depth_[core];
        chip_.end(input);
        return true;
    }

    /// Runs entries until the chip is quiet, at most `limit` (a storm is what a test wants to see, not to hang in).
    unsigned deliver_all(unsigned core = 0, unsigned limit = 1000) noexcept {
        unsigned n = 0;
        while (n < limit and deliver(core)) {
            ++n;
        }
        return n;
    }

    /// Entries so far, how deep they nest on a core now, and did at most.
    [[nodiscard]] std::uint64_t entries() const noexcept { return entries_; }

    [[nodiscard]] unsigned depth(unsigned core = 0) const noexcept { return depth_[core % count]; }

    [[nodiscard]] unsigned deepest() const noexcept { return deepest_; }

private:
    Chip& chip_;
    handler entry_;
    void* context_;
    std::array<unsigned, count> masked_{}, depth_{};
    unsigned deepest_ = 0;
    std::uint64_t entries_ = 0;
};

/// Connects the output of a model to an input: the level as it is now, and the pulses that wait.
template <typename Model, interrupt_chip Chip>
void sample(Model& model, Chip& chip, unsigned input) noexcept {
    chip.wire(input, model.line());
    while (model.take_pulse()) {
        chip.pulse(input);
    }
}

} // namespace doorbell::testing
