// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doorbell/controllers/ufshci.hpp>
#include <doorbell/core/outcome.hpp>
#include <doorbell/registers/concepts.hpp>

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace stress {

/// What driver and device share for a tag. Plain memory: the doorbell publishes it to the device and its clearing
/// publishes it to the driver, so that a missing order is a data race.
struct descriptor {
    std::uint64_t request = 0;
    std::uint64_t answer = 0;
    doorbell::outcome status = doorbell::outcome::not_written;
};

/// What the device makes of a request; the driver checks it.
constexpr std::uint64_t answer_to(std::uint64_t request) noexcept {
    return (request ^ 0x5DEE'CE66'D015'EA5EULL) * 0x9E37'79B9'7F4A'7C15ULL;
}

/// The registers of a UFS host controller that the hot path touches, as atomic words, and the device behind them. The
/// register model serialises accesses with a mutex, which a signal handler must not take.
class device {
public:
    [[nodiscard]] std::uint32_t load(std::size_t offset) const noexcept {
        std::atomic<std::uint32_t> const* const word = find(*this, offset);
        return word == nullptr ? 0 : word->load(std::memory_order_acquire);
    }

    void store(std::size_t offset, std::uint32_t value) noexcept {
        if (offset == doorbell::ufs::offset::is) {
            status_.fetch_and(~value, std::memory_order_acq_rel);
        } else if (offset == doorbell::ufs::offset::utrldbr) {
            doorbell_.fetch_or(value, std::memory_order_release);
        } else if (auto* const word = find(*this, offset); word != nullptr) {
            word->store(value, std::memory_order_release);
        }
    }

    /// The interrupt output: a level.
    [[nodiscard]] bool line() const noexcept {
        return (status_.load(std::memory_order_acquire) & enable_.load(std::memory_order_acquire)) != 0;
    }

    /// Finishes some of what was rung, chosen by `choice`: all of it, every other slot, or one. Device thread only.
    bool finish_some(std::uint32_t choice) noexcept {
        std::uint32_t const rung = doorbell_.load(std::memory_order_acquire);
        std::uint32_t const masks[] = {~0U, 0x5555'5555U, 0xAAAA'AAAAU, rung & (0U - rung)};
        std::uint32_t const chosen = rung & masks[choice % 4];
        if (chosen == 0) {
            return false;
        }
        for (std::uint32_t left = chosen; left != 0; left &= left - 1) {
            descriptor& each = descriptors[static_cast<unsigned>(std::countr_zero(left))];
            each.answer = answer_to(each.request);
            each.status = doorbell::outcome::success;
        }
        doorbell_.fetch_and(~chosen, std::memory_order_acq_rel);
        status_.fetch_or(doorbell::ufs::cause::utrcs, std::memory_order_acq_rel);
        return true;
    }

    [[nodiscard]] bool idle() const noexcept { return doorbell_.load(std::memory_order_acquire) == 0; }

    std::array<descriptor, 32> descriptors{};

private:
    template <class Self>
    [[nodiscard]] static auto find(Self& self, std::size_t offset) noexcept -> decltype(&self.status_) {
        switch (offset) {
        case doorbell::ufs::offset::cap:
            return &self.capability_;
        case doorbell::ufs::offset::is:
            return &self.status_;
        case doorbell::ufs::offset::ie:
            return &self.enable_;
        case doorbell::ufs::offset::utrldbr:
            return &self.doorbell_;
        default:
            return nullptr;
        }
    }

    std::atomic<std::uint32_t> capability_{31};
    std::atomic<std::uint32_t> status_{0};
    std::atomic<std::uint32_t> enable_{0};
    std::atomic<std::uint32_t> doorbell_{0};
};

/// The register bank. Atomic accesses are ordered already, so the barriers have nothing to add.
struct bank {
    device* registers;

    [[nodiscard]] std::uint32_t load(std::size_t offset) const noexcept { return registers->load(offset); }

    void store(std::size_t offset, std::uint32_t value) const noexcept { registers->store(offset, value); }

    void before_doorbell() const noexcept {}

    void after_done() const noexcept {}

    void before_unlock() const noexcept {}
};

static_assert(doorbell::register_bank<bank>);

} // namespace stress
