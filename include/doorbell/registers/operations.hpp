// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"

namespace doorbell {

// Everything here: any context, no lock of its own (say of each register who may write it, and when), no errors, one
// access of the bank unless it says otherwise. What a register does not allow does not compile [R1]; a sentence says
// which operation it has instead.

namespace detail {

/// The bits to write so that only fields of this kind can see a one. A register of one kind pays no instruction.
template <class R, class Kind>
[[nodiscard]] constexpr std::uint32_t only(std::uint32_t bits) noexcept {
    return bits & R::template bits<Kind>;
}

} // namespace detail

/// The register's word.
template <register_description R, register_bank Bank>
[[nodiscard]] constexpr std::uint32_t read(Bank& bank) noexcept {
    static_assert(
        readable<R>, "doorbell: what this register returns on a read means nothing; keep a copy of what was "
                     "written to it instead");
    return bank.load(R::offset);
}

/// Stores a whole word. Not for causes, doorbells and slot clears, which have operations of their own.
template <register_description R, register_bank Bank>
constexpr void write(Bank& bank, std::uint32_t value) noexcept {
    using namespace access;
    if constexpr (detail::has<R, write_1_to_clear>) {
        static_assert(writable<R>, "doorbell: writing this register clears causes; use acknowledge<R>(bank, bits)");
    } else if constexpr (detail::has<R, write_0_to_clear>) {
        static_assert(
            writable<R>, "doorbell: zeros written to this register clear slots; use clear_slots<R>(bank, bits)");
    } else if constexpr (detail::has<R, write_1_to_set>) {
        static_assert(writable<R>, "doorbell: this register is a doorbell; use ring<R>(bank, bits)");
    } else {
        static_assert(writable<R>, "doorbell: this register is read-only; hardware alone writes it");
    }
    bank.store(R::offset, value);
}

/// Clears causes by writing ones to them. `bits` is what was read and is going to be handled: no more, or a cause
/// raised meanwhile is lost.
template <register_description R, register_bank Bank>
constexpr void acknowledge(Bank& bank, std::uint32_t bits) noexcept {
    static_assert(
        acknowledgeable<R>, "doorbell: only a register of write-1-to-clear causes, with nothing else that can "
                            "be written, is acknowledged; use write<R>(bank, value)");
    bank.store(R::offset, detail::only<R, access::write_1_to_clear>(bits));
}

/// Rings a doorbell: the barrier, so that the device finds the descriptors in memory, then one store [R4].
template <register_description R, register_bank Bank>
constexpr void ring(Bank& bank, std::uint32_t bits) noexcept {
    static_assert(
        ringable<R>, "doorbell: only a register that software sets and hardware clears is a doorbell; "
                     "use write<R>(bank, value)");
    bank.before_doorbell();
    bank.store(R::offset, detail::only<R, access::write_1_to_set>(bits));
}

/// Clears the slots in `bits`, in the polarity of the register: it stores zeros for them and ones for all others.
template <register_description R, register_bank Bank>
constexpr void clear_slots(Bank& bank, std::uint32_t bits) noexcept {
    static_assert(clearable<R>, "doorbell: only a write-0-to-clear register clears slots; use write<R>(bank, value)");
    bank.store(R::offset, ~bits);
}

/// Read-modify-write: two accesses, so it needs whatever lock keeps other writers of the register out. Untouched bits,
/// reserved ones included, are written back as they were read. Compiles only where every field keeps what is written
/// [R1].
template <register_description R, register_bank Bank>
constexpr void modify(Bank& bank, std::uint32_t clear, std::uint32_t set) noexcept {
    using namespace access;
    if constexpr (detail::has<R, write_1_to_clear>) {
        static_assert(
            modifiable<R>, "doorbell: read-modify-write of this register would clear causes that nobody "
                           "handled; use acknowledge<R>(bank, bits)");
    } else if constexpr (detail::has<R, write_1_to_set>) {
        static_assert(
            modifiable<R>, "doorbell: read-modify-write of this register would ring for slots that hardware has "
                           "just finished; use ring<R>(bank, bits)");
    } else if constexpr (detail::has<R, write_0_to_clear>) {
        static_assert(
            modifiable<R>, "doorbell: read-modify-write of this register would clear slots that are in use; "
                           "use clear_slots<R>(bank, bits)");
    } else {
        static_assert(
            modifiable<R>, "doorbell: read-modify-write needs every field of the register to be read_write; "
                           "use write<R>(bank, value) with the whole word");
    }
    bank.store(R::offset, (bank.load(R::offset) & ~clear) | set);
}

} // namespace doorbell
