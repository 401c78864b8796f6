// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "transfer_list.hpp"

#include <cstddef>
#include <cstdint>

namespace doorbell::testing {

/// Layer of host enable and of UIC commands: link start-up, attributes, hibernate and power mode, which finish in two
/// stages (UCCS first, then UHES, UHXS or UPMS), and the error registers that reading clears.
class ufshci_link : public ufshci_transfer_list {
public:
    /// Finishes the UIC command in flight (knob uic_manual) as the host would by itself. False: there is none.
    bool finish_uic() noexcept { return finish_uic(natural_result()); }

    /// The same with a result code of the test's choice; 0 is success.
    bool finish_uic(std::uint32_t result) noexcept {
        if (uic_ == 0) {
            return false;
        }
        std::uint32_t const opcode = uic_;
        uic_ = 0;
        timers_.disarm(uic_timer);
        std::uint32_t& argument2 = reg(ufs::offset::ucmdarg2);
        argument2 = (argument2 & ~0xFFu) | (result & 0xFFu);
        reg(ufs::offset::hcs) |= ufs::status::ucrdy;
        std::uint32_t const second = result == 0 ? carry_out(opcode) : 0u;
        if (second != 0 and knobs_.uic_second_latency == 0) {
            raise(ufs::cause::uccs | second);
            return true;
        }
        raise(ufs::cause::uccs);
        if (second != 0) {
            second_stage_ = second;
            timers_.arm(uic_second_timer, later(knobs_.uic_second_latency));
        }
        return true;
    }

    [[nodiscard]] bool uic_in_flight() const noexcept { return uic_ != 0; }

    /// The next UIC command finishes with this result code (once).
    void next_uic_result(std::uint32_t result) noexcept { scripted_result_ = result; }

    /// A link error: sets `bits` (and the valid bit) in UECPA, UECDL, UECN, UECT or UECDME and raises UE.
    void link_error(std::size_t error_register, std::uint32_t bits) noexcept {
        if (error_register >= ufs::offset::uecpa and error_register <= ufs::offset::uecdme) {
            reg(error_register) |= bits | (1u << 31);
            raise(ufs::cause::ue);
        }
    }

    /// A transfer protocol error: code, task tag and logical unit in HCS, and UTPES.
    void protocol_error(std::uint32_t code, std::uint32_t tag, std::uint32_t unit) noexcept {
        std::uint32_t& hcs = reg(ufs::offset::hcs);
        hcs = (hcs & 0xFFFu) | ((code & 0xFu) << ufs::status::utpec_shift) |
              ((tag & 0xFFu) << ufs::status::task_tag_shift) | ((unit & 0xFFu) << ufs::status::lun_shift);
        raise(ufs::cause::utpes);
    }

    /// An attribute of the local or remote stack: what GET answers, what SET has written.
    [[nodiscard]] std::uint32_t attribute(std::uint32_t which) const noexcept {
        for (std::size_t i = 0; i < attributes_used_; ++i) {
            if (attributes_[i].which == which) {
                return attributes_[i].value;
            }
        }
        return 0;
    }

protected:
    using ufshci_transfer_list::ufshci_transfer_list;

    void write_uiccmd(std::uint32_t value) noexcept {
        if ((reg(ufs::offset::hcs) & ufs::status::ucrdy) == 0) {
            error(driver_error::uic_busy, ufs::offset::uiccmd, value);
            return;
        }
        if (knobs_.uic_masks_opcode) {
            reg(ufs::offset::uiccmd) = value & 0xFFu;
        }
        uic_ = (value & 0xFFu) | uic_busy;
        if (knobs_.uic_manual or knobs_.uic_latency != 0) {
            reg(ufs::offset::hcs) &= ~ufs::status::ucrdy;
        }
        if (knobs_.uic_manual) {
            return;
        }
        if (knobs_.uic_latency != 0) {
            timers_.arm(uic_timer, later(knobs_.uic_latency));
        } else {
            finish_uic();
        }
    }

    void write_hce(std::uint32_t value) noexcept {
        std::uint32_t& hce = reg(ufs::offset::hce);
        bool const was = (hce & 1u) != 0;
        if (not was and (value & 1u) != 0) {
            if (knobs_.enable_latency != 0) {
                timers_.arm(enable_timer, later(knobs_.enable_latency));
                hce = value & 2u;
            } else {
                hce = value & 3u;
                enabled();
            }
        } else if (was and (value & 1u) == 0) {
            hce = value & 2u;
            disabled();
        } else {
            hce = (hce & 1u) | (value & 2u);
            if ((value & 1u) == 0) {
                timers_.disarm(enable_timer);
            }
        }
    }

    [[nodiscard]] std::uint32_t read_and_clear(std::size_t error_register) noexcept {
        std::uint32_t const value = reg(error_register);
        reg(error_register) = 0;
        return value;
    }

    bool fire_link(unsigned id) noexcept {
        if (id == uic_timer) {
            finish_uic();
        } else if (id == uic_second_timer) {
            std::uint32_t const second = second_stage_;
            second_stage_ = 0;
            raise(second);
        } else if (id == enable_timer) {
            reg(ufs::offset::hce) |= 1u;
            enabled();
        } else {
            return false;
        }
        return true;
    }

    void enabled() noexcept {
        if (knobs_.enable_resets) {
            reset_registers();
        }
        std::uint32_t& hcs = reg(ufs::offset::hcs);
        hcs |= ufs::status::ucrdy;
        if (knobs_.starts_linked) {
            hcs |= ufs::status::dp | ufs::status::utrlrdy | ufs::status::utmrlrdy;
        }
    }

    void disabled() noexcept {
        reg(ufs::offset::hcs) = 0;
        uic_ = 0;
        second_stage_ = 0;
        timers_.disarm(uic_timer);
        timers_.disarm(uic_second_timer);
        if (knobs_.enable_resets) {
            reg(ufs::offset::utrlrsr) = 0;
            reg(ufs::offset::utmrlrsr) = 0;
        }
        if (knobs_.disable_drops) {
            drop_all();
        }
    }

    /// Operation registers back to their reset values; capabilities stay.
    void reset_registers() noexcept {
        std::uint32_t const doorbell = reg(ufs::offset::utrldbr);
        std::uint32_t const hce = reg(ufs::offset::hce);
        for (std::size_t at = ufs::offset::ahit; at <= ufs::offset::ucmdarg3; at += 4) {
            reg(at) = 0;
        }
        reg(ufs::offset::config) = 0;
        reg(ufs::offset::hce) = hce;
        if (not knobs_.disable_drops) {
            reg(ufs::offset::utrldbr) = doorbell;
        }
        aggregator_.reset();
        timers_.disarm(aggregation_timer);
        update();
    }

private:
    static constexpr std::uint32_t uic_busy = 0x100; // so that opcode 0 is in flight as well

    [[nodiscard]] std::uint32_t natural_result() noexcept {
        std::uint32_t const scripted = scripted_result_;
        scripted_result_ = 0;
        if (scripted != 0) {
            return scripted;
        }
        switch (uic_ & 0xFFu) {
        case ufs::uic::link_startup:
        case ufs::uic::hibernate_enter:
        case ufs::uic::hibernate_exit:
            return 0;
        case ufs::uic::get:
        case ufs::uic::set:
        case ufs::uic::peer_get:
        case ufs::uic::peer_set:
        case ufs::uic::power_on:
        case ufs::uic::power_off:
        case ufs::uic::enable:
        case ufs::uic::reset:
        case ufs::uic::endpoint_reset:
        case ufs::uic::test_mode:
            return knobs_.uic_attributes ? 0u : 1u;
        default:
            return 1;
        }
    }

    /// Effects of a successful command; gives back the cause of the second stage.
    std::uint32_t carry_out(std::uint32_t opcode) noexcept {
        std::uint32_t& hcs = reg(ufs::offset::hcs);
        std::uint32_t const upmcrs = knobs_.uic_local_result ? 1u << ufs::status::upmcrs_shift : 0u;
        std::uint32_t const which = reg(ufs::offset::ucmdarg1);
        switch (opcode & 0xFFu) {
        case ufs::uic::link_startup:
            hcs |= ufs::status::dp | ufs::status::utrlrdy | ufs::status::utmrlrdy;
            return 0;
        case ufs::uic::hibernate_enter:
            hcs = (hcs & ~ufs::status::upmcrs) | upmcrs;
            return ufs::cause::uhes;
        case ufs::uic::hibernate_exit:
            hcs = (hcs & ~ufs::status::upmcrs) | upmcrs;
            return ufs::cause::uhxs;
        case ufs::uic::get:
        case ufs::uic::peer_get:
            reg(ufs::offset::ucmdarg3) = attribute(which);
            return 0;
        case ufs::uic::set:
        case ufs::uic::peer_set:
            set_attribute(which, reg(ufs::offset::ucmdarg3));
            if ((which >> 16) == ufs::uic::attribute_power_mode) {
                hcs = (hcs & ~ufs::status::upmcrs) | upmcrs;
                return ufs::cause::upms;
            }
            return 0;
        case ufs::uic::test_mode:
            return ufs::cause::utms;
        case ufs::uic::endpoint_reset:
            return ufs::cause::udepri;
        default:
            return 0;
        }
    }

    void set_attribute(std::uint32_t which, std::uint32_t value) noexcept {
        for (std::size_t i = 0; i < attributes_used_; ++i) {
            if (attributes_[i].which == which) {
                attributes_[i].value = value;
                return;
            }
        }
        if (attributes_used_ < attributes_.size()) {
            attributes_[attributes_used_++] = {which, value};
        }
    }

    struct attribute_value {
        std::uint32_t which, value;
    };

    std::array<attribute_value, 32> attributes_{};
    std::size_t attributes_used_ = 0;
    std::uint32_t uic_ = 0, second_stage_ = 0, scripted_result_ = 0;
};

} // namespace doorbell::testing
