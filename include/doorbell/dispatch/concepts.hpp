// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "../core/context.hpp"
#include "../core/outcome.hpp"
#include "../core/tag_set.hpp"
#include "../registers/concepts.hpp"

namespace doorbell {

/// The facts of a controller family that the hot path needs. All of them are static: a controller has no state here.
///
/// `transfer` is the cause bit of finished transfers; `absent` the value of the status register that only a missing
/// controller returns [D4]. `busy` is one read of what hardware still owns, followed by the barrier before responses
/// are read; `ring` is the barrier and one write that hands a set over; `usable` tells which slots exist; `enable`
/// writes the enable register whole [D8]; `halt` stops the controller, boundedly, and tells whether it did. [T1]
template <class C, class Bank>
concept controller = register_bank<Bank> and requires(Bank& bank, std::uint32_t causes, tag_set<C::slots> set) {
    { C::transfer } -> std::convertible_to<std::uint32_t>;
    { C::absent } -> std::convertible_to<std::uint32_t>;
    { C::status(bank) } noexcept -> std::same_as<std::uint32_t>;
    { C::acknowledge(bank, causes) } noexcept;
    { C::enable(bank, causes) } noexcept;
    { C::busy(bank) } noexcept -> std::same_as<tag_set<C::slots>>;
    { C::ring(bank, set) } noexcept;
    { C::usable(bank) } noexcept -> std::same_as<tag_set<C::slots>>;
    { C::halt(bank) } noexcept -> std::same_as<bool>;
};

/// The driver owns what belongs to a tag. `response(tag)` tells what hardware wrote for it, or not_written. [T11]
template <class D>
concept driver = requires(D& d, tag t) {
    { d.response(t) } noexcept -> std::same_as<outcome>;
};

/// The driver's completion callback can be called in `Context`. It must be noexcept. [D6]
template <class D, class Context>
concept completes_in = requires(D& d, claimed<Context> won, outcome o) {
    { d.completed(won, o) } noexcept;
};

/// Optional: last touch of the tag's descriptor before the barrier, a few stores, called with the lock held. [T11]
template <class D>
concept prepares = requires(D& d, tag t) {
    { d.prepare(t) } noexcept;
};

/// Optional: returns when no hard handler and no thread run of this core is under way; what an operating system calls
/// synchronising with an interrupt. Called in thread context without the lock. [D7]
template <class D>
concept synchronizes = requires(D& d) {
    { d.synchronize() } noexcept;
};

} // namespace doorbell
