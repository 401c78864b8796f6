// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "completion_queues.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace doorbell::testing {

/// Layer of the submission queues: rings that the device takes requests from, as many as MCQCONFIG allows at once, and
/// what becomes of them. Stop and clean-up of a queue are in the layer above.
class ufshci_queues : public ufshci_completion_queues {
public:
    /// The device finishes its oldest request of submission queue `queue`. False: it has none.
    bool finish_next(unsigned queue, std::uint32_t ocs = ufs::ocs::success) noexcept {
        return finish_request(pool_.oldest(queue), ocs);
    }

    /// The device finishes its request with this task tag. False: it has none.
    bool finish_tagged(unsigned queue, unsigned tag, std::uint32_t ocs = ufs::ocs::success) noexcept {
        return finish_request(pool_.find(queue, tag), ocs);
    }

    /// Posts every entry that waits for completion queue `queue`, as far as the ring has room (knob post_manual).
    /// False: none was posted.
    bool post(unsigned queue) noexcept {
        bool const any = post_entries(queue);
        if (any) {
            refill();
        }
        return any;
    }

    /// An event of a submission queue: bits of SQIS, and IS.SQES where SQIE enables one.
    void queue_event(unsigned queue, std::uint32_t bits) noexcept {
        if (queue < knobs_.queues) {
            reg(sqis_at(queue, ufs::offset::sqis)) |= bits;
            if ((bits & reg(sqis_at(queue, ufs::offset::sqie))) != 0) {
                raise(ufs::cause::sqes);
            }
        }
    }

    /// Puts an entry into the completion ring that belongs to no request (U.C33).
    bool post_foreign(unsigned queue, unsigned tag) noexcept {
        unsigned const slot = pool_.free();
        if (queue >= knobs_.queues or slot == no_request) {
            return false;
        }
        pool_[slot] = {};
        pool_[slot].busy = pool_[slot].done = true;
        pool_[slot].order = ++taken_;
        pool_[slot].completion = static_cast<std::uint8_t>(queue);
        pool_[slot].tag = static_cast<std::uint8_t>(tag);
        return post(queue);
    }

protected:
    using ufshci_completion_queues::ufshci_completion_queues;

    void write_sqattr(unsigned queue, std::uint32_t value) noexcept {
        unsigned const target = (value >> 16) & 0xFFu;
        if ((value >> 31) != 0 and (target >= knobs_.queues or not completion_[target].enabled())) {
            error(driver_error::queue_order, config_at(queue, ufs::offset::sqattr), value);
            return;
        }
        if (not submission_[queue].configure(value)) {
            error(driver_error::queue_pointer, config_at(queue, ufs::offset::sqattr), value);
            return;
        }
        reg(config_at(queue, ufs::offset::sqattr)) = value;
        if ((value >> 31) == 0) {
            reg(sqd_at(queue, ufs::offset::sqhp)) = 0;
            reg(sqd_at(queue, ufs::offset::sqtp)) = 0;
        }
    }

    void write_sqtp(unsigned queue, std::uint32_t value) noexcept {
        queue_ring const& ring = submission_[queue];
        std::uint32_t& tail = reg(sqd_at(queue, ufs::offset::sqtp));
        if (not usable_pointer(ring, sqd_at(queue, ufs::offset::sqtp), value)) {
            return;
        }
        std::uint32_t const head = reg(sqd_at(queue, ufs::offset::sqhp));
        if (ring.distance(tail, value) > ring.bytes() - entry_bytes - ring.distance(head, tail)) {
            error(driver_error::queue_overrun, sqd_at(queue, ufs::offset::sqtp), value);
        }
        if (memory_.unpublished(ring_address(queue, ufs::offset::sqlba), ring.bytes())) {
            error(driver_error::ring_unpublished, sqd_at(queue, ufs::offset::sqtp), value);
        }
        tail = value;
        fetch(queue);
    }

    /// A head that moved may make room for entries that wait.
    void write_cqhp(unsigned queue, std::uint32_t value) noexcept {
        ufshci_completion_queues::write_cqhp(queue, value);
        if (not knobs_.post_manual and knobs_.post_latency == 0) {
            post(queue);
        }
    }

    /// The device takes entries up, as many as it has room for, unless the queue is stopped.
    void fetch(unsigned queue) noexcept {
        queue_ring const& ring = submission_[queue];
        std::uint32_t& head = reg(sqd_at(queue, ufs::offset::sqhp));
        while (ring.enabled() and not stopped_[queue] and head != reg(sqd_at(queue, ufs::offset::sqtp))) {
            unsigned const slot = requests() + unposted() < active_commands() ? pool_.free() : no_request;
            if (slot == no_request) {
                return;
            }
            std::uint32_t const at = head;
            head = ring.advance(head);
            take(slot, queue, at);
        }
    }

    /// Requests that all queues together keep in the device: MCQCONFIG.MAC, which counts from 0.
    [[nodiscard]] unsigned active_commands() const noexcept {
        unsigned const mac = ((reg(ufs::offset::mcqconfig) >> 8) & 0xFFu) + 1;
        return mac < max_requests ? mac : max_requests;
    }

    bool finish_request(unsigned slot, std::uint32_t ocs) noexcept {
        if (slot == no_request) {
            return false;
        }
        request& r = pool_[slot];
        timers_.disarm(request_timer + slot);
        note(access_kind::finish, sqd_at(r.queue, ufs::offset::sqtp), r.tag);
        end_command(r.work, r.entry.data(), ocs);
        r.done = true;
        r.ocs = ocs;
        if (knobs_.post_manual) {
            return true;
        }
        if (knobs_.post_latency != 0) {
            timers_.arm(post_timer + slot, later(knobs_.post_latency));
        } else {
            post(r.completion);
        }
        return true;
    }

    bool fire_queue(unsigned id) noexcept {
        if (id >= request_timer and id < request_timer + max_requests) {
            finish_request(id - request_timer, ufs::ocs::success);
        } else if (id >= post_timer and id < post_timer + max_requests) {
            post(pool_[id - post_timer].completion);
        } else if (id >= queue_aggregation_timer and id < queue_aggregation_timer + max_queues) {
            raise(ufs::cause::iages);
        } else {
            return false;
        }
        return true;
    }

    /// Queue registers back to their reset values: all queues disabled, empty, nothing enabled.
    void reset_queues() noexcept {
        for (unsigned queue = 0; queue < knobs_.queues; ++queue) {
            write_sqattr(queue, 0);
            write_cqattr(queue, 0);
            for (std::size_t r = queue_layout::sqd; r <= queue_layout::cqis + ufs::offset::cqiacr; r += 4) {
                reg(runtime_at(queue, r)) = 0;
            }
            aggregators_[queue].reset();
            stopped_[queue] = false;
            timers_.disarm(queue_aggregation_timer + queue);
            timers_.disarm(queue_stop_timer + queue);
            timers_.disarm(queue_cleanup_timer + queue);
        }
    }

    void drop_queues() noexcept {
        for (unsigned slot = 0; slot < max_requests; ++slot) {
            timers_.disarm(request_timer + slot);
            timers_.disarm(post_timer + slot);
            pool_[slot] = {};
        }
    }

    std::array<queue_ring, max_queues> submission_{};
    std::array<bool, max_queues> stopped_{};

private:
    /// Room in the device: every queue may hand over more. Not from inside itself, or taken-out entries would nest.
    void refill() noexcept {
        if (refilling_) {
            return;
        }
        refilling_ = true;
        for (unsigned queue = 0; queue < knobs_.queues; ++queue) {
            fetch(queue);
        }
        refilling_ = false;
    }

    void take(unsigned slot, unsigned queue, std::uint32_t head) noexcept {
        request& r = pool_[slot];
        r = {};
        r.busy = true;
        r.order = ++taken_;
        r.queue = static_cast<std::uint8_t>(queue);
        r.completion = static_cast<std::uint8_t>((reg(config_at(queue, ufs::offset::sqattr)) >> 16) & 0x1Fu);
        r.tag = static_cast<std::uint8_t>(slot);
        std::uint64_t const at = ring_address(queue, ufs::offset::sqlba) + head;
        if (unsigned char const* const entry = memory_.device(at, entry_bytes)) {
            std::memcpy(r.entry.data(), entry, entry_bytes);
            r.interrupts = (r.entry[3] & 1u) != 0;
            if (unsigned char const* const upiu = memory_.device(command_of(entry).at, 32)) {
                r.unit = upiu[2];
                r.tag = upiu[3];
            }
            begin_command(r.work, r.entry.data());
        } else if (knobs_.memory_bytes != 0) {
            error(driver_error::memory_outside, config_at(queue, ufs::offset::sqlba), static_cast<std::uint32_t>(at));
        }
        if ((r.entry[3] >> 4) == nullified) {
            finish_request(slot, ufs::ocs::aborted);
            return;
        }
        std::uint64_t const ns = pick_latency();
        if (ns != timer_table::never) {
            timers_.arm(request_timer + slot, later(ns));
        }
    }

    std::uint64_t taken_ = 0;
    bool refilling_ = false;
};

} // namespace doorbell::testing
