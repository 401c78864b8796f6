// SPDX-License-Identifier: BSL-1.0
#pragma once

/// The three orderings between memory and registers that a driver needs, as the cheapest instruction that gives each on
/// this architecture [R4]. Ordering is enough everywhere: nobody has to wait until a store has *arrived*, only that
/// nothing overtakes it, so no full synchronisation (DSB, SYNC of all kinds) is paid. Any context, no lock, no errors.
///
/// Two things these barriers do not do: they do not clean or invalidate a cache (that is the DMA policy's), and they do
/// not order accesses to registers among themselves (device memory already keeps the order of accesses to one device).
namespace doorbell::barriers {

#if defined(__x86_64__) || defined(__i386__)

// Stores leave the core in program order, and a store to uncached memory is not done before the earlier ones to cached
// memory are visible; loads are not done before earlier loads. The compiler alone could reorder. (Descriptors written
// with non-temporal stores, or registers mapped write-combining, need the writer's own SFENCE.)
inline void before_doorbell() noexcept {
    asm volatile("" ::: "memory");
}

inline void after_done() noexcept {
    asm volatile("" ::: "memory");
}

inline void before_unlock() noexcept {
    asm volatile("" ::: "memory");
}

#elif defined(__aarch64__)

// A store to normal memory and a later one to device memory may be seen in either order. DMB orders them for every
// observer in the domain it names, and the device is one: when it sees the doorbell and then reads the descriptor, it
// is ordered behind our store. Devices that do DMA sit in the outer shareable domain, as does all uncached memory.
// Stores against stores is all that is needed, hence ST. A DSB would also wait for completion, which nothing here
// depends on.
inline void before_doorbell() noexcept {
    asm volatile("dmb oshst" ::: "memory");
}

// Loads before it are done before loads and stores after it: LD gives both, so a finished buffer may be refilled too.
// The branch on the doorbell's value is not enough: control dependencies order stores, not loads.
inline void after_done() noexcept {
    asm volatile("dmb oshld" ::: "memory");
}

// A lock is freed by a store-release, which is ordered behind every earlier access, those to device memory included;
// the next owner's load-acquire comes before its accesses, and the device keeps the order of one peripheral's accesses.
inline void before_unlock() noexcept {
    asm volatile("" ::: "memory");
}

#elif defined(__arm__) && defined(__ARM_ARCH) && __ARM_ARCH >= 6

// Armv7-M, and the M, R and A profiles beside it. Normal and device memory are not ordered against each other, and
// cores with a store buffer and separate buses (Cortex-M7) do reorder them. The M profile knows only the full-system
// DMB.
inline void before_doorbell() noexcept {
    asm volatile("dmb" ::: "memory");
}

inline void after_done() noexcept {
    asm volatile("dmb" ::: "memory");
}

// On one core, accesses to one device keep program order across unmasking. Between cores, the lock's release is a DMB
// and a store, and that DMB covers device memory. (Whether a store to a cause register has *arrived* before the handler
// returns is another question; acknowledging first and then reading the doorbell settles it.)
inline void before_unlock() noexcept {
    asm volatile("" ::: "memory");
}

#elif defined(__riscv)

// FENCE tells memory (r, w) from devices (i, o), and a fence that names only one kind does not order the other. So each
// says exactly which side goes first.
inline void before_doorbell() noexcept {
    asm volatile("fence w, o" ::: "memory");
}

inline void after_done() noexcept {
    asm volatile("fence i, rw" ::: "memory");
}

// The release of a lock is `fence rw, w`, or an AMO with .rl: neither holds back an `o`. This one does.
inline void before_unlock() noexcept {
    asm volatile("fence o, w" ::: "memory");
}

#else

// An architecture not named above: the strongest fence that the compiler knows for it. On those with one full barrier
// (POWER, MIPS, LoongArch) this covers devices; check it against the manual, and give a bank of your own where it does
// not.
inline void before_doorbell() noexcept {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

inline void after_done() noexcept {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

inline void before_unlock() noexcept {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#endif

} // namespace doorbell::barriers
