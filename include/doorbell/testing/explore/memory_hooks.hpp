// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"
#include "schedule.hpp"
#include "watched.hpp"

#include <cstddef>
#include <cstdint>

// Code that is compiled with -fsanitize=thread calls a function for every access to memory. Here are those functions,
// for programs that are linked without the sanitizer: an access to watched memory becomes a switch point, any other one
// costs a few compares. So headers under test are explored as they are shipped. Included by one source file of the
// program; target doorbell::explore_memory sees to that and to the options. Block copies that the compiler leaves to
// memcpy are seen with clang, and not with GCC.

// None of this may be instrumented itself. For clang `no_sanitize` leaves atomic accesses instrumented.
#if defined(__clang__)
#    define DOORBELL_UNSEEN disable_sanitizer_instrumentation
#else
#    define DOORBELL_UNSEEN no_sanitize("thread")
#endif

namespace doorbell::testing::explore::detail {

__attribute__((DOORBELL_UNSEEN)) inline bool is_watched(void const* address) noexcept {
    auto const place = reinterpret_cast<std::uintptr_t>(address);
    if (place - watched.low >= watched.span) [[likely]] {
        return false;
    }
    for (unsigned i = 0; i < watched.count; ++i) {
        if (place >= watched.begin[i] and place < watched.end[i]) {
            return true;
        }
    }
    return false;
}

__attribute__((DOORBELL_UNSEEN)) inline void hook(void const volatile* where, mode how, bool atomic = false) {
    void const* const address = const_cast<void const*>(where); // NOLINT(*-const-cast): it is compared, not accessed
    if (is_watched(address)) {
        schedule::memory(address, how, atomic);
    }
}

inline bool const hooks_are_here = schedule::memory_hooks_ = true;

} // namespace doorbell::testing::explore::detail

// NOLINTBEGIN(bugprone-macro-parentheses,readability-non-const-parameter): types, and parameters as the compiler has
// them The compiler knows these functions by other types: so they have names of our own and its symbols.
#define DOORBELL_HOOK(result, name, ...)                                                                               \
    extern "C" __attribute__((used, DOORBELL_UNSEEN)) inline result doorbell_hook_##name(__VA_ARGS__) __asm__(         \
        "__tsan_" #name);                                                                                              \
    extern "C" __attribute__((used, DOORBELL_UNSEEN)) inline result doorbell_hook_##name(__VA_ARGS__)

DOORBELL_HOOK(void, init, void) {}

DOORBELL_HOOK(void, func_entry, void*) {}

DOORBELL_HOOK(void, func_exit, void*) {}

DOORBELL_HOOK(void, vptr_read, void**) {}

DOORBELL_HOOK(void, vptr_update, void**, void*) {}

DOORBELL_HOOK(void, atomic_thread_fence, int) {}

DOORBELL_HOOK(void, atomic_signal_fence, int) {}

DOORBELL_HOOK(void*, get_current_fiber, void) {
    return nullptr;
}

DOORBELL_HOOK(void*, create_fiber, unsigned) {
    return nullptr;
}

DOORBELL_HOOK(void, destroy_fiber, void*) {}

DOORBELL_HOOK(void, switch_to_fiber, void*, unsigned) {}

#define DOORBELL_PLAIN(name, how)                                                                                      \
    DOORBELL_HOOK(void, name, void* address) {                                                                         \
        doorbell::testing::explore::detail::hook(address, doorbell::testing::explore::mode::how);                      \
    }
#define DOORBELL_PLAIN_SIZES(prefix)                                                                                   \
    DOORBELL_PLAIN(prefix##read1, read)                                                                                \
    DOORBELL_PLAIN(prefix##read2, read)                                                                                \
    DOORBELL_PLAIN(prefix##read4, read)                                                                                \
    DOORBELL_PLAIN(prefix##read8, read)                                                                                \
    DOORBELL_PLAIN(prefix##read16, read)                                                                               \
    DOORBELL_PLAIN(prefix##write1, write)                                                                              \
    DOORBELL_PLAIN(prefix##write2, write)                                                                              \
    DOORBELL_PLAIN(prefix##write4, write)                                                                              \
    DOORBELL_PLAIN(prefix##write8, write)                                                                              \
    DOORBELL_PLAIN(prefix##write16, write)
DOORBELL_PLAIN_SIZES()
DOORBELL_PLAIN_SIZES(unaligned_)
DOORBELL_PLAIN_SIZES(volatile_)
DOORBELL_PLAIN_SIZES(unaligned_volatile_)
#undef DOORBELL_PLAIN_SIZES
#undef DOORBELL_PLAIN

DOORBELL_HOOK(void, read_range, void* address, unsigned long) {
    doorbell::testing::explore::detail::hook(address, doorbell::testing::explore::mode::read);
}

DOORBELL_HOOK(void, write_range, void* address, unsigned long) {
    doorbell::testing::explore::detail::hook(address, doorbell::testing::explore::mode::write);
}

DOORBELL_HOOK(void*, memcpy, void* to, void const* from, std::size_t bytes) {
    doorbell::testing::explore::detail::hook(from, doorbell::testing::explore::mode::read);
    doorbell::testing::explore::detail::hook(to, doorbell::testing::explore::mode::write);
    return __builtin_memcpy(to, from, bytes);
}

DOORBELL_HOOK(void*, memmove, void* to, void const* from, std::size_t bytes) {
    doorbell::testing::explore::detail::hook(from, doorbell::testing::explore::mode::read);
    doorbell::testing::explore::detail::hook(to, doorbell::testing::explore::mode::write);
    return __builtin_memmove(to, from, bytes);
}

DOORBELL_HOOK(void*, memset, void* to, int value, std::size_t bytes) {
    doorbell::testing::explore::detail::hook(to, doorbell::testing::explore::mode::write);
    return __builtin_memset(to, value, bytes);
}

// Whatever order was asked for, the explorer's is sequentially consistent.
#define DOORBELL_ATOMIC_HOOK(address, how)                                                                             \
    doorbell::testing::explore::detail::hook(address, doorbell::testing::explore::mode::how, true)
#define DOORBELL_FETCH(type, bits, name)                                                                               \
    DOORBELL_HOOK(type, atomic##bits##_##name, type volatile* a, type v, int) {                                        \
        DOORBELL_ATOMIC_HOOK(a, write);                                                                                \
        return __atomic_##name(a, v, __ATOMIC_SEQ_CST);                                                                \
    }
#define DOORBELL_COMPARE(type, bits, name)                                                                             \
    DOORBELL_HOOK(int, atomic##bits##_compare_exchange_##name, type volatile* a, type* expected, type v, int, int) {   \
        DOORBELL_ATOMIC_HOOK(a, write);                                                                                \
        return __atomic_compare_exchange_n(a, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ? 1 : 0;         \
    }
#define DOORBELL_ATOMIC(type, bits)                                                                                    \
    DOORBELL_HOOK(type, atomic##bits##_load, type const volatile* a, int) {                                            \
        DOORBELL_ATOMIC_HOOK(a, read);                                                                                 \
        return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                                   \
    }                                                                                                                  \
    DOORBELL_HOOK(void, atomic##bits##_store, type volatile* a, type v, int) {                                         \
        DOORBELL_ATOMIC_HOOK(a, write);                                                                                \
        __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                                      \
    }                                                                                                                  \
    DOORBELL_HOOK(type, atomic##bits##_exchange, type volatile* a, type v, int) {                                      \
        DOORBELL_ATOMIC_HOOK(a, write);                                                                                \
        return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);                                                            \
    }                                                                                                                  \
    DOORBELL_FETCH(type, bits, fetch_add)                                                                              \
    DOORBELL_FETCH(type, bits, fetch_sub)                                                                              \
    DOORBELL_FETCH(type, bits, fetch_and)                                                                              \
    DOORBELL_FETCH(type, bits, fetch_or)                                                                               \
    DOORBELL_FETCH(type, bits, fetch_xor)                                                                              \
    DOORBELL_FETCH(type, bits, fetch_nand)                                                                             \
    DOORBELL_COMPARE(type, bits, strong)                                                                               \
    DOORBELL_COMPARE(type, bits, weak)
DOORBELL_ATOMIC(std::uint8_t, 8)
DOORBELL_ATOMIC(std::uint16_t, 16)
DOORBELL_ATOMIC(std::uint32_t, 32)
DOORBELL_ATOMIC(std::uint64_t, 64)
// NOLINTEND(bugprone-macro-parentheses,readability-non-const-parameter)
#undef DOORBELL_ATOMIC
#undef DOORBELL_ATOMIC_HOOK
#undef DOORBELL_COMPARE
#undef DOORBELL_FETCH
#undef DOORBELL_HOOK
#undef DOORBELL_UNSEEN
