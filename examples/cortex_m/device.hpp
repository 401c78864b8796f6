// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "board.hpp"

#include <doorbell/controllers/ufshci.hpp>
#include <doorbell/core/outcome.hpp>
#include <doorbell/lock/interrupt_mask.hpp>
#include <doorbell/registers/concepts.hpp>

#include <cstddef>
#include <cstdint>

/// A UFS host controller in software: a timer's interrupt finishes what was rung, in a changing order. Its line is a
/// level that pends an interrupt of the NVIC, as a controller on the chip would. An access to a register is one
/// instruction there; here it is a few, with interrupts off.
class software_device {
public:
    struct descriptor {
        std::uint32_t request = 0;
        std::uint32_t answer = 0;
        doorbell::outcome status = doorbell::outcome::not_written;
    };

    static constexpr std::uint32_t answer_to(std::uint32_t request) noexcept { return request * 0x9E37'79B1U ^ 0x5AU; }

    [[nodiscard]] std::uint32_t load(std::size_t offset) noexcept {
        ++accesses;
        std::uint32_t const volatile* const at = find(offset);
        return at == nullptr ? 0 : *at;
    }

    void store(std::size_t offset, std::uint32_t value) noexcept {
        ++accesses;
        auto const before = doorbell::cpu_interrupts::mask();
        if (offset == doorbell::ufs::offset::is) {
            status_ = status_ & ~value;
        } else if (offset == doorbell::ufs::offset::utrldbr) {
            owned_ = owned_ | value;
        } else if (std::uint32_t volatile* const at = find(offset); at != nullptr) {
            *at = value;
        }
        doorbell::cpu_interrupts::restore(before);
    }

    [[nodiscard]] bool line() const noexcept { return (status_ & enable_) != 0; }

    /// Context: the timer's interrupt, which preempts the controller's.
    void work() noexcept {
        random_ = random_ * 1'664'525U + 1'013'904'223U;
        std::uint32_t const finished = owned_ & (random_ >> 8U | random_ << 13U);
        if (finished == 0) {
            return;
        }
        for (unsigned slot = 0; slot < 32; ++slot) {
            if ((finished >> slot & 1U) != 0) {
                list[slot].answer = answer_to(list[slot].request);
                list[slot].status = doorbell::outcome::success;
            }
        }
        owned_ = owned_ & ~finished;
        status_ = status_ | doorbell::ufs::cause::utrcs;
        if (line()) {
            board::pend_interrupt(board::ufs_interrupt);
        }
    }

    descriptor list[32]{};
    std::uint32_t accesses = 0;

private:
    [[nodiscard]] std::uint32_t volatile* find(std::size_t offset) noexcept {
        switch (offset) {
        case doorbell::ufs::offset::cap:
            return &capability_;
        case doorbell::ufs::offset::is:
            return &status_;
        case doorbell::ufs::offset::ie:
            return &enable_;
        case doorbell::ufs::offset::utrldbr:
            return &owned_;
        default:
            return nullptr;
        }
    }

    std::uint32_t volatile capability_ = 31;
    std::uint32_t volatile status_ = 0;
    std::uint32_t volatile enable_ = 0;
    std::uint32_t volatile owned_ = 0;
    std::uint32_t random_ = 1;
};

struct device_bank {
    software_device* device;

    [[nodiscard]] std::uint32_t load(std::size_t offset) const noexcept { return device->load(offset); }

    void store(std::size_t offset, std::uint32_t value) const noexcept { device->store(offset, value); }

    // One processor core without a cache, and a device that is code on it: the compiler alone must keep the order.
    void before_doorbell() const noexcept { asm volatile("" ::: "memory"); }

    void after_done() const noexcept { asm volatile("" ::: "memory"); }

    void before_unlock() const noexcept { asm volatile("" ::: "memory"); }
};

static_assert(doorbell::register_bank<device_bank>);
