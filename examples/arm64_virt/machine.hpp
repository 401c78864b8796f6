// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

/// What firmware needs of QEMU's machine `virt,gic-version=2,highmem=off`: a serial line, the interrupt controller,
/// the PCI configuration space and the way out. One processor core.
namespace machine {

inline std::uint32_t volatile& word(std::uintptr_t at) {
    return *reinterpret_cast<std::uint32_t volatile*>(at);
}

/// Memory that nobody uses: 64 MiB above the firmware.
inline constexpr std::uint32_t spare_memory = 0x4400'0000;

// The serial line

inline void put(char const* text) {
    for (; *text != '\0'; ++text) {
        word(0x0900'0000) = static_cast<unsigned char>(*text);
    }
}

inline void put(std::uint64_t value) {
    char digits[21]{};
    char* first = digits + 20;
    do {
        *--first = static_cast<char>('0' + value % 10);
        value /= 10;
    } while (value != 0);
    put(first);
}

inline void put_line(char const* what, std::uint64_t value) {
    put(what);
    put(value);
    put("\n");
}

// The way out, by semihosting: the emulator's exit status is `status`

[[noreturn]] inline void leave(std::uint64_t status) {
    std::uint64_t const block[2]{0x20026, status};
    for (;;) {
        register std::uint64_t operation asm("x0") = 0x18;
        register std::uint64_t const* argument asm("x1") = block;
        asm volatile("hlt #0xF000" : "+r"(operation) : "r"(argument) : "memory");
    }
}

/// What the emulator was told to tell the program: the text is cut at `bytes`.
inline void command_line(char* text, std::uint64_t bytes) {
    std::uint64_t block[2]{reinterpret_cast<std::uint64_t>(text), bytes};
    register std::uint64_t operation asm("x0") = 0x15;
    register std::uint64_t* argument asm("x1") = block;
    asm volatile("hlt #0xF000" : "+r"(operation) : "r"(argument) : "memory");
}

// Interrupts

inline constexpr std::uintptr_t distributor = 0x0800'0000, cpu_interface = 0x0801'0000;
inline constexpr unsigned no_interrupt = 1020;

inline void open_interrupt(unsigned number) {
    word(distributor + 0x800 + number / 4 * 4) = word(distributor + 0x800 + number / 4 * 4) | 1U << number % 4 * 8;
    word(distributor + 0x100 + number / 32 * 4) = 1U << number % 32;
    word(distributor) = 1;
    word(cpu_interface + 0x4) = 0xFF;
    word(cpu_interface) = 1;
    asm volatile("dsb sy\n\tmsr daifclr, #2" ::: "memory");
}

inline unsigned begin_interrupt() {
    return word(cpu_interface + 0xC) & 0x3FF;
}

inline void end_interrupt(unsigned number) {
    word(cpu_interface + 0x10) = number;
}

/// Sleeps until `asleep()` is false; an interrupt between the question and the sleep ends the sleep.
template <class Asleep>
inline void sleep_while(Asleep asleep) {
    for (;;) {
        asm volatile("msr daifset, #2" ::: "memory");
        bool const again = asleep();
        if (again) {
            asm volatile("dsb sy\n\twfi" ::: "memory");
        }
        asm volatile("msr daifclr, #2\n\tisb" ::: "memory");
        if (not again) {
            return;
        }
    }
}

// PCI, bus 0

struct pci_device {
    unsigned slot = 32;

    [[nodiscard]] bool found() const { return slot < 32; }

    [[nodiscard]] std::uint32_t volatile& config(unsigned offset) const {
        return word(0x3F00'0000 + slot * 0x8000 + offset);
    }

    /// Its pin A, where nobody else is on the bus.
    [[nodiscard]] unsigned interrupt() const { return 32 + 3 + slot % 4; }

    /// Gives the base address register of this number a place, and lets the device answer and reach memory.
    [[nodiscard]] std::uintptr_t map(unsigned bar) const {
        constexpr std::uint32_t window = 0x1000'0000;
        config(0x10 + bar * 4) = window;
        config(0x04) = config(0x04) | 0b110;
        return window;
    }
};

/// The first device of this class, subclass and programming interface.
inline pci_device find_pci(std::uint32_t class_code) {
    for (unsigned slot = 0; slot < 32; ++slot) {
        pci_device const here{slot};
        if (here.config(0) != 0xFFFF'FFFF and here.config(8) >> 8 == class_code) {
            return here;
        }
    }
    return {};
}

} // namespace machine
