// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "state.hpp"

#include <cstddef>
#include <cstdint>

namespace doorbell::testing {

/// Layer of the interrupt registers IS and IE and of the output: a level, and pulses for the edge kinds.
class ufshci_line : public ufshci_state {
public:
    /// The level as the interrupt chip sees it (line_lag included).
    [[nodiscard]] bool line() const noexcept { return seen_; }

    /// Takes one waiting pulse (edge kinds). False: there is none.
    [[nodiscard]] bool take_pulse() noexcept {
        if (pulses_ == 0) {
            return false;
        }
        --pulses_;
        return true;
    }

    /// Pulses not taken yet.
    [[nodiscard]] std::uint64_t pulses() const noexcept { return pulses_; }

    /// How often the line went up, or pulsed, since the model was made.
    [[nodiscard]] std::uint64_t rises() const noexcept { return rises_; }

    /// Hardware sets causes: any of the bits of IS, also ones that nothing else explains (spurious).
    void raise(std::uint32_t causes) noexcept {
        std::uint32_t const latched = knobs_.masked_bits_latch ? causes : causes & reg(ufs::offset::ie);
        std::uint32_t& is = reg(ufs::offset::is);
        std::uint32_t const fresh = latched & ~is & ufs::cause::all;
        if (fresh == 0) {
            return;
        }
        bool const was = asserted();
        is |= fresh;
        bool const wanted = (fresh & reg(ufs::offset::ie)) != 0;
        if (wanted and (knobs_.line == line_kind::edge or (knobs_.line == line_kind::edge_line and not was))) {
            pulse();
        }
        update();
    }

protected:
    using ufshci_state::ufshci_state;

    void write_is(std::uint32_t value) noexcept {
        reg(ufs::offset::is) &= ~value;
        update();
    }

    void write_ie(std::uint32_t value) noexcept {
        std::uint32_t const was = reg(ufs::offset::ie);
        std::uint32_t const newly = value & ~was & reg(ufs::offset::is);
        bool const high = asserted();
        reg(ufs::offset::ie) = value;
        if (knobs_.pulse_on_enable and newly != 0 and (knobs_.line == line_kind::edge or not high)) {
            pulse();
        }
        update();
    }

    /// A read of the bank, or enough time, lets a late fall reach the chip.
    void settle_line() noexcept {
        timers_.disarm(line_timer);
        set_seen(asserted());
    }

    [[nodiscard]] bool line_is_late() const noexcept { return seen_ and not asserted(); }

    void update() noexcept {
        if (knobs_.line != line_kind::level) {
            return;
        }
        bool const high = asserted();
        if (high == seen_) {
            return;
        }
        if (not high and knobs_.line_lag != 0) {
            timers_.arm(line_timer, later(knobs_.line_lag));
            return;
        }
        set_seen(high);
    }

    [[nodiscard]] bool asserted() const noexcept { return (reg(ufs::offset::is) & reg(ufs::offset::ie)) != 0; }

private:
    void pulse() noexcept {
        ++pulses_;
        ++rises_;
        note(access_kind::pulse, 0, 0);
    }

    void set_seen(bool high) noexcept {
        if (high == seen_ or knobs_.line != line_kind::level) {
            return;
        }
        seen_ = high;
        rises_ += high ? 1u : 0u;
        note(high ? access_kind::line_up : access_kind::line_down, 0, 0);
    }

    std::uint64_t pulses_ = 0;
    std::uint64_t rises_ = 0;
    bool seen_ = false;
};

} // namespace doorbell::testing
