// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../core/shared_word.hpp"

#include <cstdint>

namespace doorbell {

/// Where a core stands between `start`, `gate`, `stop`, `reset` and the loss of its controller. [D4] [D7] [P1]
enum class phase : std::uint32_t {
    stopped, ///< inert: not started yet, or stopped, or reset
    running,
    gated,   ///< inert: clock or power is off, what is outstanding stays so
    closing, ///< inert: a stop or reset is under way, or a reset did not end
    gone,    ///< inert: the controller does not answer any more
};

/// What the dispatcher remembers between entries, written with the core's lock held.
/// Causes the thread has to handle and the request to wake it are state, never only a return value. [H1]
class interrupt_state {
public:
    constexpr interrupt_state() noexcept = default;

    /// The causes the core acts on; 0 while inert. The hot path looks here and never reads IE. [D8]
    [[nodiscard]] constexpr std::uint32_t enabled() const noexcept { return enabled_.load(); }

    [[nodiscard]] constexpr phase now() const noexcept { return static_cast<phase>(phase_.load()); }

    [[nodiscard]] constexpr bool running() const noexcept { return now() == phase::running; }

    [[nodiscard]] constexpr bool threads_available() const noexcept { return no_threads_.load() == 0; }

    /// A wake was asked for that no thread run has taken yet. [H3]
    [[nodiscard]] constexpr bool wake_wanted() const noexcept { return wake_.load() != 0; }

    /// Causes that a command in flight is going to raise. [D1a]
    [[nodiscard]] constexpr std::uint32_t expected() const noexcept { return expected_.load(); }

    // All of the following need the core's lock.

    /// What the enable register has to hold: wanted, and not held back for a thread. [D8]
    [[nodiscard]] constexpr std::uint32_t for_hardware() const noexcept { return enabled_.load() & ~held_; }

    constexpr void enter(phase next, std::uint32_t causes) noexcept {
        phase_.store(static_cast<std::uint32_t>(next));
        enabled_.store(causes);
    }

    constexpr void set_enabled(std::uint32_t causes) noexcept { enabled_.store(causes); }

    constexpr void set_threads_available(bool available) noexcept { no_threads_.store(available ? 0 : 1); }

    constexpr void expect(std::uint32_t add, std::uint32_t remove) noexcept {
        expected_.store((expected_.load() & ~remove) | add);
    }

    /// Remembers what was enabled while the controller is gated, and hands it back. [P1]
    constexpr void set_aside(std::uint32_t causes) noexcept { set_aside_ = causes; }

    [[nodiscard]] constexpr std::uint32_t set_aside() const noexcept { return set_aside_; }

    /// Keeps causes for the thread. [D2] [H1]
    constexpr void record(std::uint32_t causes) noexcept {
        keep(causes);
        want_wake();
    }

    /// The same for a thread that runs anyhow.
    constexpr void keep(std::uint32_t causes) noexcept { recorded_ |= causes; }

    constexpr void want_wake() noexcept { wake_.store(1); }

    /// Takes what was recorded; the request to wake is cleared before the work, so that none is lost, and stays where
    /// the status register still has to be looked at. [H3] [D7]
    [[nodiscard]] constexpr std::uint32_t take_recorded() noexcept {
        wake_.store(look_again_ ? 1 : 0);
        std::uint32_t const causes = recorded_;
        recorded_ = 0;
        return causes;
    }

    /// Drops what was recorded: the controller it told of has been reset.
    constexpr void forget() noexcept {
        (void)take_look_again();
        (void)take_recorded();
    }

    [[nodiscard]] constexpr bool anything_recorded() const noexcept { return recorded_ != 0; }

    [[nodiscard]] constexpr bool recorded(std::uint32_t causes) const noexcept { return (recorded_ & causes) != 0; }

    /// The thread owns the deferred source, and what is masked for it stays masked until it lets go. [H5]
    [[nodiscard]] constexpr bool owned() const noexcept { return owned_; }

    constexpr void own(std::uint32_t held) noexcept {
        owned_ = true;
        held_ = held;
    }

    constexpr void disown() noexcept {
        owned_ = false;
        held_ = 0;
    }

    /// The hard handler left with causes standing: the thread has to look at the status register. [H1] [D7]
    constexpr void look_again() noexcept {
        look_again_ = true;
        want_wake();
    }

    [[nodiscard]] constexpr bool take_look_again() noexcept {
        bool const before = look_again_;
        look_again_ = false;
        return before;
    }

    /// Somebody claimed since the hard handler last asked: its interrupt without a find was no foreign one. [D1a]
    constexpr void claimed_since(bool any) noexcept { claimed_since_ |= any; }

    [[nodiscard]] constexpr bool take_claimed_since() noexcept {
        bool const before = claimed_since_;
        claimed_since_ = false;
        return before;
    }

private:
    shared_word enabled_{};
    shared_word phase_{};
    shared_word no_threads_{};
    shared_word wake_{};
    shared_word expected_{};
    std::uint32_t recorded_ = 0;
    std::uint32_t held_ = 0;
    std::uint32_t set_aside_ = 0;
    bool owned_ = false;
    bool look_again_ = false;
    bool claimed_since_ = false;
};

} // namespace doorbell
