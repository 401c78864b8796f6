// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../core/context.hpp"
#include "../core/outcome.hpp"
#include "../core/tag_set.hpp"
#include "../registers/concepts.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace doorbell {

/// The facts of one list of requests with a doorbell bit per slot. All of them are static.
/// `cause` is the cause bit that says some finished; `busy` is one read of what hardware still owns, followed by the
/// barrier before responses are read; `ring` is the barrier and one write that hands a set over; `usable` tells which
/// slots exist.
template <class L, class Bank>
concept request_list = register_bank<Bank> and requires(Bank& bank, tag_set<L::slots> set) {
    { L::cause } -> std::convertible_to<std::uint32_t>;
    { L::busy(bank) } noexcept -> std::same_as<tag_set<L::slots>>;
    { L::ring(bank, set) } noexcept;
    { L::usable(bank) } noexcept -> std::same_as<tag_set<L::slots>>;
};

/// Optional: `clear` tells hardware to give up some slots, in the polarity that it wants. [T7]
template <class L, class Bank>
concept clears_slots = requires(Bank& bank, tag_set<L::slots> set) {
    { L::clear(bank, set) } noexcept;
};

/// The list can end one request and leave the others. Not so one that says `all_or_none`: it has no slot clear, and
/// neither can its device let go of one; only stopping it ends anything that has not finished. [T7]
template <class L>
concept ends_singly = not requires { requires L::all_or_none; };

/// The facts of a controller family that the hot path needs: the status and enable registers, and the list of
/// transfers. `absent` is the value of the status register that only a missing controller returns [D4]; `enable` writes
/// the enable register whole [D8]; `halt` stops the controller, boundedly, and tells whether it did. [T1]
template <class C, class Bank>
concept controller = request_list<typename C::transfers, Bank> and requires(Bank& bank, std::uint32_t causes) {
    { C::absent } -> std::convertible_to<std::uint32_t>;
    { C::status(bank) } noexcept -> std::same_as<std::uint32_t>;
    { C::acknowledge(bank, causes) } noexcept;
    { C::enable(bank, causes) } noexcept;
    { C::halt(bank) } noexcept -> std::same_as<bool>;
};

/// Optional: some causes only sum up registers of their own, which `acknowledge_children` acknowledges. [D1]
template <class C, class Bank>
concept has_children = requires(Bank& bank, std::uint32_t causes) {
    { C::acknowledge_children(bank, causes) } noexcept;
};

/// Optional: a register above sums up the status in one bit, which latches: it is acknowledged behind the status, since
/// before it would latch again; and also by an entry that acts on no cause, or a masked one would hold the line. [D1]
template <class C, class Bank>
concept is_summed_up = requires(Bank& bank) {
    { C::acknowledge_sum(bank) } noexcept;
};

/// Optional: completions can be gathered into one interrupt. `gather` programs it, `restart_gathering` resets its
/// counter and timer, and is called before the completion state is read.
template <class C, class Bank>
concept gathers = requires(Bank& bank, unsigned count, unsigned units) {
    { C::gather(bank, count, units) } noexcept;
    { C::restart_gathering(bank) } noexcept;
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

/// Optional: the driver has task management requests too, with members of their own.
template <class D>
concept task_driver = requires(D& d, tag t, claimed<thread_context> won, outcome o) {
    { d.task_response(t) } noexcept -> std::same_as<outcome>;
    { d.task_completed(won, o) } noexcept;
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

/// Needed for `abort` and `recover`: ends a request on the device's side (an abort task, a unit reset) and returns
/// whether that is certain. Thread context, may sleep, without the lock. [T5]
template <class D>
concept ends_on_device = requires(D& d, tag t) {
    { d.end_on_device(t) } noexcept -> std::same_as<bool>;
};

/// Optional: called between two looks of a bounded wait. Thread context; may sleep a while.
template <class D>
concept pauses = requires(D& d) {
    { d.pause() } noexcept;
};

/// Optional: takes over what was submitted while the controller is gated. Contexts: as `submit`, without the lock. [P1]
template <class D, class Tags>
concept holds = requires(D& d, Tags set) {
    { d.hold(set) } noexcept;
};

/// Needed for `mask_line`: the platform's mask of this interrupt line. Called with the lock held. [H4]
template <class D>
concept masks_line = requires(D& d) {
    { d.mask_line() } noexcept;
    { d.unmask_line() } noexcept;
};

} // namespace doorbell
