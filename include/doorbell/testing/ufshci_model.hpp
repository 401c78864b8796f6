// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "ufshci/link.hpp"

#include <cstddef>
#include <cstdint>

namespace doorbell::testing {

/// A UFSHCI host controller in virtual time, to test drivers against. Registers behave as the standard says, as far as
/// it is known; `ufshci_knobs` makes the model differ. The test moves time (`advance`), plays the device (`finish`,
/// `raise`, `gone`) and looks at the interrupt output (`line`, `take_pulse`); the driver under test uses a
/// `model_bank`. Programming errors are recorded in `errors()`, accesses in `log()`. One thread; see threaded_model.
class ufshci_model : public ufshci_link {
public:
    /// Throws std::invalid_argument with one sentence when the knobs contradict themselves.
    explicit ufshci_model(ufshci_knobs const& knobs = {}) : ufshci_link(knobs) {
        namespace at = ufs::offset;
        reg(at::cap) = (knobs_.nutrs - 1) | 0x200u | ((knobs_.nutmrs - 1) << 16) | (1u << 24) |
                       (knobs_.queues != 0 ? 1u << 30 : 0u) | knobs_.cap_extra;
        reg(at::ver) = knobs_.version;
        reg(at::hcpid) = knobs_.product;
        reg(at::hcmid) = knobs_.manufacturer;
        reg(at::utrlcnr) = knobs_.stale_cnr;
        special_ =
            knobs_.posted_writes or knobs_.gone_after != 0 or knobs_.clock_off_after != 0 or knobs_.line_lag != 0;
    }

    /// A copy has its own registers, time and log.
    ufshci_model(ufshci_model const&) = default;
    ufshci_model& operator=(ufshci_model const&) = default;

    /// One 32-bit register read of the driver, with its side effects.
    [[nodiscard]] std::uint32_t load(std::size_t offset) noexcept {
        if (not usable(offset)) [[unlikely]] {
            return 0;
        }
        ++reads_[index(offset)];
        if (special_) [[unlikely]] {
            ++accesses_;
            land_posted(offset);
            if (line_is_late()) {
                settle_line();
            }
            if (dead()) {
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
        if (not usable(offset)) [[unlikely]] {
            return;
        }
        ++writes_[index(offset)];
        note(access_kind::write, offset, value);
        if (special_) [[unlikely]] {
            ++accesses_;
            if (dead()) {
                return;
            }
            if (knobs_.posted_writes) {
                post_write(offset, value);
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
    void advance(std::uint64_t ns) noexcept {
        advance_to(ns > ~std::uint64_t{0} - now_ ? ~std::uint64_t{0} : now_ + ns);
    }

    /// Moves virtual time to `when`; a time in the past changes nothing.
    void advance_to(std::uint64_t when) noexcept {
        while (timers_.next() <= when and timers_.next() != timer_table::never) {
            std::uint64_t const due = timers_.next();
            now_ = due > now_ ? due : now_;
            fire(timers_.take());
        }
        now_ = when > now_ ? when : now_;
    }

    /// Enabled, linked, both lists running, from the hardware's side: no access is counted. For tests that are not
    /// about bring-up.
    void bring_up() noexcept {
        reg(ufs::offset::hce) |= 1u;
        reg(ufs::offset::hcs) |= 0xFu;
        reg(ufs::offset::utrlrsr) = 1;
        reg(ufs::offset::utmrlrsr) = 1;
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
    void forbid_access() noexcept { forbidden_ = true; }

    void allow_access() noexcept { forbidden_ = false; }

private:
    [[nodiscard]] bool usable(std::size_t offset) noexcept {
        if (forbidden_) [[unlikely]] {
            error(driver_error::forbidden, offset, 0);
        }
        if (offset % 4 != 0) [[unlikely]] {
            error(driver_error::misaligned, offset, 0);
            return false;
        }
        if (offset >= window) [[unlikely]] {
            error(driver_error::outside, offset, 0);
            return false;
        }
        return true;
    }

    [[nodiscard]] std::uint32_t read_register(std::size_t offset) noexcept {
        namespace at = ufs::offset;
        switch (offset) {
        case at::utrldbr:
            return read_doorbell();
        case at::utriacr:
            return knobs_.aggregation == aggregation_mode::present ? aggregator_.read() : 0u;
        case at::uecpa:
        case at::uecdl:
        case at::uecn:
        case at::uect:
        case at::uecdme:
            return read_and_clear(offset);
        default:
            return reg(offset);
        }
    }

    void write_register(std::size_t offset, std::uint32_t value) noexcept {
        namespace at = ufs::offset;
        switch (offset) {
        case at::is:
            write_is(value);
            break;
        case at::ie:
            write_ie(value);
            break;
        case at::hce:
            write_hce(value);
            break;
        case at::utriacr:
            write_aggregation(value);
            break;
        case at::utrlba:
            reg(offset) = value & ~0x3FFu;
            break;
        case at::utrlbau:
            reg(offset) = value;
            break;
        case at::utrldbr:
            write_doorbell(value);
            break;
        case at::utrlclr:
            write_clear(value);
            break;
        case at::utrlrsr:
            write_run(value);
            break;
        case at::utrlcnr:
            reg(offset) &= ~value;
            break;
        case at::uiccmd:
            write_uiccmd(value);
            break;
        case at::ucmdarg1:
        case at::ucmdarg2:
        case at::ucmdarg3:
            reg(offset) = value;
            break;
        case at::cap:
        case at::mcqcap:
        case at::ver:
        case at::ext_cap:
        case at::hcpid:
        case at::hcmid:
        case at::hcsext:
        case at::hcs:
        case at::uecpa:
        case at::uecdl:
        case at::uecn:
        case at::uect:
        case at::uecdme:
            error(driver_error::write_read_only, offset, value);
            break;
        default:
            reg(offset) = value;
            break;
        }
    }

    void write_aggregation(std::uint32_t value) noexcept {
        if (knobs_.aggregation == aggregation_mode::absent) {
            return;
        }
        if (knobs_.counter_reset_forbidden and (value & ufs::aggregation::counter_reset) != 0) {
            error(driver_error::counter_reset, ufs::offset::utriacr, value);
            raise(ufs::cause::hcfes);
            return;
        }
        if (aggregator_.write(value) == aggregator::timer_action::stop) {
            timers_.disarm(aggregation_timer);
        }
    }

    void fire(unsigned id) noexcept {
        if (dead_) {
            return;
        }
        if (id == posted_timer) {
            land_all();
        } else if (id == line_timer) {
            settle_line();
        } else if (not fire_transfer(id)) {
            (void)fire_link(id);
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

    struct posted {
        std::size_t offset;
        std::uint32_t value;
    };

    void post_write(std::size_t offset, std::uint32_t value) noexcept {
        if (posted_count_ == posted_.size()) {
            land_first();
        }
        posted_[posted_count_++] = {offset, value};
        if (not timers_.armed(posted_timer)) {
            timers_.arm(posted_timer, now_ + knobs_.posted_delay);
        }
    }

    void land_posted(std::size_t read_offset) noexcept {
        std::size_t last = posted_count_;
        if (knobs_.weak_bus) {
            while (last != 0 and posted_[last - 1].offset != read_offset) {
                --last;
            }
        }
        for (; last != 0; --last) {
            land_first();
        }
    }

    void land_all() noexcept {
        while (posted_count_ != 0) {
            land_first();
        }
    }

    void land_first() noexcept {
        posted const first = posted_[0];
        --posted_count_;
        for (std::size_t i = 0; i < posted_count_; ++i) {
            posted_[i] = posted_[i + 1];
        }
        if (posted_count_ == 0) {
            timers_.disarm(posted_timer);
        }
        write_register(first.offset, first.value);
    }

    std::array<posted, 64> posted_{};
    std::size_t posted_count_ = 0;
    std::uint64_t accesses_ = 0;
    bool special_ = false, dead_ = false, reads_ones_ = true, forbidden_ = false;
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

/// The DMA policy of a driver under test: tells the model what was synchronised. `Tag` is anything with `.index`.
class model_dma {
public:
    explicit constexpr model_dma(ufshci_model& model) noexcept : model_(&model) {}

    template <typename Tag>
    void for_device(Tag tag) const noexcept {
        model_->for_device(tag.index);
    }

    template <typename Tag>
    void for_cpu(Tag tag) const noexcept {
        model_->for_cpu(tag.index);
    }

private:
    ufshci_model* model_;
};

} // namespace doorbell::testing
