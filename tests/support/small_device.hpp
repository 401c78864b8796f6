// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "journal.hpp"

#include <doorbell/registers/concepts.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace support {

/// The five registers of a UFS host controller that the hot path touches, and nothing of its behaviour but
/// write-1-to-clear status and a doorbell that only hardware clears. Writes every access into a journal. The test plays
/// the device.
struct small_device {
    explicit small_device(journal& log) : log_{log} {}

    std::uint32_t status = 0;
    std::uint32_t enable = 0;
    std::uint32_t doorbell = 0;
    std::uint32_t running = 1;
    std::uint32_t capability = 31;

    /// Every register reads all ones and takes nothing.
    bool gone = false;
    /// The controller never reports that it stopped.
    bool stuck = false;

    /// Runs after an access was made and before the next: what the world does meanwhile.
    std::function<void(std::string const&)> after_access{};

    /// The device is done with these slots and says so.
    void finish(std::uint32_t slots) {
        doorbell &= ~slots;
        status |= 1;
    }

    std::uint32_t load(std::size_t offset) {
        std::uint32_t* const word = find(offset);
        std::uint32_t const value = gone ? 0xFFFF'FFFFU : word != nullptr ? *word : 0;
        done("read " + name(offset));
        return value;
    }

    void store(std::size_t offset, std::uint32_t value) {
        if (not gone) {
            put(offset, value);
        }
        done("write " + name(offset) + " " + hex(value));
    }

    void barrier(char const* which) { log_.add(std::string{"barrier "} + which); }

private:
    void put(std::size_t offset, std::uint32_t value) {
        switch (offset) {
        case 0x20:
            status &= ~value;
            break;
        case 0x34:
            if (not stuck) {
                running = value;
                doorbell = value == 0 ? 0 : doorbell;
                enable = value == 0 ? 0 : enable;
            }
            break;
        case 0x58:
            doorbell |= value;
            break;
        default:
            if (std::uint32_t* const word = find(offset); word != nullptr) {
                *word = value;
            }
        }
    }

    [[nodiscard]] std::uint32_t* find(std::size_t offset) {
        switch (offset) {
        case 0x00:
            return &capability;
        case 0x20:
            return &status;
        case 0x24:
            return &enable;
        case 0x34:
            return &running;
        case 0x58:
            return &doorbell;
        default:
            return nullptr;
        }
    }

    [[nodiscard]] static std::string name(std::size_t offset) {
        switch (offset) {
        case 0x00:
            return "CAP";
        case 0x20:
            return "IS";
        case 0x24:
            return "IE";
        case 0x34:
            return "HCE";
        case 0x58:
            return "DBR";
        case 0x60:
            return "RSR";
        case 0x80:
            return "TMRSR";
        default:
            return "at " + hex(static_cast<std::uint32_t>(offset));
        }
    }

    void done(std::string const& line) {
        log_.add(line);
        if (after_access) {
            after_access(line);
        }
    }

    journal& log_;
};

/// A handle on a small_device, which must outlive it.
class small_bank {
public:
    small_bank(small_device& device) noexcept : device_{&device} {} // NOLINT(google-explicit-constructor)

    [[nodiscard]] std::uint32_t load(std::size_t offset) const noexcept { return device_->load(offset); }

    void store(std::size_t offset, std::uint32_t value) const noexcept { device_->store(offset, value); }

    void before_doorbell() const noexcept { device_->barrier("before_doorbell"); }

    void after_done() const noexcept { device_->barrier("after_done"); }

    void before_unlock() const noexcept { device_->barrier("before_unlock"); }

private:
    small_device* device_;
};

static_assert(doorbell::register_bank<small_bank>);

} // namespace support
