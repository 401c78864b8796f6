// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "access.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace doorbell {

/// Where registers live: memory-mapped hardware, a model of it, or plain words. `load` and `store` are one access of 32
/// bits at a byte offset [R3]. The barriers are named for what they keep in order [R4]:
///  - before_doorbell: what the CPU wrote to memory is visible to the device before the next store to a register;
///  - after_done: memory is not read or written before the register load that said "done";
///  - before_unlock: stores to registers reach the device before the next owner of the lock can make its own.
template <class B>
concept register_bank = requires(B& bank, std::size_t offset, std::uint32_t value) {
    { bank.load(offset) } noexcept -> std::same_as<std::uint32_t>;
    { bank.store(offset, value) } noexcept;
    { bank.before_doorbell() } noexcept;
    { bank.after_done() } noexcept;
    { bank.before_unlock() } noexcept;
};

/// A register as a type: its byte offset, and for each access kind the bits that have it.
template <class R>
concept register_description = requires {
    typename R::value;
    { R::offset } -> std::convertible_to<std::size_t>;
    { R::template bits<access::read_only> } -> std::convertible_to<std::uint32_t>;
};

namespace detail {

/// The bits of R that have one of these access kinds.
template <register_description R, class... Kinds>
inline constexpr std::uint32_t bits_of = (std::uint32_t{0} | ... | R::template bits<Kinds>);

template <class R, class... Kinds>
inline constexpr bool has = bits_of<R, Kinds...> != 0;

} // namespace detail

/// A read tells something.
template <class R>
concept readable =
    register_description<R> and detail::has<
                                    R, access::read_write, access::read_only, access::write_1_to_clear,
                                    access::write_1_to_set, access::read_to_clear, access::self_clearing>;

/// A plain store means something and harms nothing: no field is cleared by what is written. Read-only fields ignore it.
template <class R>
concept writable =
    register_description<R> and detail::has<R, access::read_write, access::write_only, access::self_clearing> and
    not detail::has<R, access::write_1_to_clear, access::write_0_to_clear>;

/// Causes are acknowledged by writing ones, and the zeros beside them harm nothing.
template <class R>
concept acknowledgeable = register_description<R> and detail::has<R, access::write_1_to_clear> and
                          not detail::has<R, access::read_write, access::write_only, access::write_0_to_clear>;

/// A doorbell: ones ask hardware for work, and the zeros beside them harm nothing.
template <class R>
concept ringable = register_description<R> and detail::has<R, access::write_1_to_set> and
                   not detail::has<R, access::read_write, access::write_only, access::write_0_to_clear>;

/// Slots are cleared by writing zeros, and the ones beside them harm nothing.
template <class R>
concept clearable = register_description<R> and detail::has<R, access::write_0_to_clear> and
                    not detail::has<
                        R, access::read_write, access::write_only, access::read_only, access::write_1_to_clear,
                        access::write_1_to_set, access::read_to_clear, access::self_clearing>;

/// Read-modify-write is harmless: every field keeps what is written [R1].
template <class R>
concept modifiable = register_description<R> and detail::has<R, access::read_write> and
                     not detail::has<
                         R, access::write_only, access::read_only, access::write_1_to_clear, access::write_0_to_clear,
                         access::write_1_to_set, access::read_to_clear, access::self_clearing>;

/// Looking at it changes nothing, so it may stand in a diagnostic dump [R2].
template <class R>
concept dumpable = readable<R> and not detail::has<R, access::read_to_clear>;

} // namespace doorbell
