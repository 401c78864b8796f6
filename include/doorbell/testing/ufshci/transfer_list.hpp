// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "commands.hpp"
#include "slot_queue.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace doorbell::testing {

/// Layer of the transfer request list: doorbell, slot clear, run-stop, completion notification, and the device's work
/// on the slots.
class ufshci_transfer_list : public ufshci_commands {
public:
    /// The device finishes the request in `slot` now, with an overall command status. False: the slot is not busy.
    bool finish(unsigned slot, std::uint32_t ocs = ufs::ocs::success) noexcept {
        return finish_begin(slot, ocs) and finish_end(slot);
    }

    /// First and second half of finish(), so that a script can stop in between: the interrupt status and the doorbell,
    /// in the order of the knob `order`.
    bool finish_begin(unsigned slot, std::uint32_t ocs = ufs::ocs::success) noexcept {
        if (slot >= knobs_.nutrs or not working_on(slot) or (is_first() and ((half_ >> slot) & 1u) != 0)) {
            return false;
        }
        finish_end(slot); // with the doorbell first, the slot may be rung again before its last completion has ended
        half_ |= 1u << slot;
        stop_working(slot);
        note(access_kind::finish, ufs::offset::utrldbr, slot);
        result_[slot] = ocs;
        end_command(commands_[slot], memory_.device(descriptor_address(slot), utrd_bytes), ocs);
        if (knobs_.ocs_lag == 0 and not knobs_.ocs_stuck) {
            answer(slot, ocs);
        }
        if (is_first()) {
            show_status(slot);
        } else {
            show_doorbell(slot);
        }
        return true;
    }

    bool finish_end(unsigned slot) noexcept {
        if (slot >= knobs_.nutrs or ((half_ >> slot) & 1u) == 0) {
            return false;
        }
        half_ &= ~(1u << slot);
        timers_.disarm(second_timer + slot);
        if (is_first()) {
            show_doorbell(slot);
        } else {
            show_status(slot);
        }
        ++finished_;
        return true;
    }

    /// The device reports a slot once more that it has reported already: IS and CNR, doorbell untouched.
    void duplicate(unsigned slot) noexcept {
        if (slot < knobs_.nutrs) {
            raise(ufs::cause::utrcs);
            notify(slot);
        }
    }

    /// Lands a status held back by `ocs_stuck`.
    void write_status(unsigned slot) noexcept { answer(slot, result_[slot % 32]); }

    /// The request rung next in `slot` takes `ns`, whatever the latency knobs say. Set before the ring.
    void next_latency(unsigned slot, std::uint64_t ns) noexcept {
        chosen_latency_[slot % 32] = ns;
        has_latency_ |= 1u << (slot % 32);
    }

    /// The request rung next in `slot` ends with `ocs` when the device finishes it by itself.
    void next_status(unsigned slot, std::uint32_t ocs) noexcept {
        scripted_ocs_[slot % 32] = static_cast<std::uint8_t>(ocs);
    }

    /// The device forgets the request: it never answers, though its doorbell bit stands until the slot is cleared.
    void abandon(unsigned slot) noexcept {
        if (slot < knobs_.nutrs and busy(slot)) {
            stop_working(slot);
            abandoned_ |= 1u << slot;
        }
    }

    /// Whether the device still works, or will, on the request in `slot`.
    [[nodiscard]] bool working_on(unsigned slot) const noexcept {
        return busy(slot) and ((abandoned_ >> (slot % 32)) & 1u) == 0;
    }

    /// Slots the device owns.
    [[nodiscard]] std::uint32_t in_flight() const noexcept { return reg(ufs::offset::utrldbr); }

    [[nodiscard]] bool busy(unsigned slot) const noexcept { return ((in_flight() >> (slot % 32)) & 1u) != 0; }

    /// Slots between the two halves of a completion.
    [[nodiscard]] std::uint32_t half_finished() const noexcept { return half_; }

    /// Requests started and finished by the device, requests removed by clear, stop or reset.
    [[nodiscard]] std::uint64_t started() const noexcept { return started_; }

    [[nodiscard]] std::uint64_t finished() const noexcept { return finished_; }

    [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }

    /// CNR as hardware sees it, to start from a snapshot.
    void set_notifications(std::uint32_t bits) noexcept { reg(ufs::offset::utrlcnr) = bits; }

protected:
    using ufshci_commands::ufshci_commands;

    [[nodiscard]] std::uint32_t read_doorbell() const noexcept {
        return in_flight() | stuck_ | knobs_.phantom_doorbell;
    }

    void write_doorbell(std::uint32_t value) noexcept {
        std::uint32_t const mask = slots();
        if ((value & ~mask) != 0) {
            error(driver_error::ring_beyond, ufs::offset::utrldbr, value);
            stuck_ |= knobs_.high_bits_stick ? value & ~mask : 0u;
        }
        value &= mask;
        if (knobs_.run_required and ((reg(ufs::offset::utrlrsr) & reg(ufs::offset::hce)) & 1u) == 0) {
            error(driver_error::ring_stopped, ufs::offset::utrldbr, value);
            return;
        }
        std::uint32_t& doorbell = reg(ufs::offset::utrldbr);
        if ((value & doorbell) != 0) {
            error(driver_error::ring_busy, ufs::offset::utrldbr, value & doorbell);
        }
        std::uint32_t const fresh = value & ~doorbell;
        doorbell |= fresh;
        for (std::uint32_t rest = fresh; rest != 0; rest &= rest - 1) {
            unsigned const slot = static_cast<unsigned>(std::countr_zero(rest));
            check_ring(slot);
            begin_command(commands_[slot], memory_.device(descriptor_address(slot), utrd_bytes));
            start(slot);
        }
    }

    void write_clear(std::uint32_t value) noexcept {
        if (not knobs_.clear_present) {
            error(driver_error::clear_absent, ufs::offset::utrlclr, value);
            return;
        }
        if (knobs_.clear_requires_run and (reg(ufs::offset::utrlrsr) & 1u) == 0) {
            error(driver_error::clear_stopped, ufs::offset::utrlclr, value);
            return;
        }
        std::uint32_t const wanted = (knobs_.polarity == clear_polarity::write_0_clears ? ~value : value) & slots();
        std::uint32_t const hit = wanted & in_flight();
        std::uint32_t const spared = in_flight() & ~hit;
        if (std::popcount(wanted) + 1 == static_cast<int>(knobs_.nutrs) and std::popcount(hit) > 1 and
            std::has_single_bit(spared)) {
            error(driver_error::clear_many, ufs::offset::utrlclr, value);
        }
        for (std::uint32_t rest = knobs_.clear_never ? 0u : hit; rest != 0; rest &= rest - 1) {
            unsigned const slot = static_cast<unsigned>(std::countr_zero(rest));
            if (knobs_.clear_latency == 0) {
                drop(slot);
            } else {
                timers_.arm(clear_timer + slot, later(knobs_.clear_latency));
            }
        }
    }

    void write_run(std::uint32_t value) noexcept {
        std::uint32_t& run = reg(ufs::offset::utrlrsr);
        bool const ready = (reg(ufs::offset::hce) & 1u) != 0 and (reg(ufs::offset::hcs) & ufs::status::utrlrdy) != 0;
        if (knobs_.run_needs_ready and (value & 1u) != 0 and not ready) {
            error(driver_error::run_not_ready, ufs::offset::utrlrsr, value);
            return;
        }
        if ((run & 1u) != 0 and (value & 1u) == 0 and knobs_.stop_drops) {
            drop_all();
        }
        run = value & 1u;
    }

    /// The request leaves without an answer: no status, no notification, no interrupt.
    void drop(unsigned slot) noexcept {
        std::uint32_t const bit = 1u << slot;
        stop_working(slot);
        timers_.disarm(clear_timer + slot);
        if (is_first()) {
            timers_.disarm(second_timer + slot);
            half_ &= ~bit;
        }
        dropped_ += (in_flight() & bit) != 0 ? 1u : 0u;
        reg(ufs::offset::utrldbr) &= ~bit;
    }

    void drop_all() noexcept {
        for (std::uint32_t rest = in_flight(); rest != 0; rest &= rest - 1) {
            drop(static_cast<unsigned>(std::countr_zero(rest)));
        }
        for (; half_ != 0; half_ &= half_ - 1) {
            timers_.disarm(second_timer + static_cast<unsigned>(std::countr_zero(half_)));
            ++dropped_;
        }
        stuck_ = 0;
    }

    [[nodiscard]] bool is_first() const noexcept { return knobs_.order == completion_order::is_before_doorbell; }

    /// Timers of this layer; false: not one of them.
    bool fire_transfer(unsigned id) noexcept {
        if (id < finish_timer + 32) {
            unsigned const slot = id - finish_timer;
            std::uint32_t const ocs = scripted_ocs_[slot];
            scripted_ocs_[slot] = 0;
            if (finish_begin(slot, ocs)) {
                if (knobs_.order_gap == 0) {
                    finish_end(slot);
                } else {
                    timers_.arm(second_timer + slot, later(knobs_.order_gap));
                }
            }
        } else if (id < second_timer + 32) {
            finish_end(id - second_timer);
        } else if (id < status_timer + 32) {
            answer(id - status_timer, result_[id - status_timer]);
        } else if (id < clear_timer + 32) {
            drop(id - clear_timer);
        } else if (id == aggregation_timer) {
            raise(ufs::cause::utrcs);
        } else {
            return false;
        }
        return true;
    }

    [[nodiscard]] std::uint32_t slots() const noexcept { return knobs_.nutrs >= 32 ? ~0u : (1u << knobs_.nutrs) - 1u; }

    [[nodiscard]] std::uint64_t pick_latency() noexcept {
        switch (knobs_.latency) {
        case latency_kind::fixed:
            return knobs_.latency_ns;
        case latency_kind::uniform: {
            std::uint64_t const span = knobs_.latency_max_ns - knobs_.latency_ns + 1;
            return knobs_.latency_ns + (span == 0 ? random() : random() % span);
        }
        case latency_kind::list:
            return knobs_.latency_list[drawn_++ % knobs_.latency_list_size];
        case latency_kind::manual:
            break;
        }
        return timer_table::never;
    }

private:
    void start(unsigned slot) noexcept {
        ++started_;
        abandoned_ &= ~(1u << slot);
        bool const chosen = ((has_latency_ >> slot) & 1u) != 0;
        std::uint64_t const ns = chosen ? chosen_latency_[slot] : pick_latency();
        has_latency_ &= ~(1u << slot);
        if (ns == timer_table::never) {
            return; // finish() ends it
        }
        if (working_ < knobs_.parallel) {
            work(slot, ns);
        } else {
            latency_[slot] = ns;
            waiting_.push(slot);
        }
    }

    void work(unsigned slot, std::uint64_t ns) noexcept {
        ++working_;
        at_work_ |= 1u << slot;
        timers_.arm(finish_timer + slot, later(ns));
    }

    /// The device puts the slot down, finished or dropped, and takes the next that waits.
    void stop_working(unsigned slot) noexcept {
        timers_.disarm(finish_timer + slot);
        if (((at_work_ >> slot) & 1u) != 0) {
            at_work_ &= ~(1u << slot);
            --working_;
        } else {
            waiting_.remove(slot);
        }
        while (working_ < knobs_.parallel and not waiting_.empty()) {
            unsigned const next = waiting_.pop();
            work(next, latency_[next]);
        }
    }

    void show_status(unsigned slot) noexcept {
        if (result_[slot] != ufs::ocs::success and knobs_.failure_interrupts) {
            raise(ufs::cause::utrcs);
            return;
        }
        bool const counts = knobs_.aggregation == aggregation_mode::present and aggregator_.enabled();
        if (not counts) {
            if (not knobs_.interrupt_bit_required or interrupt_bit(slot)) {
                raise(ufs::cause::utrcs);
            }
            return;
        }
        if (interrupt_bit(slot)) {
            raise(ufs::cause::utrcs);
            return;
        }
        aggregator::counted const counted = aggregator_.completion();
        if (counted.starts and knobs_.aggregation_timer and aggregator_.timeout_ns() != 0) {
            timers_.arm(aggregation_timer, later(aggregator_.timeout_ns()));
        }
        if (counted.fires) {
            raise(ufs::cause::utrcs);
        }
    }

    void show_doorbell(unsigned slot) noexcept {
        reg(ufs::offset::utrldbr) &= ~(1u << slot);
        timers_.disarm(clear_timer + slot);
        if (knobs_.ocs_lag != 0) {
            timers_.arm(status_timer + slot, later(knobs_.ocs_lag));
        }
        notify(slot);
    }

    void notify(unsigned slot) noexcept {
        if (knobs_.sets_cnr) {
            reg(ufs::offset::utrlcnr) |= 1u << slot;
        }
    }

protected:
    aggregator aggregator_{};

private:
    std::array<command, 32> commands_{};
    std::array<std::uint64_t, 32> chosen_latency_{};
    std::array<std::uint64_t, 32> latency_{};
    std::array<std::uint32_t, 32> result_{};
    std::array<std::uint8_t, 32> scripted_ocs_{};
    slot_queue waiting_{};
    std::uint32_t has_latency_ = 0, half_ = 0, abandoned_ = 0, at_work_ = 0, working_ = 0;
    std::uint32_t stuck_ = 0; // doorbell bits beyond nutrs that were written
    std::uint64_t started_ = 0, finished_ = 0, dropped_ = 0, drawn_ = 0;
};

} // namespace doorbell::testing
