// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>

namespace doorbell {

/// Switches interrupts of this core off, and back to what they were. `mask()` returns the state to restore [T9];
/// `effective` is false where there is nothing to switch. Both order the compiler's accesses to memory.
template <class M>
concept interrupt_mask = requires(M& interrupts, typename M::token token) {
    { interrupts.mask() } noexcept -> std::same_as<typename M::token>;
    { interrupts.restore(token) } noexcept;
    { M::effective } -> std::convertible_to<bool>;
};

/// The interrupts of this core as the processor has them: IRQ and FIQ on arm64, PRIMASK on Arm's M profile, CPSR.I on
/// the others, mstatus.MIE on RISC-V (machine mode; write your own for supervisor mode), RFLAGS.IF on x86. Needs the
/// privilege to do it. **In a process of an operating system there is no interrupt to mask: it does nothing there and
/// says so by `effective`.** Any context, no errors, two or three instructions. Restores, and does not simply switch
/// on, so it nests.
class cpu_interrupts {
public:
#if __STDC_HOSTED__ == 1 && (defined(__unix__) || defined(__APPLE__) || defined(_WIN32))

    using token = unsigned;
    static constexpr bool effective = false;

    [[nodiscard]] static token mask() noexcept { return 0; }

    static void restore(token) noexcept {}

#elif defined(__aarch64__)

    using token = std::uint64_t;
    static constexpr bool effective = true;

    [[nodiscard]] static token mask() noexcept {
        token before = 0;
        asm volatile("mrs %0, daif\n\tmsr daifset, #3" : "=r"(before)::"memory");
        return before;
    }

    static void restore(token before) noexcept { asm volatile("msr daif, %0" ::"r"(before) : "memory"); }

#elif defined(__arm__) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'

    using token = std::uint32_t;
    static constexpr bool effective = true;

    [[nodiscard]] static token mask() noexcept {
        token before = 0;
        asm volatile("mrs %0, primask\n\tcpsid i" : "=r"(before)::"memory");
        return before;
    }

    static void restore(token before) noexcept { asm volatile("msr primask, %0" ::"r"(before) : "memory"); }

#elif defined(__arm__)

    using token = std::uint32_t;
    static constexpr bool effective = true;

    [[nodiscard]] static token mask() noexcept {
        token before = 0;
        asm volatile("mrs %0, cpsr\n\tcpsid i" : "=r"(before)::"memory");
        return before;
    }

    static void restore(token before) noexcept { asm volatile("msr cpsr_c, %0" ::"r"(before) : "memory"); }

#elif defined(__riscv)

    using token = std::uintptr_t;
    static constexpr bool effective = true;

    [[nodiscard]] static token mask() noexcept {
        token before = 0;
        asm volatile("csrrci %0, mstatus, 8" : "=r"(before)::"memory");
        return before;
    }

    // Sets MIE if it was set: the other bits of mstatus are not ours to write back.
    static void restore(token before) noexcept { asm volatile("csrs mstatus, %0" ::"r"(before & 8U) : "memory"); }

#elif defined(__x86_64__) || defined(__i386__)

    using token = std::uintptr_t;
    static constexpr bool effective = true;

    [[nodiscard]] static token mask() noexcept {
        token before = 0;
#    if defined(__x86_64__)
        asm volatile("pushfq\n\tpopq %0\n\tcli" : "=r"(before)::"memory");
#    else
        asm volatile("pushfl\n\tpopl %0\n\tcli" : "=r"(before)::"memory");
#    endif
        return before;
    }

    static void restore(token before) noexcept {
        if ((before & 0x200U) != 0) {
            asm volatile("sti" ::: "memory");
        }
    }

#else

    using token = unsigned;
    static constexpr bool effective = false;

    [[nodiscard]] static token mask() noexcept { return 0; }

    static void restore(token) noexcept {}

#endif
};

static_assert(interrupt_mask<cpu_interrupts>);

} // namespace doorbell
