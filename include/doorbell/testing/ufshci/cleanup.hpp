// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "queues.hpp"

#include <cstddef>
#include <cstdint>

namespace doorbell::testing {

/// Layer of submission queue control: stop and start, and the clean-up of one command. A command that the device has
/// taken up is dropped and its entry posted as aborted; one that still lies in the ring is taken out of it the same
/// way. Result 0: found; 1: no such command (not certain).
class ufshci_cleanup : public ufshci_queues {
protected:
    using ufshci_queues::ufshci_queues;

    static constexpr std::uint32_t stopped_bit = 1u << 0, done_bit = 1u << 1;

    void write_sqrtc(unsigned queue, std::uint32_t value) noexcept {
        if (not knobs_.queue_runtime) {
            return;
        }
        std::uint32_t& control = reg(sqd_at(queue, ufs::offset::sqrtc));
        std::uint32_t& status = reg(sqd_at(queue, ufs::offset::sqrts));
        std::uint32_t const was = control;
        control = value & 3u;
        if ((value & 1u) != 0 and (was & 1u) == 0) {
            if (knobs_.stop_latency == 0) {
                stop(queue);
            } else {
                timers_.arm(queue_stop_timer + queue, later(knobs_.stop_latency));
            }
        }
        if ((value & 2u) != 0 and (was & 2u) == 0) {
            begin_cleanup(queue, value);
        }
        if ((value & 1u) == 0) {
            timers_.disarm(queue_stop_timer + queue);
            timers_.disarm(queue_cleanup_timer + queue);
            status = 0;
            stopped_[queue] = false;
            fetch(queue);
        } else if ((value & 2u) == 0) {
            status &= stopped_bit;
        }
    }

    bool fire_cleanup(unsigned id) noexcept {
        if (id >= queue_stop_timer and id < queue_stop_timer + max_queues) {
            stop(id - queue_stop_timer);
        } else if (id >= queue_cleanup_timer and id < queue_cleanup_timer + max_queues) {
            finish_cleanup(id - queue_cleanup_timer);
        } else {
            return false;
        }
        return true;
    }

private:
    void stop(unsigned queue) noexcept {
        stopped_[queue] = true;
        reg(sqd_at(queue, ufs::offset::sqrts)) |= stopped_bit;
    }

    void begin_cleanup(unsigned queue, std::uint32_t value) noexcept {
        if (not stopped_[queue]) {
            error(driver_error::queue_running, sqd_at(queue, ufs::offset::sqrtc), value);
            return;
        }
        if (knobs_.cleanup_never) {
            return;
        }
        if (knobs_.cleanup_latency == 0) {
            finish_cleanup(queue);
        } else {
            timers_.arm(queue_cleanup_timer + queue, later(knobs_.cleanup_latency));
        }
    }

    void finish_cleanup(unsigned queue) noexcept {
        unsigned const tag = reg(sqd_at(queue, ufs::offset::sqcti)) & 0xFFu;
        bool found = finish_request(pool_.find(queue, tag), ufs::ocs::aborted);
        if (not found) {
            found = take_out(queue, tag);
        }
        std::uint32_t& status = reg(sqd_at(queue, ufs::offset::sqrts));
        status = (status & stopped_bit) | done_bit | (found ? 0u : 1u << 4);
    }

    /// Looks through the entries that were not fetched; the one that is found is marked as none of the known types.
    bool take_out(unsigned queue, unsigned tag) noexcept {
        queue_ring const& ring = submission_[queue];
        if (not ring.enabled()) {
            return false;
        }
        std::uint32_t const tail = reg(sqd_at(queue, ufs::offset::sqtp));
        for (std::uint32_t at = reg(sqd_at(queue, ufs::offset::sqhp)); at != tail; at = ring.advance(at)) {
            unsigned char* const entry = memory_.device(ring_address(queue, ufs::offset::sqlba) + at, entry_bytes);
            unsigned char const* const upiu = entry == nullptr ? nullptr : memory_.device(command_of(entry).at, 32);
            if (upiu != nullptr and upiu[3] == tag and (entry[3] >> 4) != nullified) {
                entry[3] = static_cast<unsigned char>((entry[3] & 0x0Fu) | (nullified << 4));
                return true;
            }
        }
        return false;
    }
};

} // namespace doorbell::testing
