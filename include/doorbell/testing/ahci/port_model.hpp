// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../controllers/ahci/causes.hpp"
#include "../../controllers/ahci/registers.hpp"
#include "clockwork.hpp"
#include "device.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace doorbell::testing {

/// One port of the AHCI model and the disk behind it. Registers behave as AHCI 1.3.1 says, as far as a driver of the
/// command list can see. The test plays the device: `finish`, `fail`, `unplug`, `plug`. One thread.
class ahci_port_model {
public:
    static constexpr unsigned timers = 65; ///< of one port: the end of a command, its cause, the stop of the list

    ahci_port_model(ahci_clockwork& shared, unsigned number) noexcept
        : shared_(&shared), first_timer_(number * timers) {
        power_on();
    }

    void power_on() noexcept {
        drop_all();
        stale_ = 0;
        device_.reset();
        is_ = ie_ = serr_ = 0;
        cmd_ = spin_up | power;
        tfd_ = sata_device::status_ok;
        ssts_ = plugged_ ? linked : 0;
        sctl_ = 0;
    }

    /// A cause that is enabled stands: what IS latches, and again for as long as it stands.
    [[nodiscard]] bool standing() const noexcept { return (causes() & ie_) != 0; }

    [[nodiscard]] std::uint32_t causes() const noexcept {
        return is_ | ((serr_ & sata::diagnosis::phy_ready_changed) != 0 ? sata::cause::prcs : 0U) |
               ((serr_ & sata::diagnosis::exchanged) != 0 ? sata::cause::pcs : 0U) |
               ((serr_ & sata::diagnosis::unknown_fis) != 0 ? sata::cause::ufs : 0U);
    }

    [[nodiscard]] std::optional<std::uint32_t> load(std::size_t offset) const noexcept {
        using namespace sata::px;
        switch (offset) {
        case is::offset:
            return causes();
        case ie::offset:
            return ie_;
        case cmd::offset:
            return cmd_;
        case tfd::offset:
            return tfd_;
        case sig::offset:
            return plugged_ ? disk : 0xFFFF'FFFFU;
        case ssts::offset:
            return ssts_;
        case sctl::offset:
            return sctl_;
        case serr::offset:
            return serr_;
        case sact::offset:
            return sact_;
        case ci::offset:
            return ci_;
        default:
            return offset <= fbu::offset ? std::optional{bases_[offset / 4]} : std::nullopt;
        }
    }

    [[nodiscard]] bool store(std::size_t offset, std::uint32_t value) noexcept {
        using namespace sata::px;
        switch (offset) {
        case is::offset:
            is_ &= ~(value & is::bits<doorbell::access::write_1_to_clear>);
            return true;
        case ie::offset:
            ie_ = value & sata::cause::all;
            return true;
        case cmd::offset:
            write_command(value);
            return true;
        case sctl::offset:
            write_control(value);
            return true;
        case serr::offset:
            serr_ &= ~value;
            return true;
        case sact::offset:
            write_active(value);
            return true;
        case ci::offset:
            write_issue(value);
            return true;
        default:
            if (offset > fbu::offset) {
                return offset == tfd::offset or offset == sig::offset or offset == ssts::offset; // read-only
            }
            bases_[offset / 4] = value & ~alignment(offset);
            return true;
        }
    }

    /// Commands the device works on.
    [[nodiscard]] std::uint32_t in_flight() const noexcept { return sact_ | ci_; }

    [[nodiscard]] sata_device& device() noexcept { return device_; }

    /// The device ended one command. False: it has none in that slot, or works on nothing.
    bool finish(unsigned slot) noexcept {
        std::uint32_t const bit = 1U << slot;
        if (not works_on(slot)) {
            return false;
        }
        bool const queued = (sact_ & bit) != 0;
        shared_->timers.disarm(first_timer_ + slot);
        (queued ? sact_ : ci_) &= ~bit;
        tfd_ = sata_device::status_ok;
        queued_cause_ = queued ? queued_cause_ | bit : queued_cause_ & ~bit;
        if (shared_->knobs.cause_gap_ns == 0) {
            tell(slot);
        } else {
            shared_->arm(first_timer_ + 32 + slot, shared_->knobs.cause_gap_ns);
        }
        return true;
    }

    /// The device ended one command with an error: its bit stays, with all others, and nothing more is done until the
    /// list was stopped.
    bool fail(unsigned slot, std::uint8_t error = sata_device::aborted) noexcept {
        if (not works_on(slot)) {
            return false;
        }
        device_.fail(slot, (sact_ & (1U << slot)) != 0, error);
        refuse(error);
        return true;
    }

    /// The cable is pulled: nothing in flight will answer.
    void unplug() noexcept {
        plugged_ = false;
        ssts_ = 0;
        serr_ |= sata::diagnosis::phy_ready_changed;
        freeze();
    }

    void plug() noexcept {
        plugged_ = true;
        reset_link();
        serr_ |= sata::diagnosis::phy_ready_changed;
    }

    /// The device never lets go of BSY.
    void hang() noexcept {
        tfd_ |= sata::task_file::bsy;
        freeze();
    }

    /// Hardware sets causes of PxIS, also ones that nothing explains.
    void raise(std::uint32_t causes) noexcept {
        is_ |= causes & sata::px::is::bits<doorbell::access::write_1_to_clear>;
    }

    void fire(unsigned timer) noexcept {
        if (timer < 32) {
            (void)finish(timer);
        } else if (timer < 64) {
            tell(timer - 32);
        } else {
            cmd_ &= ~sata::px::cmd::running::mask;
        }
    }

private:
    static constexpr std::uint32_t spin_up = 1U << 1, power = 1U << 2, disk = 0x101, linked = 0x123;

    /// Bits of a base that read 0.
    [[nodiscard]] static constexpr std::uint32_t alignment(std::size_t offset) noexcept {
        using namespace sata::px;
        if (offset == clb::offset) {
            return clb::bits<doorbell::access::read_only>;
        }
        return offset == fb::offset ? fb::bits<doorbell::access::read_only> : 0;
    }

    [[nodiscard]] bool started() const noexcept { return (cmd_ & sata::px::cmd::start::mask) != 0; }

    [[nodiscard]] std::uint32_t existing() const noexcept {
        return shared_->knobs.slots >= 32 ? ~0U : (1U << shared_->knobs.slots) - 1;
    }

    [[nodiscard]] bool works_on(unsigned slot) const noexcept {
        return slot < 32 and not frozen_ and plugged_ and (in_flight() & (1U << slot)) != 0;
    }

    void error(ahci_error what) noexcept { shared_->errors.add(what); }

    void tell(unsigned slot) noexcept {
        is_ |= (queued_cause_ & (1U << slot)) != 0 ? sata::cause::sdbs : sata::cause::dhrs;
    }

    /// No command ends from here on.
    void freeze() noexcept {
        frozen_ = true;
        for (unsigned slot = 0; slot < 32; ++slot) {
            shared_->timers.disarm(first_timer_ + slot);
        }
    }

    void refuse(std::uint8_t error) noexcept {
        tfd_ = sata_device::status_failed | std::uint32_t{error} << sata::task_file::error_shift;
        is_ |= sata::cause::tfes;
        freeze();
    }

    void drop_all() noexcept {
        stale_ = frozen_ ? 0 : in_flight();
        freeze();
        for (unsigned slot = 0; slot < 32; ++slot) {
            shared_->timers.disarm(first_timer_ + 32 + slot);
        }
        sact_ = ci_ = 0;
        announced_ = 0;
        frozen_ = false;
    }

    [[nodiscard]] std::uint32_t rung(std::uint32_t value, std::uint32_t busy) noexcept {
        if (not started()) {
            error(ahci_error::ring_stopped);
            return 0;
        }
        if ((value & ~existing()) != 0) {
            error(ahci_error::ring_beyond);
        }
        if ((value & busy) != 0) {
            error(ahci_error::ring_busy);
        }
        return value & existing() & ~busy;
    }

    void write_active(std::uint32_t value) noexcept {
        std::uint32_t const fresh = rung(value, sact_);
        sact_ |= fresh;
        announced_ |= fresh;
    }

    void write_issue(std::uint32_t value) noexcept {
        std::uint32_t const fresh = rung(value, ci_ | (sact_ & ~announced_));
        if ((announced_ & ~fresh) != 0) {
            error(ahci_error::sact_alone);
        }
        std::uint32_t const plain = fresh & ~announced_;
        std::uint32_t const queued = fresh & announced_;
        announced_ &= ~fresh;
        ci_ |= plain; // the queued ones are issued at once, which clears their bits
        if (ci_ != 0 and sact_ != 0) {
            error(ahci_error::mixed);
        }
        if (queued != 0 and device_.refusing() and not frozen_ and plugged_) {
            refuse(sata_device::aborted);
        }
        for (std::uint32_t rest = frozen_ or not plugged_ ? 0 : fresh; rest != 0; rest &= rest - 1) {
            shared_->arm(first_timer_ + static_cast<unsigned>(std::countr_zero(rest)), shared_->knobs.latency_ns);
        }
    }

    void write_command(std::uint32_t value) noexcept {
        using sata::px::cmd;
        std::uint32_t const kept = cmd::start::mask | spin_up | power | cmd::receive::mask | cmd::settings::mask;
        bool const was = started();
        bool const wanted = (value & cmd::start::mask) != 0;
        if ((value & cmd::clear_busy::mask) != 0 and shared_->knobs.clears_busy and not was) {
            tfd_ &= ~(sata::task_file::bsy | sata::task_file::drq);
        }
        if (not was and wanted and not may_start(value)) {
            value &= ~cmd::start::mask;
        }
        cmd_ = (cmd_ & ~(kept | cmd::receiving::mask)) | (value & kept) |
               ((value & cmd::receive::mask) != 0 ? cmd::receiving::mask : 0);
        if (started()) {
            cmd_ |= cmd::running::mask;
        } else if (was) {
            drop_all();
            if (shared_->knobs.stop_ns == 0) {
                cmd_ &= ~cmd::running::mask;
            } else {
                shared_->arm(first_timer_ + 64, shared_->knobs.stop_ns);
            }
        }
    }

    [[nodiscard]] bool may_start(std::uint32_t value) noexcept {
        if ((cmd_ & sata::px::cmd::running::mask) != 0) {
            error(ahci_error::start_running);
        } else if ((tfd_ & (sata::task_file::bsy | sata::task_file::drq)) != 0) {
            error(ahci_error::start_busy);
        } else if ((value & sata::px::cmd::receive::mask) == 0) {
            error(ahci_error::start_deaf);
        } else if (not plugged_) {
            error(ahci_error::start_no_device);
        } else if (stale_ != 0) {
            error(ahci_error::start_stale);
        } else {
            return true;
        }
        return false;
    }

    void write_control(std::uint32_t value) noexcept {
        bool const held = sata::px::sctl::detection::get(sctl_) == 1;
        sctl_ = value & 0xFFFU;
        if (held and sata::px::sctl::detection::get(value) == 0 and plugged_) {
            reset_link();
        }
    }

    /// The device begins anew; PxSACT and PxCI stay as they are, and nothing answers for them.
    void reset_link() noexcept {
        freeze();
        frozen_ = in_flight() != 0;
        device_.reset();
        stale_ = 0;
        ssts_ = linked;
        tfd_ = sata_device::status_ok;
        serr_ |= sata::diagnosis::exchanged;
        if (not started() and not shared_->knobs.stuck) {
            cmd_ &= ~sata::px::cmd::running::mask;
        }
    }

    ahci_clockwork* shared_;
    unsigned first_timer_;
    sata_device device_{};
    std::array<std::uint32_t, 4> bases_{};
    std::uint32_t is_ = 0, ie_ = 0, cmd_ = 0, tfd_ = 0, ssts_ = 0, sctl_ = 0, serr_ = 0, sact_ = 0, ci_ = 0;
    std::uint32_t announced_ = 0;    ///< in PxSACT, and not issued yet
    std::uint32_t stale_ = 0;        ///< what the disk still has of a list that was stopped
    std::uint32_t queued_cause_ = 0; ///< whose cause is that of a queued command
    bool plugged_ = true, frozen_ = false;
};

} // namespace doorbell::testing
