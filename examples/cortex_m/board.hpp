// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doorbell/time/concepts.hpp>

#include <cstdint>

/// What this program needs of an MPS2 board and of the core on it: SysTick, the interrupt controller, one timer, and
/// semihosting, by which a debugger or QEMU prints.
namespace board {

inline std::uint32_t volatile& word(std::uintptr_t address) noexcept {
    return *reinterpret_cast<std::uint32_t volatile*>(address);
}

// --- SysTick: 24 bits, counts down at 25 MHz
// ---------------------------------------------------------------------------

inline void start_systick() noexcept {
    word(0xE000'E014) = 0x00FF'FFFF;
    word(0xE000'E018) = 0;
    word(0xE000'E010) = 5; // of the processor's clock, without an interrupt
}

/// SysTick as a time source. Deadlines wrap with the counter's type, so its 24 bits are the upper ones of 32: they
/// count in steps of 256, and wrap together.
struct systick {
    using rep = std::uint32_t;

    static constexpr std::uint64_t resolution_ns = 40;

    [[nodiscard]] rep now() const noexcept { return (0x00FF'FFFFU - word(0xE000'E018)) << 8U; }

    [[nodiscard]] static constexpr rep ticks(std::uint64_t ns) noexcept {
        constexpr std::uint64_t half = 0x8000'0000U;
        std::uint64_t const steps = ns > half * resolution_ns ? half : ns / resolution_ns * 256;
        return static_cast<rep>(steps > half ? half : steps);
    }
};

static_assert(doorbell::fixed_rate<systick>);

// --- Interrupts
// ---------------------------------------------------------------------------------------------------------

inline constexpr unsigned timer_interrupt = 8;
inline constexpr unsigned ufs_interrupt = 20;

inline void enable_interrupt(unsigned which, std::uint32_t priority) noexcept {
    auto volatile* const priorities = reinterpret_cast<std::uint8_t volatile*>(0xE000'E400);
    priorities[which] = static_cast<std::uint8_t>(priority);
    word(0xE000'E100) = 1U << which;
}

inline void pend_interrupt(unsigned which) noexcept {
    word(0xE000'E200) = 1U << which;
}

// --- A timer of the board that interrupts again and again
// ----------------------------------------------------------------

inline void start_timer(std::uint32_t ticks) noexcept {
    word(0x4000'0004) = ticks;
    word(0x4000'0008) = ticks;
    word(0x4000'0000) = 9; // runs, with an interrupt
}

inline void end_of_timer_interrupt() noexcept {
    word(0x4000'000C) = 1;
}

// --- Semihosting
// ----------------------------------------------------------------------------------------------------------

inline std::uint32_t call_host(std::uint32_t operation, void const* argument) noexcept {
    register std::uint32_t r0 asm("r0") = operation;
    register void const* r1 asm("r1") = argument;
    asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

inline void print(char const* text) noexcept {
    call_host(0x04, text);
}

inline void print(std::uint32_t number) noexcept {
    char digits[11];
    char* at = digits + 10;
    *at = '\0';
    do {
        *--at = static_cast<char>('0' + number % 10);
        number /= 10;
    } while (number != 0);
    print(at);
}

/// Ends the emulation; its exit status is 0 or 1.
[[noreturn]] inline void leave(bool success) noexcept {
    constexpr std::uint32_t application_exit = 0x20026;
    std::uint32_t const block[2] = {application_exit, success ? 0U : 1U};
    for (;;) {
        call_host(0x20, block);
    }
}

} // namespace board
