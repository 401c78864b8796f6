// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "queue_requests.hpp"
#include "queue_ring.hpp"
#include "task_list.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace doorbell::testing {

/// Layer of the completion queues: rings that finished requests are posted to, queue interrupts with their summary
/// IS.CQES, aggregation per queue.
class ufshci_completion_queues : public ufshci_task_list {
public:
    static constexpr unsigned max_queues = 32;
    static constexpr unsigned max_requests = queue_requests<command>::capacity;
    static constexpr std::size_t entry_bytes = queue_requests<command>::entry_bytes;
    static constexpr unsigned no_request = queue_requests<command>::none;
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

    /// Requests of the queues in the device, and finished ones whose entry is not posted yet.
    [[nodiscard]] unsigned requests() const noexcept { return pool_.working(); }

    [[nodiscard]] unsigned unposted() const noexcept { return pool_.done(); }

protected:
    explicit ufshci_completion_queues(ufshci_knobs const& knobs) : ufshci_task_list(knobs) {}

    using request = queue_requests<command>::request;

    /// Posts every entry that waits for a completion queue, as far as its ring has room. False: none was posted.
    bool post_entries(unsigned queue) noexcept {
        bool any = false;
        unsigned next = no_request;
        while ((next = pool_.oldest_done(queue)) != no_request and post_entry(next)) {
            any = true;
        }
        if (any) {
            event(queue);
        }
        return any;
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

    [[nodiscard]] std::uint64_t ring_address(unsigned queue, std::size_t low) const noexcept {
        return (std::uint64_t{reg(config_at(queue, low + 4))} << 32) | reg(config_at(queue, low));
    }

    queue_requests<command> pool_{};
    std::array<queue_ring, max_queues> completion_{};
    std::array<aggregator, max_queues> aggregators_{};

private:
    bool post_entry(unsigned slot) noexcept {
        request& r = pool_[slot];
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
        r = {};
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
};

} // namespace doorbell::testing
