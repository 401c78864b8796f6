// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../core/results.hpp"
#include "../../flush/carry_out.hpp"
#include "descriptor.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace doorbell::ufs {

/// What a SYNCHRONIZE CACHE command and its response lie in; the device reads and writes it.
struct alignas(128) flush_buffer {
    unsigned char request[32];
    unsigned char response[64];
};

/// SCSI commands that are known to leave the medium and the cache as they are. Everything else counts as a write: tell
/// the coalescer unknown_completed. Context: any. [F7]
[[nodiscard]] constexpr bool only_reads(std::uint8_t opcode) noexcept {
    switch (opcode) {
    case 0x00: // TEST UNIT READY
    case 0x03: // REQUEST SENSE
    case 0x08: // READ (6)
    case 0x12: // INQUIRY
    case 0x25: // READ CAPACITY (10)
    case 0x28: // READ (10)
    case 0x2F: // VERIFY (10)
    case 0x34: // PRE-FETCH (10)
    case 0x35: // SYNCHRONIZE CACHE (10)
    case 0x5A: // MODE SENSE (10)
    case 0x88: // READ (16)
    case 0x91: // SYNCHRONIZE CACHE (16)
    case 0x9E: // READ CAPACITY (16)
    case 0xA0: // REPORT LUNS
        return true;
    default:
        return false;
    }
}

/// What the end of a SYNCHRONIZE CACHE proves, from the overall status, the kind of the response, its status and the
/// sense data. Only a response that says so is a success, and only busy, task set full and a unit attention other than
/// that of a reset prove that it was not executed. Context: any. [F3]
[[nodiscard]] constexpr flush_end proves(outcome result, flush_buffer const& buffer) noexcept {
    constexpr unsigned char good = 0x00;
    constexpr unsigned char check_condition = 0x02;
    constexpr unsigned char busy = 0x08;
    constexpr unsigned char task_set_full = 0x28;
    constexpr unsigned char unit_attention = 0x06;
    constexpr unsigned char reset_happened = 0x29;
    constexpr unsigned char response_unit = 0x21;
    constexpr unsigned char fixed_format = 0x70;
    if (result != outcome::success or (buffer.response[0] & 0x3FU) != response_unit) {
        return flush_end::failed; // a reject, too, comes with an overall success, and its status byte is 0
    }
    unsigned char const status = buffer.response[7];
    if (status == busy or status == task_set_full) {
        return flush_end::not_executed;
    }
    if (status != check_condition) {
        bool const target_success = buffer.response[6] == 0;
        return status == good and target_success ? flush_end::done : flush_end::failed;
    }
    unsigned char const* const sense = buffer.response + 34; // behind its length, in fixed format
    if ((sense[0] & 0x7FU) != fixed_format or (sense[2] & 0x0FU) != unit_attention) {
        return flush_end::failed;
    }
    return sense[12] == reset_happened ? flush_end::reset : flush_end::not_executed;
}

/// Writes SYNCHRONIZE CACHE (10) of a whole logical unit, without IMMED, for the slot `which`, and its descriptor.
/// `address` is the bus address of the buffer. Context: any, by the owner of the slot. [T11]
constexpr void
write_synchronize_cache(utrd& descriptor, flush_buffer& buffer, std::uint64_t address, tag which, unsigned char unit) {
    buffer = {};
    buffer.request[0] = 0x01; // command
    buffer.request[2] = unit;
    buffer.request[3] = static_cast<unsigned char>(which.index);
    buffer.request[16] = 0x35;
    constexpr std::uint32_t storage = 1U << 28U;
    constexpr std::uint32_t response_words = sizeof(buffer.response) / 4;
    constexpr std::uint32_t response_offset = sizeof(buffer.request) / 4;
    clear(descriptor);
    descriptor.word[0] = storage | utrd_interrupt;
    descriptor.word[4] = static_cast<std::uint32_t>(address);
    descriptor.word[5] = static_cast<std::uint32_t>(address >> 32U);
    descriptor.word[6] = (response_offset << 16U) | response_words;
}

/// What a driver gives for flushing: descriptor, buffer and bus address of a reserved slot, and the answer to a rider.
/// wake_at and quiesced are optional, as for carry_out. A `prepare` leaves reserved slots alone: they are prepared.
template <class D>
concept flushing_driver = requires(D& d, tag slot, tag rider, bool durable) {
    { d.flush_descriptor(slot) } noexcept -> std::same_as<utrd&>;
    { d.flush_memory(slot) } noexcept -> std::same_as<flush_buffer&>;
    { d.flush_address(slot) } noexcept -> std::same_as<std::uint64_t>;
    { d.flushed(rider, durable) } noexcept;
};

/// A flush coalescer at work on a UFS host: each logical unit is a domain, and its SYNCHRONIZE CACHE goes through a
/// reserved slot of its own, so that no full queue stands before it. [F6] [X5]
///
/// The slots from `first` on, one for each domain, belong to it: start the host with them reserved, and let `completed`
/// of the driver ask `completed` here first. Contexts of all verbs: those of the host's submit and of the coalescer; no
/// lock held. Cost: that of the coalescer's verb, and one reserved submission for each device flush.
template <class Host, class Coalescer, class Driver, std::size_t Domains>
class cache_flush {
public:
    constexpr cache_flush(
        Host& host, Coalescer& coalescer, Driver& driver, tag first, unsigned char const (&units)[Domains]) noexcept
        : host_{host}, coalescer_{coalescer}, driver_{driver}, first_{first.index} {
        static_assert(
            Coalescer::domains::capacity == Domains,
            "doorbell: give cache_flush one logical unit for each domain of its coalescer");
        for (std::size_t i = 0; i < Domains; ++i) {
            units_[i] = units[i];
        }
    }

    /// As the verbs of the coalescer, with their work done. The answer to a request is in the status, or comes by
    /// `flushed`.
    flush_status flush(tag rider, tag stream, tag domain) noexcept {
        return work_off(coalescer_.flush(rider, stream, domain));
    }

    flush_status barrier(tag rider, tag stream, tag domain) noexcept {
        return work_off(coalescer_.barrier(rider, stream, domain));
    }

    flush_status on_timer() noexcept { return work_off(coalescer_.on_timer()); }

    flush_status suspend() noexcept { return work_off(coalescer_.suspend()); }

    flush_status resume() noexcept { return work_off(coalescer_.resume()); }

    flush_status stop() noexcept { return work_off(coalescer_.stop()); }

    /// Around a reset of the host: `hold`, reset and bring-up, `device_reset`, `release`. [F8]
    void hold() noexcept { coalescer_.hold(); }

    flush_status device_reset(cache_fate fate) noexcept { return work_off(coalescer_.device_reset(fate)); }

    flush_status release() noexcept { return work_off(coalescer_.release()); }

    /// A request of the host has ended. True: it was a flush, and is dealt with. [F3]
    bool completed(tag slot, outcome result) noexcept {
        if (not owns(slot)) {
            return false;
        }
        (void)work_off(
            coalescer_.flush_ended(tickets_[slot.index - first_], proves(result, driver_.flush_memory(slot))));
        return true;
    }

    /// What `expire_tags` of the host took out of everybody's hands. A flush among it has failed now; its slot is used
    /// again when `recover` or `reset` has given it back, and what it says by then does not count. [X2]
    template <class Tags>
    void expired(Tags quarantined) noexcept {
        for (tag const each : quarantined) {
            if (owns(each)) {
                (void)work_off(coalescer_.flush_timed_out(tickets_[each.index - first_]));
            }
        }
    }

    /// For carry_out: hands a device flush over. A host that does not take it has not executed it.
    void issue(ticket const& which) noexcept {
        static_assert(flushing_driver<Driver>, "doorbell: the driver lacks a member of ufs::flushing_driver");
        tag const slot{first_ + which.which.index};
        tickets_[which.which.index] = which;
        write_synchronize_cache(
            driver_.flush_descriptor(slot), driver_.flush_memory(slot), driver_.flush_address(slot), slot,
            units_[which.which.index]);
        if (not host_.submit_reserved(slot)) {
            (void)work_off(coalescer_.flush_ended(which, flush_end::not_executed));
        }
    }

    /// For carry_out: answers of the coalescer go to the driver.
    void flushed(tag rider, bool durable) noexcept { driver_.flushed(rider, durable); }

    template <class Rep>
    void wake_at(deadline<Rep> when) noexcept
        requires requires(Driver& d) { d.wake_at(when); }
    {
        driver_.wake_at(when);
    }

    void quiesced(bool lossy) noexcept
        requires requires(Driver& d) { d.quiesced(lossy); }
    {
        driver_.quiesced(lossy);
    }

private:
    [[nodiscard]] constexpr bool owns(tag slot) const noexcept {
        return slot.index >= first_ and slot.index - first_ < Domains;
    }

    flush_status work_off(typename Coalescer::work const& work) noexcept {
        carry_out(work, *this);
        return work.status;
    }

    Host& host_;
    Coalescer& coalescer_;
    Driver& driver_;
    unsigned first_;
    unsigned char units_[Domains]{};
    ticket tickets_[Domains]{};
};

} // namespace doorbell::ufs
