// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../registers/register.hpp"

#include <cstddef>

/// The registers of AHCI 1.3.1 that a driver of the hot path and its bring-up need, as types: what may be done to each
/// field is part of the type. Compile time only.
namespace doorbell::sata {

/// Where the registers of the first port are, and how far apart the ports.
inline constexpr std::size_t first_port = 0x100, port_stride = 0x80;

/// The whole host bus adapter.
namespace hba {

struct cap_fields {
    using ports = field<4, 0, access::read_only>;         ///< ports, minus 1
    using slots = field<12, 8, access::read_only>;        ///< command slots of each port, minus 1
    using clears_busy = field<24, 24, access::read_only>; ///< SCLO: PxCMD.CLO exists
    using queued = field<30, 30, access::read_only>;      ///< SNCQ: native command queuing
    using wide = field<31, 31, access::read_only>;        ///< S64A: 64-bit addresses
};

struct cap : cap_fields, reg32<0x00, access::read_only> {};

struct ghc_fields {
    using reset = field<0, 0, access::write_1_to_set>; ///< hardware clears it when the reset has ended
    using interrupts = field<1, 1, access::read_write>;
    using single_message = field<2, 2, access::read_only>;
    using enable = field<31, 31, access::read_write>;
};

struct ghc : ghc_fields,
             reg32<0x04, ghc_fields::reset, ghc_fields::interrupts, ghc_fields::single_message, ghc_fields::enable> {};

/// A bit per port, which latches when the port has an enabled cause standing. Acknowledged behind the port's own
/// register: before, it would latch again. [D1]
struct is : reg32<0x08, access::write_1_to_clear> {};

/// Ports that exist, a bit each; they need not be the lowest.
struct pi : reg32<0x0C, access::read_only> {};

struct vs : reg32<0x10, access::read_only> {};

static_assert(acknowledgeable<is> and not writable<pi> and writable<ghc> and not modifiable<ghc>);

} // namespace hba

/// One port; offsets are relative to its block.
namespace px {

/// The command list: 1 KiB aligned. Not to be changed while the port runs.
struct clb : reg32<0x00, field<31, 10, access::read_write>, field<9, 0, access::read_only>> {};

struct clbu : reg32<0x04, access::read_write> {};

/// Where received FISes go: 256 bytes aligned.
struct fb : reg32<0x08, field<31, 8, access::read_write>, field<7, 0, access::read_only>> {};

struct fbu : reg32<0x0C, access::read_write> {};

/// Interrupt status; causes are in causes.hpp. Three only sum up PxSERR and are acknowledged there. Bits that do not
/// exist read 0. [D4]
struct is : reg32<
                0x10, field<31, 26, access::write_1_to_clear>, field<24, 23, access::write_1_to_clear>,
                field<22, 22, access::read_only>, field<7, 7, access::write_1_to_clear>, field<6, 6, access::read_only>,
                field<5, 5, access::write_1_to_clear>, field<4, 4, access::read_only>,
                field<3, 0, access::write_1_to_clear>> {};

/// Interrupt enable, same bits. Written as a whole from a shadow, under the lock of its owner. [D8]
struct ie : reg32<0x14, access::read_write> {};

struct cmd_fields {
    using start = field<0, 0, access::read_write>; ///< ST: from 1 to 0 it empties PxCI and PxSACT, ending nobody [T1]
    using spin_up = field<1, 1, access::read_write>;
    using power_on = field<2, 2, access::read_write>;
    using clear_busy = field<3, 3, access::write_1_to_set>; ///< CLO: hardware clears it, with BSY and DRQ
    using receive = field<4, 4, access::read_write>;        ///< FRE
    using slot = field<12, 8, access::read_only>;           ///< CCS
    using receiving = field<14, 14, access::read_only>;     ///< FR
    using running = field<15, 15, access::read_only>;       ///< CR: stands until the list has really stopped
    using state = field<23, 16, access::read_only>;         ///< presence, hot plug, multiplier
    using settings = field<31, 24, access::read_write>;     ///< link power, ATAPI, LED
};

struct cmd : cmd_fields,
             reg32<
                 0x18, cmd_fields::start, cmd_fields::spin_up, cmd_fields::power_on, cmd_fields::clear_busy,
                 cmd_fields::receive, cmd_fields::slot, field<13, 13, access::read_only>, cmd_fields::receiving,
                 cmd_fields::running, cmd_fields::state, cmd_fields::settings> {};

struct tfd_fields {
    using status = field<7, 0, access::read_only>;
    using error = field<15, 8, access::read_only>;
};

struct tfd : tfd_fields, reg32<0x20, access::read_only> {};

struct sig : reg32<0x24, access::read_only> {};

struct ssts_fields {
    using detection = field<3, 0, access::read_only>; ///< 3: a device, and the link stands
    using speed = field<7, 4, access::read_only>;
    using power = field<11, 8, access::read_only>;
};

struct ssts : ssts_fields, reg32<0x28, access::read_only> {};

struct sctl_fields {
    using detection = field<3, 0, access::read_write>; ///< 1 holds the link in reset, 0 lets it go
    using speed = field<7, 4, access::read_write>;
    using power = field<11, 8, access::read_write>;
};

struct sctl
    : sctl_fields,
      reg32<0x2C, sctl_fields::detection, sctl_fields::speed, sctl_fields::power, field<31, 12, access::read_only>> {};

/// Errors of the link, and what it noticed.
struct serr : reg32<0x30, access::write_1_to_clear> {};

/// Bit n stands while the device works on the queued command of slot n. Set before PxCI; a reset of the link leaves it.
struct sact : reg32<0x34, access::write_1_to_set> {};

/// Bit n stands until hardware has issued the queued command of slot n, or ended another.
struct ci : reg32<0x38, access::write_1_to_set> {};

static_assert(acknowledgeable<is> and not modifiable<is> and not writable<is> and acknowledgeable<serr>);
static_assert(modifiable<ie> and writable<cmd> and not modifiable<cmd> and not writable<tfd> and not writable<ssts>);
static_assert(ringable<sact> and ringable<ci> and not writable<ci> and not modifiable<sact>);

} // namespace px

} // namespace doorbell::sata
