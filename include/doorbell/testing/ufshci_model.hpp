// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../registers/concepts.hpp"
#include "ufshci/decoder.hpp"
#include "ufshci/write_buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace doorbell::testing {

/// A UFSHCI host controller in virtual time, to test drivers against. Registers behave as the standard says, as far as
/// it is known; `ufshci_knobs` makes the model differ. The test moves time (`advance`), plays the device (`finish`,
/// `raise`, `gone`) and looks at the interrupt output (`line`, `take_pulse`); the driver under test uses a
/// `model_bank`. Programming errors are recorded in `errors()`, accesses in `log()`. One thread; see threaded_model.
class ufshci_model : public ufshci_decoder {
public:
    /// Throws std::invalid_argument with one sentence when the knobs contradict themselves.
    explicit ufshci_model(ufshci_knobs const& knobs = {})
        : ufshci_decoder(knobs)
        , special_(
              knobs_.posted_writes or knobs_.gone_after != 0 or knobs_.clock_off_after != 0 or knobs_.line_lag != 0) {}

    /// One 32-bit register read of the driver, with its side effects.
    [[nodiscard]] std::uint32_t load(std::size_t offset) noexcept {
        if (unusual_ or offset >= window or offset % 4 != 0) [[unlikely]] {
            if (not usable(offset)) {
                return 0;
            }
        }
        ++reads_[index(offset)];
        if (special_) [[unlikely]] {
            if (before_read(offset)) {
                std::uint32_t const nothing = reads_ones_ ? ~0u : 0u;
                note(access_kind::read, offset, nothing);
                return nothing;
            }
        }
        std::uint32_t const value = read_register(offset);
        note(access_kind::read, offset, value);
        return value;
    }

    /// One 32-bit register write of the driver.
    void store(std::size_t offset, std::uint32_t value) noexcept {
        if (unusual_ or offset >= window or offset % 4 != 0) [[unlikely]] {
            if (not usable(offset)) {
                return;
            }
        }
        ++writes_[index(offset)];
        note(access_kind::write, offset, value);
        if (special_) [[unlikely]] {
            if (before_write(offset, value)) {
                return;
            }
        }
        write_register(offset, value);
    }

    /// Barriers of the bank; they cost nothing and are noted in the log. With `memory_needs_barriers` they are what
    /// makes memory visible to the other side.
    void before_doorbell() noexcept {
        note(access_kind::before_doorbell, 0, 0);
        if (knobs_.memory_needs_barriers) {
            memory_.publish();
        }
    }

    void after_done() noexcept {
        note(access_kind::after_done, 0, 0);
        if (knobs_.memory_needs_barriers) {
            memory_.fetch();
        }
    }

    void before_unlock() noexcept { note(access_kind::before_unlock, 0, 0); }

    /// Virtual time of the next thing the device does by itself; timer_table::never: nothing is planned.
    [[nodiscard]] std::uint64_t next_due() const noexcept { return timers_.next(); }

    /// Moves virtual time on by `ns`, and runs what falls due, in order.
    void advance(std::uint64_t ns) noexcept { advance_to(later(ns)); }

    /// Moves virtual time to `when`; a time in the past changes nothing.
    void advance_to(std::uint64_t when) noexcept {
        while (timers_.next() <= when and timers_.next() != timer_table::never) {
            std::uint64_t const due = timers_.next();
            now_ = due > now_ ? due : now_;
            due_now(timers_.take());
        }
        now_ = when > now_ ? when : now_;
    }

    /// Enabled, linked, both lists running, from the hardware's side: no access is counted. For tests that are not
    /// about bring-up.
    void bring_up() noexcept {
        reg(ufs::offset::hce) |= 1u;
        reg(ufs::offset::hcs) |= ufs::status::dp | ufs::status::utrlrdy | ufs::status::utmrlrdy | ufs::status::ucrdy;
        reg(ufs::offset::utrlrsr) = 1;
        reg(ufs::offset::utmrlrsr) = 1;
    }

    /// The power fails: nothing in flight will answer and the cache is lost. Gives back the acknowledged writes that
    /// are lost. Registers keep their values; follow with gone(), or let the driver bring the host up again.
    std::vector<storage_device::lost_write> power_cut() {
        drop_everything();
        return cut_storage();
    }

    /// The controller is off the bus from now on: reads give all ones, writes go nowhere, nothing finishes.
    void gone() noexcept { die(true); }

    /// Its clock is off: reads give zero.
    void clock_off() noexcept { die(false); }

    /// It answers again, with the registers it had.
    void back() noexcept {
        dead_ = false;
        knobs_.gone_after = 0;
        knobs_.clock_off_after = 0;
    }

    /// Every access from now on is an error (after stop(), while gated) until allow_access().
    void forbid_access() noexcept { unusual_ = true; }

    void allow_access() noexcept { unusual_ = false; }

private:
    [[nodiscard]] bool usable(std::size_t offset) noexcept {
        if (unusual_) {
            error(driver_error::forbidden, offset, 0);
        }
        if (offset % 4 != 0 or offset >= window) {
            error(offset % 4 != 0 ? driver_error::misaligned : driver_error::outside, offset, 0);
            return false;
        }
        return true;
    }

    /// True: nobody answers.
    [[nodiscard]] bool before_read(std::size_t offset) noexcept {
        ++accesses_;
        for (std::size_t n = posted_.pushed_by(offset, knobs_.weak_bus); n != 0; --n) {
            land_first();
        }
        if (line_is_late()) {
            settle_line();
        }
        return dead();
    }

    /// True: the write is on its way, or lost.
    [[nodiscard]] bool before_write(std::size_t offset, std::uint32_t value) noexcept {
        ++accesses_;
        if (dead()) {
            return true;
        }
        if (not knobs_.posted_writes) {
            return false;
        }
        if (posted_.full()) {
            land_first();
        }
        posted_.push({offset, value});
        if (not timers_.armed(posted_timer)) {
            timers_.arm(posted_timer, later(knobs_.posted_delay));
        }
        return true;
    }

    void land_first() noexcept {
        write_buffer::write const first = posted_.pop();
        if (posted_.empty()) {
            timers_.disarm(posted_timer);
        }
        write_register(first.offset, first.value);
    }

    void due_now(unsigned timer_id) noexcept {
        if (dead_) {
            return;
        }
        if (timer_id == posted_timer) {
            while (not posted_.empty()) {
                land_first();
            }
        } else if (timer_id == line_timer) {
            settle_line();
        } else {
            fire(timer_id);
        }
    }

    void die(bool ones) noexcept {
        dead_ = true;
        reads_ones_ = ones;
        special_ = true;
    }

    [[nodiscard]] bool dead() noexcept {
        if (knobs_.gone_after != 0 and accesses_ >= knobs_.gone_after) {
            die(true);
        }
        if (knobs_.clock_off_after != 0 and accesses_ >= knobs_.clock_off_after) {
            die(false);
        }
        return dead_;
    }

    write_buffer posted_{};
    std::uint64_t accesses_ = 0;
    bool special_;
    bool unusual_ = false, dead_ = false, reads_ones_ = true;
};

/// The register bank of a driver under test: a handle, as cheap to copy as a pointer, that models register_bank.
/// The model must outlive it.
class model_bank {
public:
    explicit constexpr model_bank(ufshci_model& model) noexcept : model_(&model) {}

    [[nodiscard]] std::uint32_t load(std::size_t offset) const noexcept { return model_->load(offset); }

    void store(std::size_t offset, std::uint32_t value) const noexcept { model_->store(offset, value); }

    void before_doorbell() const noexcept { model_->before_doorbell(); }

    void after_done() const noexcept { model_->after_done(); }

    void before_unlock() const noexcept { model_->before_unlock(); }

private:
    ufshci_model* model_;
};

static_assert(register_bank<model_bank>);

} // namespace doorbell::testing
