// SPDX-License-Identifier: BSL-1.0
// From reset to main: memory, the stack's paint, the table of vectors.
#include "board.hpp"
#include "firmware.hpp"

#include <cstddef>
#include <cstdint>

extern "C" {

extern std::uint32_t data_begin[], data_end[], data_image[], bss_begin[], bss_end[], stack_begin[], stack_end[];

// The compiler asks for these by name.
void* memset(void* to, int value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) {
        static_cast<unsigned char volatile*>(to)[i] = static_cast<unsigned char>(value);
    }
    return to;
}

void* memcpy(void* to, void const* from, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) {
        static_cast<unsigned char volatile*>(to)[i] = static_cast<unsigned char const*>(from)[i];
    }
    return to;
}

[[noreturn]] void reset() {
    for (std::uint32_t *to = data_begin, *from = data_image; to != data_end; ++to, ++from) {
        *to = *from;
    }
    for (std::uint32_t volatile* to = bss_begin; to != bss_end; ++to) {
        *to = 0;
    }
    std::uint32_t volatile* top = nullptr;
    asm volatile("mov %0, sp" : "=r"(top));
    for (std::uint32_t volatile* to = stack_begin; to != top; ++to) {
        *to = firmware::paint;
    }
    firmware::run();
}

[[noreturn]] void unexpected() {
    board::print("unexpected exception\n");
    board::leave(false);
}

struct vector_table {
    std::uint32_t* stack;
    void (*handlers[15 + 32])();
};

[[gnu::section(".vectors")]] extern vector_table const vectors;

constinit vector_table const vectors{
    stack_end,
    {reset,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     firmware::on_timer, // 8
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     firmware::on_ufs, // 20
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected,
     unexpected}};
}

std::uint32_t firmware::used_stack() noexcept {
    std::uint32_t const* at = stack_begin;
    while (at != stack_end and *at == paint) {
        ++at;
    }
    return static_cast<std::uint32_t>((stack_end - at) * 4);
}
