// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "conversion.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>

namespace doorbell {

#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__) || defined(__riscv) ||                            \
    (defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M' && __ARM_ARCH >= 7)

namespace detail {

#    if defined(__x86_64__) || defined(__i386__)

// Not serialised: it may be read a few instructions early, which is nothing against a budget of microseconds.
[[nodiscard]] inline std::uint64_t read_cycles() noexcept {
    return __builtin_ia32_rdtsc();
}

#    elif defined(__aarch64__)

// The virtual count of the generic timer: readable at every exception level, and the same rate on every core.
[[nodiscard]] inline std::uint64_t read_cycles() noexcept {
    std::uint64_t count = 0;
    asm volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
}

#    elif defined(__riscv)

// `time` and not `cycle`: it runs at one rate through sleep and clock changes, and supervisors leave it readable.
[[nodiscard]] inline std::uintptr_t read_cycles() noexcept {
    std::uintptr_t count = 0;
    asm volatile("rdtime %0" : "=r"(count));
    return count;
}

#    elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M' && __ARM_ARCH >= 7

// DWT_CYCCNT. Start-up code sets DEMCR.TRCENA and DWT_CTRL.CYCCNTENA; without them it stands still.
[[nodiscard]] inline std::uint32_t read_cycles() noexcept {
    return *reinterpret_cast<std::uint32_t const volatile*>(std::uintptr_t{0xE000'1004U});
}

#    endif

} // namespace detail

/// The processor's own counter: time stamp counter on x86, generic timer on arm64, `time` on RISC-V, DWT cycle counter
/// on Armv7-M; elsewhere its use is refused. Any context, no lock, no errors; one instruction to read. Its rate is
/// known at run time: give it in hertz.
class cycle_counter {
public:
    // Through the fixed-width types: uintptr_t may be a third name for the same width.
    using rep = std::conditional_t<sizeof(detail::read_cycles()) == 8, std::uint64_t, std::uint32_t>;

    /// Without a rate: too coarse for any budget, so a core that is given one does not start [B2].
    constexpr cycle_counter() noexcept = default;

    /// `hz` ticks in a second, 1 to 18'000'000'000.
    constexpr explicit cycle_counter(std::uint64_t hz) noexcept : hz_{hz} {}

    [[nodiscard]] rep now() const noexcept { return detail::read_cycles(); }

    /// The length of a tick, rounded up; the largest number there is when the rate was not given.
    [[nodiscard]] constexpr std::uint64_t resolution_ns() const noexcept {
        return hz_ == 0 ? std::numeric_limits<std::uint64_t>::max() : detail::divided_up(second, hz_);
    }

    /// Whole ticks in `ns` nanoseconds, rounded down, at most half the counter's range.
    [[nodiscard]] constexpr rep ticks(std::uint64_t ns) const noexcept { return detail::scaled<rep>(ns, hz_, second); }

private:
    static constexpr std::uint64_t second = 1'000'000'000;

    std::uint64_t hz_ = 0;
};

static_assert(measured_rate<cycle_counter>);

#else

namespace detail {

/// Stands where the processor has no counter that is known here: only a core that asks for it is refused.
template <class Clock = void>
class no_cycle_counter {
    static_assert(
        not std::is_void_v<Clock>, "doorbell: no cycle counter is known for this architecture; use counter<> with a "
                                   "reader of your own, or chrono_clock");
};

} // namespace detail

using cycle_counter = detail::no_cycle_counter<>;

#endif

} // namespace doorbell
