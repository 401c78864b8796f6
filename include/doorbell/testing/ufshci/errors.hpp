// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "names.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace doorbell::testing {

/// Programming errors of a driver that the model finds.
enum class driver_error : std::uint8_t {
    misaligned,       ///< not a 32-bit access on a multiple of four
    outside,          ///< beyond the register window
    unknown_register, ///< no register there
    write_read_only,
    reserved_bits,       ///< a reserved bit was written with another value than was read
    ring_stopped,        ///< doorbell written while RSR or HCE is 0
    ring_busy,           ///< doorbell bit written that is set already
    ring_beyond,         ///< doorbell bit at or above the number of slots
    ring_dirty,          ///< descriptor does not say "not written yet"
    ring_unpublished,    ///< doorbell before the barrier made the descriptor visible
    clear_stopped,       ///< clear register written while the list is stopped
    clear_absent,        ///< clear register written on a host without one
    clear_modified,      ///< clear register read, then written: no read-modify-write there
    clear_many,          ///< one write cleared every busy slot but one: wrong polarity
    run_not_ready,       ///< RSR set without HCE or the ready bit
    uic_busy,            ///< UICCMD written while UCRDY is 0
    counter_reset,       ///< CTR written on a host that forbids it
    queue_unknown,       ///< register of a queue that does not exist
    queue_order,         ///< submission queue enabled before its completion queue
    queue_disabled,      ///< tail or head written while the queue is disabled
    queue_pointer,       ///< tail or head outside of the ring or between entries
    queue_overrun,       ///< tail moved past what software has read
    queue_running,       ///< clean-up asked for while the queue is not stopped
    memory_outside,      ///< a descriptor address outside of the memory
    sync_device_missing, ///< ring without for_device() of that tag
    sync_cpu_missing,    ///< response read without for_cpu() of that tag
    sync_order,          ///< for_cpu() before the request finished, or for_device() while it is in flight
    forbidden,           ///< access while forbidden (stopped, gated)
    count
};

/// One sentence for each error.
[[nodiscard]] constexpr char const* describe(driver_error what) noexcept {
    constexpr std::array<char const*, static_cast<std::size_t>(driver_error::count)> text{
        "access is not a whole aligned 32-bit word",
        "access beyond the register window",
        "access to an offset without a register",
        "write to a read-only register",
        "reserved bits were written with another value than was read",
        "doorbell rung while the list is stopped (RSR or HCE is 0)",
        "doorbell rung for a slot that is busy",
        "doorbell rung for a slot the host does not have",
        "doorbell rung with a descriptor whose status is not 0xF (not written yet)",
        "doorbell rung before a barrier made the descriptor visible",
        "slot clear written while the list is stopped",
        "slot clear written on a host that has none",
        "slot clear was read before it was written: it is no register to read-modify-write",
        "slot clear removed every busy slot but one: the polarity is wrong",
        "list started without HCE or without its ready bit in HCS",
        "UICCMD written while UCRDY is 0",
        "aggregation counter reset written on a host that forbids it",
        "access to a queue that does not exist",
        "submission queue enabled before its completion queue",
        "ring pointer written while the queue is disabled",
        "ring pointer outside of the ring or inside of an entry",
        "more entries submitted than the ring holds",
        "clean-up started while the queue is running",
        "device was sent to an address outside of the memory",
        "doorbell rung without for_device() of that tag",
        "response read without for_cpu() of that tag",
        "for_device() or for_cpu() at the wrong time",
        "register access while none is allowed",
    };
    return text[static_cast<std::size_t>(what)];
}

/// What was found, where and when.
struct found_error {
    driver_error what = driver_error::count;
    std::uint32_t offset = 0;
    std::uint32_t value = 0;
    std::uint64_t time = 0;

    /// "write to a read-only register: HCS, value 0x1, at t=120".
    [[nodiscard]] std::string text() const {
        constexpr char digits[] = "0123456789abcdef";
        std::string hex;
        for (int shift = 28; shift >= 0; shift -= 4) {
            hex += digits[(value >> static_cast<unsigned>(shift)) & 0xFu];
        }
        return std::string(describe(what)) + ": " + register_name(offset) + ", value 0x" + hex +
               ", at t=" + std::to_string(time);
    }
};

/// Called at the moment an error is found, in the context of the access.
using error_callback = void (*)(void* context, found_error const& error) noexcept;

/// Keeps the first errors, counts all of them, calls back for each. Allocation-free, so that it may be used wherever
/// a register is accessed.
class error_list {
public:
    static constexpr std::size_t capacity = 32;

    void on_error(error_callback call, void* context) noexcept {
        call_ = call;
        context_ = context;
    }

    void add(found_error const& error) noexcept {
        if (total_ < capacity) {
            kept_[total_] = error;
        }
        ++total_;
        ++by_kind_[static_cast<std::size_t>(error.what)];
        if (call_ != nullptr) {
            call_(context_, error);
        }
    }

    [[nodiscard]] bool empty() const noexcept { return total_ == 0; }

    [[nodiscard]] std::size_t total() const noexcept { return total_; }

    [[nodiscard]] std::size_t size() const noexcept { return total_ < capacity ? total_ : capacity; }

    [[nodiscard]] found_error const& operator[](std::size_t i) const noexcept { return kept_[i]; }

    [[nodiscard]] std::uint32_t count(driver_error what) const noexcept {
        return by_kind_[static_cast<std::size_t>(what)];
    }

    /// For a test that provoked an error on purpose: forgets all, keeps the callback.
    void clear() noexcept {
        total_ = 0;
        by_kind_ = {};
    }

private:
    std::array<found_error, capacity> kept_{};
    std::array<std::uint32_t, static_cast<std::size_t>(driver_error::count)> by_kind_{};
    std::size_t total_ = 0;
    error_callback call_ = nullptr;
    void* context_ = nullptr;
};

} // namespace doorbell::testing
