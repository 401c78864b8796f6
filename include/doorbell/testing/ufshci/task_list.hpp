// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "link.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace doorbell::testing {

/// Layer of the task management list: eight slots, 80-byte descriptors at UTMRLBA, and what the functions do to
/// requests: an aborted request is dropped by the device (it never answers, writes nothing more), but its doorbell bit
/// stands until software clears the slot.
class ufshci_task_list : public ufshci_link {
public:
    static constexpr std::size_t utmrd_bytes = 80;

    /// Service responses, in the first output parameter of the response.
    enum class service : std::uint8_t { complete = 0x00, not_supported = 0x04, failed = 0x05, succeeded = 0x08 };

    [[nodiscard]] std::uint64_t task_address(unsigned slot) const noexcept {
        return ((std::uint64_t{reg(ufs::offset::utmrlbau)} << 32) | reg(ufs::offset::utmrlba)) + utmrd_bytes * slot;
    }

    /// The processor's view of the task descriptor; nullptr when the list lies outside of the memory.
    [[nodiscard]] unsigned char* task_descriptor(unsigned slot) noexcept {
        return memory_.host(task_address(slot), utmrd_bytes);
    }

    /// Writes a whole task descriptor as a driver does: function on `tag` of logical unit `unit`.
    void prepare_task(unsigned slot, std::uint8_t function, unsigned tag, std::uint8_t unit = 0) noexcept {
        unsigned char* const d = task_descriptor(slot);
        if (d == nullptr) {
            return;
        }
        std::memset(d, 0, utmrd_bytes);
        d[3] = 1;
        d[8] = ufs::ocs::not_written;
        unsigned char* const upiu = d + 16;
        upiu[0] = 0x04;
        upiu[2] = unit;
        upiu[3] = static_cast<unsigned char>(slot);
        upiu[5] = function;
        upiu[15] = unit;
        upiu[19] = static_cast<unsigned char>(tag);
    }

    /// Finishes the task request in `slot`: carries its function out when `ocs` is success. False: it is not busy.
    bool finish_task(unsigned slot, std::uint32_t ocs = ufs::ocs::success) noexcept {
        if (slot >= knobs_.nutmrs or ((reg(ufs::offset::utmrldbr) >> slot) & 1u) == 0) {
            return false;
        }
        timers_.disarm(task_timer + slot);
        timers_.disarm(task_clear_timer + slot);
        if (unsigned char* const d = memory_.device(task_address(slot), utmrd_bytes)) {
            service const answer = ocs == ufs::ocs::success ? carry_out_task(d + 16) : service::failed;
            d[48] = 0x24;
            d[50] = d[18];
            d[51] = d[19];
            d[63] = static_cast<unsigned char>(answer);
            d[8] = static_cast<unsigned char>(ocs);
        }
        reg(ufs::offset::utmrldbr) &= ~(1u << slot);
        raise(ufs::cause::utmrcs);
        return true;
    }

    /// The service response the device wrote, as a driver sees it.
    [[nodiscard]] service task_response(unsigned slot) noexcept {
        unsigned char const* const d = task_descriptor(slot);
        return d == nullptr ? service::failed : static_cast<service>(d[63]);
    }

protected:
    using ufshci_link::ufshci_link;

    void write_task_doorbell(std::uint32_t value) noexcept {
        std::uint32_t const mask = (1u << knobs_.nutmrs) - 1u;
        if (not knobs_.tasks_present) {
            return;
        }
        if ((value & ~mask) != 0) {
            error(driver_error::ring_beyond, ufs::offset::utmrldbr, value);
            value &= mask;
        }
        if (knobs_.run_required and ((reg(ufs::offset::utmrlrsr) & reg(ufs::offset::hce)) & 1u) == 0) {
            error(driver_error::ring_stopped, ufs::offset::utmrldbr, value);
            return;
        }
        std::uint32_t& doorbell = reg(ufs::offset::utmrldbr);
        if ((value & doorbell) != 0) {
            error(driver_error::ring_busy, ufs::offset::utmrldbr, value & doorbell);
        }
        std::uint32_t const fresh = value & ~doorbell;
        doorbell |= fresh;
        for (std::uint32_t rest = fresh; rest != 0; rest &= rest - 1) {
            unsigned const slot = static_cast<unsigned>(std::countr_zero(rest));
            check_task(slot);
            if (knobs_.task_manual) {
                continue;
            }
            if (knobs_.task_latency == 0) {
                finish_task(slot);
            } else {
                timers_.arm(task_timer + slot, later(knobs_.task_latency));
            }
        }
    }

    void write_task_clear(std::uint32_t value) noexcept {
        if (not knobs_.clear_present or not knobs_.tasks_present) {
            error(driver_error::clear_absent, ufs::offset::utmrlclr, value);
            return;
        }
        if (knobs_.clear_requires_run and (reg(ufs::offset::utmrlrsr) & 1u) == 0) {
            error(driver_error::clear_stopped, ufs::offset::utmrlclr, value);
            return;
        }
        std::uint32_t const wanted = knobs_.polarity == clear_polarity::write_0_clears ? ~value : value;
        std::uint32_t hit = wanted & reg(ufs::offset::utmrldbr);
        for (hit = knobs_.clear_never ? 0u : hit; hit != 0; hit &= hit - 1) {
            unsigned const slot = static_cast<unsigned>(std::countr_zero(hit));
            if (knobs_.clear_latency == 0) {
                drop_task(slot);
            } else {
                timers_.arm(task_clear_timer + slot, later(knobs_.clear_latency));
            }
        }
    }

    void write_task_run(std::uint32_t value) noexcept {
        if (not knobs_.tasks_present) {
            return;
        }
        std::uint32_t& run = reg(ufs::offset::utmrlrsr);
        bool const ready = (reg(ufs::offset::hce) & 1u) != 0 and (reg(ufs::offset::hcs) & ufs::status::utmrlrdy) != 0;
        if (knobs_.run_needs_ready and (value & 1u) != 0 and not ready) {
            error(driver_error::run_not_ready, ufs::offset::utmrlrsr, value);
            return;
        }
        if ((run & 1u) != 0 and (value & 1u) == 0 and knobs_.stop_drops) {
            drop_tasks();
        }
        run = value & 1u;
    }

    void drop_tasks() noexcept {
        for (unsigned slot = 0; slot < 8; ++slot) {
            drop_task(slot);
        }
    }

    bool fire_task(unsigned id) noexcept {
        if (id >= task_timer and id < task_timer + 8) {
            finish_task(id - task_timer);
        } else if (id >= task_clear_timer and id < task_clear_timer + 8) {
            drop_task(id - task_clear_timer);
        } else {
            return false;
        }
        return true;
    }

private:
    void check_task(unsigned slot) noexcept {
        if (knobs_.memory_bytes == 0) {
            return;
        }
        unsigned char const* const d = memory_.device(task_address(slot), utmrd_bytes);
        if (d == nullptr) {
            error(driver_error::memory_outside, ufs::offset::utmrlba, reg(ufs::offset::utmrlba));
        } else if (knobs_.check_descriptors and d[8] != ufs::ocs::not_written) {
            error(driver_error::ring_dirty, ufs::offset::utmrldbr, 1u << slot);
        }
    }

    void drop_task(unsigned slot) noexcept {
        timers_.disarm(task_timer + slot);
        timers_.disarm(task_clear_timer + slot);
        reg(ufs::offset::utmrldbr) &= ~(1u << slot);
    }

    service carry_out_task(unsigned char const* upiu) noexcept {
        unsigned const tag = upiu[19];
        switch (upiu[5]) {
        case 0x01: // abort task
            if (tag < knobs_.nutrs and busy(tag)) {
                abandon(tag);
            }
            return service::complete;
        case 0x02: // abort task set
        case 0x04: // clear task set
        case 0x08: // logical unit reset
            for (unsigned slot = 0; slot < knobs_.nutrs; ++slot) {
                if (busy(slot)) {
                    abandon(slot);
                }
            }
            return service::complete;
        case 0x80: // query task
        case 0x81: // query task set
        {
            bool const pending = upiu[5] == 0x80 ? tag < knobs_.nutrs and working_on(tag) : any_work();
            return pending ? service::succeeded : service::complete;
        }
        default:
            return service::not_supported;
        }
    }

    [[nodiscard]] bool any_work() const noexcept {
        for (unsigned slot = 0; slot < knobs_.nutrs; ++slot) {
            if (working_on(slot)) {
                return true;
            }
        }
        return false;
    }
};

} // namespace doorbell::testing
