// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../core/tag_set.hpp"
#include "../../registers/concepts.hpp"
#include "../../registers/memory_bank.hpp"
#include "registers.hpp"

#include <cstddef>
#include <cstdint>

namespace doorbell::sata {

/// What the host remembers of one port: which it is, and which of its slots hold commands that are not queued, since
/// those end in PxCI and the queued ones in PxSACT. The driver owns it. Lock: the core's, for all that changes.
class port {
public:
    using tags = tag_set<32>;

    /// `number` is one whose bit stands in PI.
    constexpr explicit port(unsigned number) noexcept : number_{number} {}

    [[nodiscard]] constexpr unsigned number() const noexcept { return number_; }

    /// Its bit in IS and PI.
    [[nodiscard]] constexpr std::uint32_t bit() const noexcept { return 1U << number_; }

    [[nodiscard]] constexpr std::size_t base() const noexcept { return first_port + number_ * port_stride; }

    /// The command of this slot is not a queued one: IDENTIFY, FLUSH CACHE, READ LOG. Said by the driver's `prepare`,
    /// which is called with the lock held; said of nobody, a command is queued. A device takes either kind only while
    /// it has none of the other, which is the driver's to see to (`block`, `drain`, `submit_reserved`).
    constexpr void unqueued(tag which) noexcept { announced_.insert(which); }

    /// Slots whose unqueued commands have not ended.
    [[nodiscard]] constexpr tags unqueued() const noexcept { return unqueued_; }

    /// These slots are about to be rung; returns those of them that are queued commands.
    [[nodiscard]] constexpr tags rung(tags set) noexcept {
        tags const plain = announced_ & set;
        announced_ = {};
        unqueued_ = (unqueued_ - set) | plain;
        return set - plain;
    }

    /// PxCI as it was read while the list ran; returns the unqueued commands that hardware still owns.
    constexpr tags keep(tags issued) noexcept { return unqueued_ &= issued; }

    /// The list stopped: nothing is in it.
    constexpr void stopped() noexcept { announced_ = unqueued_ = {}; }

private:
    unsigned number_;
    tags announced_{};
    tags unqueued_{};
};

/// The registers of an adapter, seen by the core of one port: a bank, and a handle of that port, which must outlive it.
template <register_bank Bank>
class port_bank {
public:
    constexpr port_bank(Bank registers, port& of) noexcept : registers_{registers}, base_{of.base()}, port_{&of} {}

    [[nodiscard]] constexpr std::uint32_t load(std::size_t offset) noexcept { return registers_.load(offset); }

    constexpr void store(std::size_t offset, std::uint32_t value) noexcept { registers_.store(offset, value); }

    constexpr void before_doorbell() noexcept { registers_.before_doorbell(); }

    constexpr void after_done() noexcept { registers_.after_done(); }

    constexpr void before_unlock() noexcept { registers_.before_unlock(); }

    [[nodiscard]] constexpr sata::port& port() noexcept { return *port_; }

    /// The port's own block, for the typed operations on `px`.
    [[nodiscard]] constexpr auto own() noexcept { return block{*this}; }

private:
    struct block {
        port_bank& bank;

        [[nodiscard]] constexpr std::uint32_t load(std::size_t offset) noexcept {
            return bank.load(bank.base_ + offset);
        }

        constexpr void store(std::size_t offset, std::uint32_t value) noexcept {
            bank.store(bank.base_ + offset, value);
        }

        constexpr void before_doorbell() noexcept { bank.before_doorbell(); }

        constexpr void after_done() noexcept { bank.after_done(); }

        constexpr void before_unlock() noexcept { bank.before_unlock(); }
    };

    Bank registers_;
    std::size_t base_;
    sata::port* port_;
};

static_assert(register_bank<port_bank<memory_bank<0x1100>>>);

} // namespace doorbell::sata
