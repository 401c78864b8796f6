// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tag.hpp"

#include <cstdint>

namespace doorbell {

/// What an interrupt entry found, as one word of bits: it travels in one register, and merging rounds and causes is one
/// `or` that loses nothing [D3]. Any context, no lock, no errors.
class [[nodiscard]] irq_result {
public:
    constexpr irq_result() noexcept = default;

    static irq_result const none; ///< not mine, nothing to do
    static irq_result const mine; ///< handled
    static irq_result const wake; ///< run on_thread()
    static irq_result const gone; ///< the controller no longer answers

    /// The interrupt was this controller's: tell the interrupt system so, also on a shared line.
    [[nodiscard]] constexpr bool handled() const noexcept { return (bits_ & handled_bit) != 0; }

    /// Work is left over: see that on_thread() runs.
    [[nodiscard]] constexpr bool wake_thread() const noexcept { return (bits_ & wake_bit) != 0; }

    /// The controller reads as all ones; said once. Requests stay outstanding until reset or expiry.
    [[nodiscard]] constexpr bool controller_gone() const noexcept { return (bits_ & gone_bit) != 0; }

    constexpr irq_result& operator|=(irq_result other) noexcept {
        bits_ |= other.bits_;
        return *this;
    }

    friend constexpr irq_result operator|(irq_result a, irq_result b) noexcept { return a |= b; }

    friend constexpr bool operator==(irq_result, irq_result) noexcept = default;

private:
    static constexpr unsigned handled_bit = 1;
    static constexpr unsigned wake_bit = 2;
    static constexpr unsigned gone_bit = 4;

    constexpr explicit irq_result(unsigned bits) noexcept : bits_{bits} {}

    unsigned bits_ = 0;
};

inline constexpr irq_result irq_result::none{};
inline constexpr irq_result irq_result::mine{irq_result::handled_bit};
inline constexpr irq_result irq_result::wake{irq_result::wake_bit};
inline constexpr irq_result irq_result::gone{irq_result::gone_bit};

/// What a thread run left behind, as one word of bits. Any context, no lock, no errors.
class [[nodiscard]] thread_result {
public:
    constexpr thread_result() noexcept = default;

    static thread_result const idle;    ///< nothing is left: sleep until woken
    static thread_result const more;    ///< work is waiting
    static thread_result const lagging; ///< only responses that are not written yet

    /// Work is waiting: run again before sleeping [H3].
    [[nodiscard]] constexpr bool again() const noexcept { return (bits_ & again_bit) != 0; }

    /// Only lagging tags are left: look again soon, or leave it to the next interrupt [T11].
    [[nodiscard]] constexpr bool retry() const noexcept { return (bits_ & (again_bit | retry_bit)) == retry_bit; }

    constexpr thread_result& operator|=(thread_result other) noexcept {
        bits_ |= other.bits_;
        return *this;
    }

    friend constexpr thread_result operator|(thread_result a, thread_result b) noexcept { return a |= b; }

    friend constexpr bool operator==(thread_result, thread_result) noexcept = default;

private:
    static constexpr unsigned again_bit = 1;
    static constexpr unsigned retry_bit = 2;

    constexpr explicit thread_result(unsigned bits) noexcept : bits_{bits} {}

    unsigned bits_ = 0;
};

inline constexpr thread_result thread_result::idle{};
inline constexpr thread_result thread_result::more{thread_result::again_bit};
inline constexpr thread_result thread_result::lagging{thread_result::retry_bit};

/// What became of a submission. Everything but `accepted` rang nothing.
enum class submit_status : std::uint32_t {
    accepted,        ///< outstanding, and the doorbell was rung
    busy,            ///< a tag of it is in use already
    out_of_range,    ///< a tag of it is at or above the controller's number of slots
    not_started,     ///< start() has not run, or stop() has
    blocked,         ///< block() holds submissions back
    gated,           ///< clocks or power are off
    closing,         ///< a reset or list stop is under way
    controller_gone, ///< the controller no longer answers
};

/// One use of a tag: the tag, and which time round it is. Abort and extend take it, so that neither hits a later
/// request that got the same tag [T2].
struct ticket {
    tag which;
    std::uint32_t generation = 0;
    friend constexpr bool operator==(ticket const&, ticket const&) noexcept = default;
};

/// The answer of submit(). Any context, no lock, no errors.
class [[nodiscard]] submitted {
public:
    constexpr explicit submitted(submit_status refusal) noexcept : submitted{refusal, 0} {}

    constexpr submitted(submit_status status, std::uint32_t generation) noexcept
        : status_{static_cast<std::uintptr_t>(status)}, generation_{generation} {}

    [[nodiscard]] constexpr submit_status status() const noexcept { return static_cast<submit_status>(status_); }

    /// The request is on its way.
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return status() == submit_status::accepted; }

    /// Which time round the tags of this submission are; meaningless unless accepted.
    [[nodiscard]] constexpr std::uint32_t generation() const noexcept {
        return static_cast<std::uint32_t>(generation_);
    }

    /// The ticket of one tag of this submission; meaningless unless accepted.
    [[nodiscard]] constexpr ticket ticket_for(tag t) const noexcept { return {t, generation()}; }

private:
    // A whole register each: packed into one, or with padding beside them, a caller that was not inlined would pay for
    // taking them apart.
    std::uintptr_t status_;
    std::uintptr_t generation_;
};

} // namespace doorbell
