// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include "../core/shared_word.hpp"

namespace doorbell {

/// Where a core stands between `start`, `stop`, `reset` and the loss of its controller. [D4] [D7]
enum class phase : std::uint32_t {
    stopped, ///< inert: not started yet, or stopped, or reset
    running,
    closing, ///< inert: a stop or reset is under way, or a reset did not end
    gone,    ///< inert: the controller does not answer any more
};

/// What the dispatcher remembers between entries, written with the core's lock held.
/// Causes the thread has to handle and the request to wake it are state, never only a return value. [H1]
class interrupt_state {
public:
    constexpr interrupt_state() noexcept = default;

    /// The causes the core wants enabled; 0 while inert. The hot path looks here and never reads IE. [D8]
    [[nodiscard]] constexpr std::uint32_t enabled() const noexcept { return enabled_.load(); }

    [[nodiscard]] constexpr phase now() const noexcept { return static_cast<phase>(phase_.load()); }

    [[nodiscard]] constexpr bool running() const noexcept { return now() == phase::running; }

    [[nodiscard]] constexpr bool threads_available() const noexcept { return no_threads_.load() == 0; }

    /// A wake was asked for that no thread run has taken yet. [H3]
    [[nodiscard]] constexpr bool wake_wanted() const noexcept { return wake_.load() != 0; }

    /// All of the following need the core's lock.
    constexpr void enter(phase next, std::uint32_t causes) noexcept {
        phase_.store(static_cast<std::uint32_t>(next));
        enabled_.store(causes);
    }

    constexpr void set_enabled(std::uint32_t causes) noexcept { enabled_.store(causes); }

    constexpr void set_threads_available(bool available) noexcept { no_threads_.store(available ? 0 : 1); }

    /// Keeps causes for the thread. [D2] [H1]
    constexpr void record(std::uint32_t causes) noexcept {
        recorded_.store(recorded_.load() | causes);
        want_wake();
    }

    constexpr void want_wake() noexcept { wake_.store(1); }

    /// Takes what was recorded; the request to wake is cleared before the work, so that none is lost. [H3]
    [[nodiscard]] constexpr std::uint32_t take_recorded() noexcept {
        wake_.store(0);
        return recorded_.exchange(0);
    }

private:
    shared_word enabled_{};
    shared_word phase_{};
    shared_word no_threads_{};
    shared_word recorded_{};
    shared_word wake_{};
};

} // namespace doorbell
