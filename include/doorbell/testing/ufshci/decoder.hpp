// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "cleanup.hpp"
#include "register_block.hpp"

#include <cstddef>
#include <cstdint>

namespace doorbell::testing {

/// Layer that knows which register lies at which offset, and what reading and writing it means.
class ufshci_decoder : public ufshci_cleanup {
protected:
    explicit ufshci_decoder(ufshci_knobs const& knobs) : ufshci_cleanup(knobs) {
        namespace at = ufs::offset;
        bool const queues = knobs_.queues != 0;
        reg(at::cap) = (knobs_.nutrs - 1) | 0x200u | ((knobs_.nutmrs - 1) << 16) | (1u << 24) |
                       (queues ? 1u << 30 : 0u) | knobs_.cap_extra;
        if (queues) {
            reg(at::mcqcap) =
                (knobs_.queues - 1) | ((queue_layout::config / at::queue_config_unit) << 16) | knobs_.mcqcap_extra;
            reg(at::mcqconfig) = (knobs_.queue_depth - 1) << 8;
        }
        reg(at::ver) = knobs_.version;
        reg(at::hcpid) = knobs_.product;
        reg(at::hcmid) = knobs_.manufacturer;
        reg(at::utrlcnr) = knobs_.stale_cnr;
        for (unsigned queue = 0; queue < knobs_.queues; ++queue) {
            reg(config_at(queue, at::sqdao)) = static_cast<std::uint32_t>(sqd_at(queue, 0));
            reg(config_at(queue, at::sqisao)) = static_cast<std::uint32_t>(sqis_at(queue, 0));
            reg(config_at(queue, at::cqdao)) = static_cast<std::uint32_t>(cqd_at(queue, 0));
            reg(config_at(queue, at::cqisao)) = static_cast<std::uint32_t>(cqis_at(queue, 0));
        }
    }

    [[nodiscard]] std::uint32_t read_register(std::size_t offset) noexcept {
        namespace at = ufs::offset;
        switch (offset) {
        case at::is:
        case at::ie:
            return reg(offset);
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
        case at::utrlclr:
        case at::utmrlclr:
            last_clear_read_ = offset;
            return 0;
        default:
            return read_rare(offset);
        }
    }

    void write_register(std::size_t offset, std::uint32_t value) noexcept {
        namespace at = ufs::offset;
        switch (offset) {
        case at::is:
            write_is(value);
            summarise();
            break;
        case at::ie:
            write_ie(value & ufs::cause::all);
            break;
        case at::hce:
            write_enable(value);
            break;
        case at::utriacr:
            write_aggregation(value);
            break;
        case at::utrlba:
        case at::utmrlba:
            reg(offset) = value & ~0x3FFu;
            break;
        case at::utrldbr:
            write_doorbell(value);
            break;
        case at::utrlclr:
            write_clear_register(offset, value);
            break;
        case at::utrlrsr:
            write_run(value);
            break;
        case at::utrlcnr:
            reg(offset) &= ~value;
            break;
        case at::utmrldbr:
            write_task_doorbell(value);
            break;
        case at::utmrlclr:
            write_clear_register(offset, value);
            break;
        case at::utmrlrsr:
            write_task_run(value);
            break;
        case at::uiccmd:
            write_uiccmd(value);
            break;
        default:
            write_rare(offset, value);
            break;
        }
    }

    void fire(unsigned id) noexcept {
        if (id == enable_timer) {
            before_reset();
        }
        if (not fire_transfer(id) and not fire_link(id) and not fire_task(id) and not fire_queue(id)) {
            (void)fire_cleanup(id);
        }
    }

    /// Nothing that is in flight will ever answer.
    void drop_everything() noexcept {
        drop_all();
        drop_tasks();
        drop_queues();
    }

private:
    /// What reserved bits of a configuration register read: arbitrary, the same each time (knob `garbage`).
    [[nodiscard]] std::uint32_t garbage(std::size_t offset) const noexcept {
        if (knobs_.garbage == 0) {
            return 0;
        }
        std::uint32_t const mixed = (knobs_.garbage + static_cast<std::uint32_t>(offset)) * 0x9E3779B1u;
        return (mixed ^ (mixed >> 15)) & ~defined_bits(offset);
    }

    [[nodiscard]] std::uint32_t read_rare(std::size_t offset) noexcept {
        register_block const b = locate(offset, knobs_.queues);
        if (b.kind == register_block::fixed) {
            return reg(offset) | garbage(offset);
        }
        if (b.kind == register_block::none) {
            error(driver_error::unknown_register, offset, 0);
            return 0;
        }
        if (b.kind == register_block::runtime and b.at == queue_layout::cqis + ufs::offset::cqiacr) {
            return knobs_.aggregation == aggregation_mode::present ? aggregators_[b.queue].read() : 0u;
        }
        return reg(offset);
    }

    void write_rare(std::size_t offset, std::uint32_t value) noexcept {
        register_block const b = locate(offset, knobs_.queues);
        switch (b.kind) {
        case register_block::none:
            error(driver_error::unknown_register, offset, value);
            break;
        case register_block::fixed:
            write_fixed(offset, value);
            break;
        case register_block::config:
            write_config(b.queue, b.at, offset, value);
            break;
        case register_block::runtime:
            write_runtime(b.queue, b.at, offset, value);
            break;
        }
    }

    void write_fixed(std::size_t offset, std::uint32_t value) noexcept {
        namespace at = ufs::offset;
        switch (offset) {
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
        case at::ccap:
            error(driver_error::write_read_only, offset, value);
            break;
        default: {
            std::uint32_t const mask = defined_bits(offset);
            if (knobs_.garbage != 0 and (value & ~mask) != garbage(offset)) {
                error(driver_error::reserved_bits, offset, value);
            }
            reg(offset) = value & mask;
        }
        }
    }

    void write_config(unsigned queue, std::size_t r, std::size_t offset, std::uint32_t value) noexcept {
        namespace at = ufs::offset;
        switch (r) {
        case at::sqattr:
            write_sqattr(queue, value);
            break;
        case at::cqattr:
            write_cqattr(queue, value);
            break;
        case at::sqdao:
        case at::sqisao:
        case at::cqdao:
        case at::cqisao:
            error(driver_error::write_read_only, offset, value);
            break;
        default:
            reg(offset) = value;
            break;
        }
    }

    void write_runtime(unsigned queue, std::size_t r, std::size_t offset, std::uint32_t value) noexcept {
        namespace at = ufs::offset;
        using in = queue_layout;
        switch (r) {
        case in::sqd + at::sqtp:
            write_sqtp(queue, value);
            break;
        case in::cqd + at::cqhp:
            write_cqhp(queue, value);
            break;
        case in::cqis + at::cqis:
            write_cqis(queue, value);
            break;
        case in::cqis + at::cqie:
            write_cqie(queue, value);
            break;
        case in::cqis + at::cqiacr:
            write_cqiacr(queue, value);
            break;
        case in::sqd + at::sqrtc:
            write_sqrtc(queue, value);
            break;
        case in::sqis + at::sqis:
            reg(offset) &= ~value;
            break;
        case in::sqd + at::sqhp:
        case in::sqd + at::sqrts:
        case in::cqd + at::cqtp:
            error(driver_error::write_read_only, offset, value);
            break;
        default:
            reg(offset) = knobs_.queue_runtime ? value : 0u;
            break;
        }
    }

    void write_clear_register(std::size_t offset, std::uint32_t value) noexcept {
        if (last_clear_read_ == offset) {
            error(driver_error::clear_modified, offset, value);
        }
        last_clear_read_ = 0;
        if (offset == ufs::offset::utrlclr) {
            write_clear(value);
        } else {
            write_task_clear(value);
        }
    }

    void write_enable(std::uint32_t value) noexcept {
        bool const was = (reg(ufs::offset::hce) & 1u) != 0;
        if (not was and (value & 1u) != 0 and knobs_.enable_latency == 0) {
            before_reset();
        }
        write_hce(value);
        if (was and (reg(ufs::offset::hce) & 1u) == 0) {
            if (knobs_.disable_drops) {
                drop_everything();
            }
            (void)reset_device();
        }
    }

    /// Enable is about to put the registers back: what they would forget must not answer later.
    void before_reset() noexcept {
        if (knobs_.enable_resets) {
            if (knobs_.disable_drops) {
                drop_everything();
            }
            reset_queues();
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

    std::size_t last_clear_read_ = 0;
};

} // namespace doorbell::testing
