// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../core/tag_set.hpp"
#include "../dispatch/concepts.hpp"
#include "../registers/memory_bank.hpp"
#include "../registers/operations.hpp"
#include "ahci/causes.hpp"
#include "ahci/port.hpp"
#include "ahci/registers.hpp"

#include <cstddef>
#include <cstdint>

namespace doorbell {

/// Facts of one port of a SATA host bus adapter (AHCI 1.3.1), as the hot path uses them; a core of its own serves each
/// port, with its own lock, over a `sata::port_bank`. No state but the port's. Where ports share an interrupt, its
/// handler reads IS and calls the cores of the ports whose bit stands; with one port it calls the core.
///
/// A queued command (READ and WRITE FPDMA QUEUED) has ended when its bit of PxSACT is gone, any other when that of PxCI
/// is; the driver's `prepare` tells the port which commands are not queued. The device reports no status per command: a
/// response is `success` for whoever ended, since what fails stays where it is, and all behind it: PxIS.TFES stands,
/// the list works no more, and `reset` is what ends the rest. The driver reads log page 10h after `restart` to learn
/// which of them failed. Nothing can end one slot and leave the others: no abort, and `expire` withholds until `reset`.
///
/// A reset of the whole adapter (GHC.HR) makes the registers of all ports read 0: first `reset` every port's core.
struct ahci {
    /// The device or the bus ended a command with an error, or the adapter gave up.
    static constexpr std::uint32_t errors =
        sata::cause::tfes | sata::cause::hbfs | sata::cause::hbds | sata::cause::ifs;
    /// The link or what is behind it changed, or had errors that it got over.
    static constexpr std::uint32_t link = sata::cause::pcs | sata::cause::prcs | sata::cause::dmps | sata::cause::cpds |
                                          sata::cause::ipms | sata::cause::infs | sata::cause::ofs | sata::cause::ufs;

    /// PxIS has bits that read 0; all ones is what a bus returns for a device that is not there. [D4]
    static constexpr std::uint32_t absent = 0xFFFF'FFFF;

    struct transfers {
        static constexpr std::size_t slots = 32;
        using tags = tag_set<slots>;

        /// Whatever FIS ends a command: set device bits for queued ones, the others for the rest.
        static constexpr std::uint32_t cause =
            sata::cause::sdbs | sata::cause::dhrs | sata::cause::pss | sata::cause::dss;

        /// The list stops whole or not at all: there is no register that clears a slot. [T7]
        static constexpr bool all_or_none = true;

        /// One read of PxSACT; one more, of PxCI, while an unqueued command is in flight. Lock: the core's.
        template <class Bank>
        [[nodiscard, gnu::always_inline]] static constexpr tags busy(Bank& bank) noexcept {
            auto own = bank.own();
            tags held{read<sata::px::sact>(own)};
            if (not bank.port().unqueued().empty()) [[unlikely]] {
                held |= bank.port().keep(tags{read<sata::px::ci>(own)});
            }
            bank.after_done();
            return held;
        }

        /// PxSACT for those that are queued, then PxCI for all, since the adapter tells by PxSACT what it issues. One
        /// barrier: nothing is fetched before PxCI is written. [R4]
        template <class Bank>
        [[gnu::always_inline]] static constexpr void ring(Bank& bank, tags set) noexcept {
            auto own = bank.own();
            if (tags const queued = bank.port().rung(set); not queued.empty()) [[likely]] {
                own.store(sata::px::sact::offset, queued.raw());
            }
            doorbell::ring<sata::px::ci>(own, set.raw());
        }

        /// The slots that exist, by CAP. The device may take fewer commands at a time (IDENTIFY, word 75).
        template <class Bank>
        [[nodiscard]] static constexpr tags usable(Bank& bank) noexcept {
            auto const last = sata::hba::cap::slots::get(read<sata::hba::cap>(bank));
            return tags{static_cast<tags::word>((std::uint64_t{2} << last) - 1)};
        }
    };

    template <class Bank>
    [[nodiscard, gnu::always_inline]] static constexpr std::uint32_t status(Bank& bank) noexcept {
        auto own = bank.own();
        return read<sata::px::is>(own);
    }

    template <class Bank>
    [[gnu::always_inline]] static constexpr void acknowledge(Bank& bank, std::uint32_t causes) noexcept {
        auto own = bank.own();
        doorbell::acknowledge<sata::px::is>(own, causes);
    }

    /// Three causes stand as long as their bits of PxSERR. [D1]
    template <class Bank>
    [[gnu::always_inline]] static constexpr void acknowledge_children(Bank& bank, std::uint32_t causes) noexcept {
        if ((causes & sata::cause::summed) != 0) [[unlikely]] {
            using namespace sata;
            auto own = bank.own();
            doorbell::acknowledge<px::serr>(
                own, ((causes & cause::prcs) != 0 ? diagnosis::phy_ready_changed : 0U) |
                         ((causes & cause::pcs) != 0 ? diagnosis::exchanged : 0U) |
                         ((causes & cause::ufs) != 0 ? diagnosis::unknown_fis : 0U));
        }
    }

    /// The bit of this port in IS, which latches again while PxIS has an enabled cause: last. [D1]
    template <class Bank>
    [[gnu::always_inline]] static constexpr void acknowledge_sum(Bank& bank) noexcept {
        doorbell::acknowledge<sata::hba::is>(bank, bank.port().bit());
    }

    template <class Bank>
    static constexpr void enable(Bank& bank, std::uint32_t causes) noexcept {
        auto own = bank.own();
        write<sata::px::ie>(own, causes);
    }

    /// Looks at PxCMD.CR and the like at most this often: a list may take half a second to stop.
    static constexpr unsigned halt_looks = 500'000;
    /// Looks while the link is held in reset, for a millisecond at least: each is a round trip on the bus, 50 ns or
    /// more.
    static constexpr unsigned link_looks = 20'000;

    /// Stops the list, which empties PxCI and PxSACT and ends nobody, and waits for it to say so. The disk still has
    /// what it was sent, and would answer it to the next command of the same slot: so the link is reset too, unless
    /// nothing was in flight, or the disk has ended its queue itself because a command failed. False: not even that
    /// stopped the list; the adapter needs a reset, and then the core another `reset`. Thread context; boundedly long.
    /// [T1] [T5]
    template <class Bank>
    [[nodiscard]] static constexpr bool halt(Bank& bank) noexcept {
        using namespace sata::px;
        auto own = bank.own();
        std::uint32_t const now = read<cmd>(own);
        if (now == absent) {
            return false;
        }
        bool const idle = (read<sact>(own) | read<ci>(own)) == 0;
        write<cmd>(own, now & ~(cmd::start::mask | cmd::clear_busy::mask));
        bool const stopped = comes_to(own, cmd::running::mask, 0);
        bool const ended = idle or (read<tfd>(own) & (sata::task_file::err | busy_bits)) == sata::task_file::err;
        if (not stopped or not ended) {
            reset_link(own);
        }
        if (not stopped and not comes_to(own, cmd::running::mask, 0)) {
            return false;
        }
        bank.port().stopped();
        return true;
    }

    /// Runs the list again after `halt`, before `start`: waits for a disk that begins anew, wipes what stands in
    /// PxSERR, PxIS and IS, and overrules a disk that stays busy where the adapter can. The port receives already
    /// (FRE). False: reset the link first. Thread context; boundedly long.
    template <class Bank>
    [[nodiscard]] static constexpr bool restart(Bank& bank) noexcept {
        using sata::px::cmd;
        auto own = bank.own();
        bool const rests = comes_to_rest(own);
        doorbell::acknowledge<sata::px::serr>(own, absent);
        acknowledge(bank, absent);
        acknowledge_sum(bank);
        std::uint32_t const now = read<cmd>(own) & ~cmd::clear_busy::mask;
        if (not rests) {
            if (sata::hba::cap::clears_busy::get(read<sata::hba::cap>(bank)) == 0) {
                return false;
            }
            write<cmd>(own, now | cmd::clear_busy::mask);
            if (not comes_to(own, cmd::clear_busy::mask, 0)) {
                return false;
            }
        }
        write<cmd>(own, now | cmd::start::mask);
        return comes_to(own, cmd::running::mask, cmd::running::mask);
    }

private:
    static constexpr std::uint32_t busy_bits = sata::task_file::bsy | sata::task_file::drq;

    /// COMRESET: the disk forgets what it was sent. Waits until the link stands again, if there is a disk.
    template <class Own>
    static constexpr void reset_link(Own& own) noexcept {
        using namespace sata::px;
        std::uint32_t const control = read<sctl>(own) & ~sctl::detection::mask;
        write<sctl>(own, control | sctl::detection::put(1));
        for (unsigned look = 0; look < link_looks; ++look) {
            (void)read<ssts>(own);
        }
        write<sctl>(own, control);
        for (unsigned look = 0; look < halt_looks and ssts::detection::get(read<ssts>(own)) != 3; ++look) {
        }
    }

    template <class Own>
    [[nodiscard]] static constexpr bool comes_to_rest(Own& own) noexcept {
        for (unsigned look = 0; look < halt_looks; ++look) {
            if ((read<sata::px::tfd>(own) & busy_bits) == 0) {
                return true;
            }
        }
        return false;
    }

    /// Waits until these bits of PxCMD have this value.
    template <class Own>
    [[nodiscard]] static constexpr bool comes_to(Own& own, std::uint32_t bits, std::uint32_t value) noexcept {
        for (unsigned look = 0; look < halt_looks; ++look) {
            if ((read<sata::px::cmd>(own) & bits) == value) {
                return true;
            }
        }
        return false;
    }
};

static_assert(controller<ahci, sata::port_bank<memory_bank<0x1100>>>);
static_assert(has_children<ahci, sata::port_bank<memory_bank<0x1100>>>);
static_assert(is_summed_up<ahci, sata::port_bank<memory_bank<0x1100>>> and not ends_singly<ahci::transfers>);

} // namespace doorbell
