// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../core/tag_set.hpp"
#include "../dispatch/concepts.hpp"
#include "../registers/memory_bank.hpp"
#include "../registers/operations.hpp"
#include "ufshci/causes.hpp"
#include "ufshci/registers.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace doorbell {

namespace ufs::quirk {

/// In UTRLCLR and UTMRLCLR a 1 clears the slot. [T7]
struct inverted_clear {};

/// Interrupt aggregation works, but its counter must not be reset.
struct no_counter_reset {};

} // namespace ufs::quirk

/// Facts of the UFS host controller (JESD223) in single doorbell mode, as the hot path uses them. No state.
/// `Quirks` name what a part does otherwise.
template <class... Quirks>
struct basic_ufshci {
    template <class Quirk>
    static constexpr bool has_quirk = (std::same_as<Quirk, Quirks> or ...);

    /// A UIC command, hibernate entry or exit, or a power mode change finished: what waits here has short deadlines.
    static constexpr std::uint32_t uic = ufs::cause::uccs | ufs::cause::uhes | ufs::cause::uhxs | ufs::cause::upms;
    /// Link, protocol, device, host, bus and cryptography errors.
    static constexpr std::uint32_t errors = ufs::cause::ue | ufs::cause::ulls | ufs::cause::dfes | ufs::cause::utpes |
                                            ufs::cause::hcfes | ufs::cause::sbfes | ufs::cause::cefes;

    /// IS has bits that read 0; all ones is what a bus returns for a device that is not there. [D4]
    static constexpr std::uint32_t absent = 0xFFFF'FFFF;

    /// A list of requests: `Count` slots behind one doorbell, clear and run register. NUTRS and NUTMRS count from 0.
    template <std::size_t Count, std::uint32_t Cause, class Doorbell, class Clear, unsigned LastSlotBit>
    struct list {
        static constexpr std::size_t slots = Count;
        static constexpr std::uint32_t cause = Cause;
        using tags = tag_set<slots>;

        /// One read of the doorbell: the slots hardware still owns. Bits that nobody rang are the caller's to ignore.
        template <register_bank Bank>
        [[nodiscard, gnu::always_inline]] static constexpr tags busy(Bank& bank) noexcept {
            tags const owned{read<Doorbell>(bank)};
            bank.after_done();
            return owned;
        }

        /// The barrier that makes the descriptors visible, then one write with only the new slots set.
        template <register_bank Bank>
        [[gnu::always_inline]] static constexpr void ring(Bank& bank, tags set) noexcept {
            doorbell::ring<Doorbell>(bank, set.raw());
        }

        /// Slots that hardware gives up: zeros in this register, or ones where the part has it the other way round. Not
        /// read back: what it reads as means nothing. Only while the list runs. [T7]
        template <register_bank Bank>
        static constexpr void clear(Bank& bank, tags set) noexcept {
            clear_slots<Clear>(bank, has_quirk<ufs::quirk::inverted_clear> ? ~set.raw() : set.raw());
        }

        /// The slots that exist, by CAP.
        template <register_bank Bank>
        [[nodiscard]] static constexpr tags usable(Bank& bank) noexcept {
            auto const last = (read<ufs::cap>(bank) >> LastSlotBit) & (slots - 1);
            return tags::all() & tags{static_cast<typename tags::word>((std::uint64_t{2} << last) - 1)};
        }
    };

    using transfers = list<32, ufs::cause::utrcs, ufs::utrldbr, ufs::utrlclr, 0>;
    using tasks = list<8, ufs::cause::utmrcs, ufs::utmrldbr, ufs::utmrlclr, 16>;

    /// Transfer request slots the doorbell has bits for, and their cause.
    static constexpr std::size_t slots = transfers::slots;
    static constexpr std::uint32_t transfer = transfers::cause;

    template <register_bank Bank>
    [[nodiscard, gnu::always_inline]] static constexpr std::uint32_t status(Bank& bank) noexcept {
        return read<ufs::is>(bank);
    }

    template <register_bank Bank>
    [[gnu::always_inline]] static constexpr void acknowledge(Bank& bank, std::uint32_t causes) noexcept {
        doorbell::acknowledge<ufs::is>(bank, causes);
    }

    template <register_bank Bank>
    static constexpr void enable(Bank& bank, std::uint32_t causes) noexcept {
        write<ufs::ie>(bank, causes);
    }

    /// Gathers up to `count` completions into one interrupt, for at most `units` times 40 us; 0 and 0 switch it off.
    template <register_bank Bank>
    static constexpr void gather(Bank& bank, unsigned count, unsigned units) noexcept {
        using namespace ufs::aggregation;
        bool const on = count != 0 or units != 0;
        write<ufs::utriacr>(bank, on ? enable_bit(parameter_write) | (count << threshold_shift) | units : 0U);
    }

    /// Resets the counter and timer. Before the doorbell is read: what finishes in between is counted anew.
    template <register_bank Bank>
    static constexpr void restart_gathering(Bank& bank) noexcept {
        if constexpr (not has_quirk<ufs::quirk::no_counter_reset>) {
            write<ufs::utriacr>(bank, enable_bit(0));
        }
    }

    /// Looks at HCE at most this often while the controller stops.
    static constexpr unsigned halt_looks = 10'000;

    /// Stops the lists, which clears the doorbells even where disabling does not, disables the controller, and waits
    /// for it to say so. Thread context; boundedly long.
    template <register_bank Bank>
    [[nodiscard]] static constexpr bool halt(Bank& bank) noexcept {
        write<ufs::utrlrsr>(bank, 0);
        write<ufs::utmrlrsr>(bank, 0);
        write<ufs::hce>(bank, 0);
        for (unsigned look = 0; look < halt_looks; ++look) {
            if ((read<ufs::hce>(bank) & 1U) == 0) {
                return true;
            }
        }
        return false;
    }

private:
    [[nodiscard]] static constexpr std::uint32_t enable_bit(std::uint32_t more) noexcept {
        std::uint32_t const reset = has_quirk<ufs::quirk::no_counter_reset> ? 0U : ufs::aggregation::counter_reset;
        return ufs::aggregation::enable | reset | more;
    }
};

/// The controller as the standard has it.
using ufshci = basic_ufshci<>;

static_assert(controller<ufshci, memory_bank<0x400>> and gathers<ufshci, memory_bank<0x400>>);
static_assert(request_list<ufshci::tasks, memory_bank<0x400>> and clears_slots<ufshci::transfers, memory_bank<0x400>>);

} // namespace doorbell
