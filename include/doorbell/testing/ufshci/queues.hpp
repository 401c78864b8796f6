// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "queue_ring.hpp"
#include "task_list.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace doorbell::testing {

/// Layer of the multi-queue registers: configuration, submission rings that the device fetches from, completion rings
/// it posts to, queue interrupts with their summary IS.CQES, aggregation per queue. Clean-up of a submission queue is
/// in the layer above.
class ufshci_queues : public ufshci_task_list {
public:
    static constexpr unsigned max_queues = 32;
    static constexpr unsigned max_requests = 64;
    static constexpr std::size_t entry_bytes = 32;
    static constexpr unsigned no_request = max_requests;
    static constexpr unsigned nullified = 0xF; ///< command type of an entry that clean-up took out of the ring

    [[nodiscard]] static constexpr std::size_t config_at(unsigned queue, std::size_t r) noexcept {
        return queue_layout::config + queue * queue_layout::config_stride + r;
    }

    [[nodiscard]] static constexpr std::size_t runtime_at(unsigned queue, std::size_t r) noexcept {
        return queue_layout::runtime + queue * queue_layout::runtime_stride + r;
    }

    [[nodiscard]] static constexpr std::size_t sqd_at(unsigned queue, std::size_t r) noexcept {
        return runtime_at(queue, queue_layout::sqd + r);
    }

    [[nodiscard]] static constexpr std::size_t sqis_at(unsigned queue, std::size_t r) noexcept {
        return runtime_at(queue, queue_layout::sqis + r);
    }

    [[nodiscard]] static constexpr std::size_t cqd_at(unsigned queue, std::size_t r) noexcept {
        return runtime_at(queue, queue_layout::cqd + r);
    }

    [[nodiscard]] static constexpr std::size_t cqis_at(unsigned queue, std::size_t r) noexcept {
        return runtime_at(queue, queue_layout::cqis + r);
    }

    /// The device finishes its oldest request of submission queue `queue`. False: it has none.
    bool finish_next(unsigned queue, std::uint32_t ocs = ufs::ocs::success) noexcept {
        return finish_request(oldest([queue](request const& r) { return r.queue == queue; }), ocs);
    }

    /// The device finishes its request with this task tag. False: it has none.
    bool finish_tagged(unsigned queue, unsigned tag, std::uint32_t ocs = ufs::ocs::success) noexcept {
        return finish_request(find(queue, tag), ocs);
    }

    /// Posts every entry that waits for completion queue `queue`, as far as the ring has room (knob post_manual).
    /// False: none was posted.
    bool post(unsigned queue) noexcept {
        bool any = false;
        unsigned next = no_request;
        while ((next = oldest_done(queue)) != no_request and post_entry(next)) {
            any = true;
        }
        if (any) {
            event(queue);
        }
        return any;
    }

    /// Requests of the queues in the device, and finished ones whose entry is not posted yet.
    [[nodiscard]] unsigned requests() const noexcept {
        return count([](request const& r) { return r.busy and not r.done; });
    }

    [[nodiscard]] unsigned unposted() const noexcept {
        return count([](request const& r) { return r.done; });
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
        unsigned const slot = free_request();
        if (queue >= knobs_.queues or slot == no_request) {
            return false;
        }
        requests_[slot] = {};
        requests_[slot].busy = requests_[slot].done = true;
        requests_[slot].order = ++taken_;
        requests_[slot].completion = static_cast<std::uint8_t>(queue);
        requests_[slot].tag = static_cast<std::uint8_t>(tag);
        return post(queue);
    }

protected:
    explicit ufshci_queues(ufshci_knobs const& knobs) : ufshci_task_list(knobs) {}

    struct request {
        std::array<unsigned char, entry_bytes> entry{};
        command work{};
        std::uint64_t order = 0;
        std::uint32_t ocs = 0;
        std::uint8_t queue = 0, completion = 0, tag = 0, unit = 0;
        bool busy = false, done = false, interrupts = true;
    };

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

    void write_cqattr(unsigned queue, std::uint32_t value) noexcept {
        if (not completion_[queue].configure(value)) {
            error(driver_error::queue_pointer, config_at(queue, ufs::offset::cqattr), value);
            return;
        }
        reg(config_at(queue, ufs::offset::cqattr)) = value;
        if ((value >> 31) == 0) {
            reg(cqd_at(queue, ufs::offset::cqhp)) = 0;
            reg(cqd_at(queue, ufs::offset::cqtp)) = 0;
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

    void write_cqhp(unsigned queue, std::uint32_t value) noexcept {
        queue_ring const& ring = completion_[queue];
        std::uint32_t& head = reg(cqd_at(queue, ufs::offset::cqhp));
        if (not usable_pointer(ring, cqd_at(queue, ufs::offset::cqhp), value)) {
            return;
        }
        std::uint32_t const tail = reg(cqd_at(queue, ufs::offset::cqtp));
        if (ring.distance(head, value) > ring.distance(head, tail)) {
            error(driver_error::queue_overrun, cqd_at(queue, ufs::offset::cqhp), value);
        }
        head = value;
        if (not knobs_.post_manual and knobs_.post_latency == 0) {
            post(queue);
        }
    }

    void write_cqis(unsigned queue, std::uint32_t value) noexcept {
        reg(cqis_at(queue, ufs::offset::cqis)) &= ~value;
        summarise();
    }

    void write_cqie(unsigned queue, std::uint32_t value) noexcept {
        if (knobs_.queue_runtime) {
            reg(cqis_at(queue, ufs::offset::cqie)) = value;
            if ((value & reg(cqis_at(queue, ufs::offset::cqis)) & 1u) != 0) {
                raise(ufs::cause::cqes);
            }
        }
    }

    void write_cqiacr(unsigned queue, std::uint32_t value) noexcept {
        if (not knobs_.queue_runtime or knobs_.aggregation == aggregation_mode::absent) {
            return;
        }
        if (aggregators_[queue].write(value) == aggregator::timer_action::stop) {
            timers_.disarm(queue_aggregation_timer + queue);
        }
    }

    /// A summary bit that follows its children comes back as long as one of them stands.
    void summarise() noexcept {
        for (unsigned queue = 0; knobs_.summary_reasserts and queue < knobs_.queues; ++queue) {
            if ((reg(cqis_at(queue, ufs::offset::cqis)) & reg(cqis_at(queue, ufs::offset::cqie)) & 1u) != 0) {
                raise(ufs::cause::cqes);
            }
        }
    }

    /// The device takes entries up, as many as it has room for, unless the queue is stopped.
    void fetch(unsigned queue) noexcept {
        queue_ring const& ring = submission_[queue];
        std::uint32_t& head = reg(sqd_at(queue, ufs::offset::sqhp));
        while (ring.enabled() and not stopped_[queue] and head != reg(sqd_at(queue, ufs::offset::sqtp))) {
            unsigned const slot = requests() + unposted() < active_commands() ? free_request() : no_request;
            if (slot == no_request) {
                return;
            }
            take(slot, queue, head);
            head = ring.advance(head);
        }
    }

    /// Requests that all queues together keep in the device: MCQCONFIG.MAC, which counts from 0.
    [[nodiscard]] unsigned active_commands() const noexcept {
        unsigned const mac = ((reg(ufs::offset::mcqconfig) >> 8) & 0xFFu) + 1;
        return mac < max_requests ? mac : max_requests;
    }

    [[nodiscard]] unsigned find(unsigned queue, unsigned tag) const noexcept {
        return oldest([queue, tag](request const& r) { return r.queue == queue and r.tag == tag; });
    }

    bool finish_request(unsigned slot, std::uint32_t ocs) noexcept {
        if (slot == no_request) {
            return false;
        }
        request& r = requests_[slot];
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
            post(requests_[id - post_timer].completion);
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
            requests_[slot] = {};
        }
    }

    [[nodiscard]] std::uint64_t ring_address(unsigned queue, std::size_t low) const noexcept {
        return (std::uint64_t{reg(config_at(queue, low + 4))} << 32) | reg(config_at(queue, low));
    }

    std::array<request, max_requests> requests_{};
    std::array<queue_ring, max_queues> submission_{}, completion_{};
    std::array<aggregator, max_queues> aggregators_{};
    std::array<bool, max_queues> stopped_{};

private:
    template <typename Wanted>
    [[nodiscard]] unsigned oldest(Wanted wanted) const noexcept {
        unsigned best = no_request;
        for (unsigned i = 0; i < max_requests; ++i) {
            request const& r = requests_[i];
            if (r.busy and not r.done and wanted(r) and (best == no_request or r.order < requests_[best].order)) {
                best = i;
            }
        }
        return best;
    }

    [[nodiscard]] unsigned oldest_done(unsigned queue) const noexcept {
        unsigned best = no_request;
        for (unsigned i = 0; i < max_requests; ++i) {
            request const& r = requests_[i];
            if (r.done and r.completion == queue and (best == no_request or r.order < requests_[best].order)) {
                best = i;
            }
        }
        return best;
    }

    template <typename Wanted>
    [[nodiscard]] unsigned count(Wanted wanted) const noexcept {
        unsigned n = 0;
        for (request const& r : requests_) {
            n += wanted(r) ? 1u : 0u;
        }
        return n;
    }

    [[nodiscard]] unsigned free_request() const noexcept {
        for (unsigned i = 0; i < max_requests; ++i) {
            if (not requests_[i].busy) {
                return i;
            }
        }
        return no_request;
    }

    bool usable_pointer(queue_ring const& ring, std::size_t offset, std::uint32_t value) noexcept {
        if (not ring.enabled()) {
            error(driver_error::queue_disabled, offset, value);
            return false;
        }
        if (value >= ring.bytes() or value % entry_bytes != 0) {
            error(driver_error::queue_pointer, offset, value);
            return false;
        }
        return true;
    }

    void take(unsigned slot, unsigned queue, std::uint32_t head) noexcept {
        request& r = requests_[slot];
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

    bool post_entry(unsigned slot) noexcept {
        request& r = requests_[slot];
        queue_ring const& ring = completion_[r.completion];
        std::uint32_t& tail = reg(cqd_at(r.completion, ufs::offset::cqtp));
        if (not ring.enabled() or ring.advance(tail) == reg(cqd_at(r.completion, ufs::offset::cqhp))) {
            return false;
        }
        timers_.disarm(post_timer + slot);
        std::uint64_t const at = ring_address(r.completion, ufs::offset::cqlba) + tail;
        if (unsigned char* const out = memory_.device(at, entry_bytes)) {
            std::memset(out, 0, entry_bytes);
            std::memcpy(out, r.entry.data() + 16, 16); // command descriptor, response and region table places
            out[0] = static_cast<unsigned char>((out[0] & 0x80u) | r.queue);
            out[16] = static_cast<unsigned char>(r.ocs);
            out[20] = r.tag;
            out[21] = r.unit;
        }
        tail = ring.advance(tail);
        counts_[r.completion] = static_cast<std::uint8_t>(counts_[r.completion] + (r.interrupts or r.ocs != 0 ? 0 : 1));
        urgent_[r.completion] = urgent_[r.completion] or r.interrupts or r.ocs != 0;
        unsigned const queue = r.queue;
        r = {};
        fetch(queue);
        return true;
    }

    /// Entries were added: CQIS, and the summary in IS where CQIE lets it through and aggregation does not hold it.
    void event(unsigned queue) noexcept {
        bool interrupts = urgent_[queue];
        aggregator& a = aggregators_[queue];
        if (not a.enabled()) {
            interrupts = true;
        }
        for (; a.enabled() and counts_[queue] != 0; --counts_[queue]) {
            aggregator::counted const counted = a.completion();
            if (counted.starts and knobs_.aggregation_timer and a.timeout_ns() != 0) {
                timers_.arm(queue_aggregation_timer + queue, later(a.timeout_ns()));
            }
            if (counted.fires) {
                raise(ufs::cause::iages);
            }
        }
        counts_[queue] = 0;
        urgent_[queue] = false;
        reg(cqis_at(queue, ufs::offset::cqis)) |= 1u;
        bool const open = not knobs_.cqie_gates or (reg(cqis_at(queue, ufs::offset::cqie)) & 1u) != 0;
        if (interrupts and open) {
            raise(ufs::cause::cqes);
        }
    }

    std::array<std::uint8_t, max_queues> counts_{}; // entries just posted that aggregation counts
    std::array<bool, max_queues> urgent_{};
    std::uint64_t taken_ = 0;
};

} // namespace doorbell::testing
