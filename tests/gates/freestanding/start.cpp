// SPDX-License-Identifier: BSL-1.0
// What a C library would bring: the entry point, the way out, and the four functions that compilers call on their own.
#include <cstddef>

int run();

namespace {

[[noreturn]] void leave(int status) {
#if defined(__x86_64__)
    for (;;) {
        asm volatile("syscall" : : "a"(60), "D"(status) : "rcx", "r11", "memory");
    }
#elif defined(__aarch64__)
    for (;;) {
        register long number asm("x8") = 93;
        register long code asm("x0") = status;
        asm volatile("svc 0" : : "r"(number), "r"(code) : "memory");
    }
#else
#    error "no way to end a process is known for this machine"
#endif
}

} // namespace

extern "C" {

void* memcpy(void* to, void const* from, std::size_t count) {
    auto* t = static_cast<unsigned char volatile*>(to);
    auto const* f = static_cast<unsigned char const*>(from);
    while (count-- != 0) {
        *t++ = *f++;
    }
    return to;
}

void* memmove(void* to, void const* from, std::size_t count) {
    auto* t = static_cast<unsigned char volatile*>(to);
    auto const* f = static_cast<unsigned char const*>(from);
    if (t < f) {
        return memcpy(to, from, count);
    }
    while (count-- != 0) {
        t[count] = f[count];
    }
    return to;
}

void* memset(void* to, int value, std::size_t count) {
    auto* t = static_cast<unsigned char volatile*>(to);
    while (count-- != 0) {
        *t++ = static_cast<unsigned char>(value);
    }
    return to;
}

int memcmp(void const* left, void const* right, std::size_t count) {
    auto const* l = static_cast<unsigned char const*>(left);
    auto const* r = static_cast<unsigned char const*>(right);
    for (; count-- != 0; ++l, ++r) {
        if (*l != *r) {
            return *l < *r ? -1 : 1;
        }
    }
    return 0;
}

[[noreturn]] void enter() {
    leave(run());
}
}

// The kernel enters with the stack aligned to 16 bytes and no return address; a call puts it as functions expect it.
#if defined(__x86_64__)
asm(".globl _start\n_start:\n xor %ebp, %ebp\n call enter\n");
#elif defined(__aarch64__)
asm(".globl _start\n_start:\n bl enter\n");
#endif
