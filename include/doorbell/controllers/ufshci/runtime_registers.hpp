// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../registers/register.hpp"
#include "offsets.hpp"

/// Operation and run time, 0x20 to 0x4F, and the modes of the host, 0xB0 to 0x38F.
namespace doorbell::ufs {

/// Interrupt status; causes are in causes.hpp. Acknowledge what was read. Reserved bits read 0, so they need no field
/// of their own: what was read writes nothing to them, and each acknowledgement is spared a mask.
struct is : reg32<offset::is, access::write_1_to_clear> {};

/// Interrupt enable, same bits. Written as a whole from a shadow, under the lock of its owner.
struct ie : reg32<offset::ie, access::read_write> {};

struct hcsext : reg32<offset::hcsext, access::read_only> {};

struct hcs_fields {
    using device_present = field<0, 0, access::read_only>;
    using transfer_list_ready = field<1, 1, access::read_only>;
    using task_list_ready = field<2, 2, access::read_only>;
    using uic_ready = field<3, 3, access::read_only>;
    using power_mode = field<10, 8, access::read_only>; ///< UPMCRS: result of the last power mode change
    using crypto_ready = field<11, 11, access::read_only>;
    using protocol_error = field<15, 12, access::read_only>; ///< code of the transfer protocol error
    using error_tag = field<23, 16, access::read_only>;
    using error_unit = field<31, 24, access::read_only>;
};

struct hcs : hcs_fields, reg32<offset::hcs, access::read_only> {};

struct hce_fields {
    using enable = field<0, 0, access::read_write>; ///< reads 1 once the host is ready
    using crypto_enable = field<1, 1, access::read_write>;
};

struct hce : hce_fields, reg32<offset::hce, hce_fields::enable, hce_fields::crypto_enable> {};

/// Link errors, layer by layer. Reading clears, so they are no part of a dump [R2]. Bit 31: the others are valid.
struct uecpa : reg32<offset::uecpa, access::read_to_clear> {};

struct uecdl : reg32<offset::uecdl, access::read_to_clear> {};

struct uecn : reg32<offset::uecn, access::read_to_clear> {};

struct uect : reg32<offset::uect, access::read_to_clear> {};

struct uecdme : reg32<offset::uecdme, access::read_to_clear> {};

/// Interrupt aggregation. The counter reset goes before the read of the doorbell.
struct aggregation_fields {
    using timeout = field<7, 0, access::read_write>;    ///< units of 40 us
    using threshold = field<12, 8, access::read_write>; ///< completions
    using counter_reset = field<16, 16, access::self_clearing>;
    using counting = field<20, 20, access::read_only>;
    using parameter_write = field<24, 24, access::read_write>; ///< timeout and threshold are taken only with this
    using enable = field<31, 31, access::read_write>;
};

template <std::size_t Offset>
struct aggregation_register
    : aggregation_fields,
      reg32<
          Offset, aggregation_fields::timeout, aggregation_fields::threshold, aggregation_fields::counter_reset,
          aggregation_fields::counting, aggregation_fields::parameter_write, aggregation_fields::enable> {};

struct utriacr : aggregation_register<offset::utriacr> {};

struct uma : reg32<offset::uma, access::read_write> {};

struct ccap : reg32<offset::ccap, access::read_only> {};

struct config_fields {
    using multi_queue = field<0, 0, access::read_write>;      ///< queue type
    using event_interrupts = field<1, 1, access::read_write>; ///< event-specific messages
};

struct config : config_fields, reg32<offset::config, config_fields::multi_queue, config_fields::event_interrupts> {};

struct mcqconfig_fields {
    using active_commands = field<15, 8, access::read_write>; ///< MAC, minus 1
};

struct mcqconfig : mcqconfig_fields, reg32<offset::mcqconfig, mcqconfig_fields::active_commands> {};

struct esilba : reg32<offset::esilba, access::read_write> {};

struct esiuba : reg32<offset::esiuba, access::read_write> {};

static_assert(acknowledgeable<is> and not modifiable<is> and not writable<is>);
static_assert(modifiable<ie> and modifiable<hce> and not modifiable<utriacr> and writable<utriacr>);
static_assert(readable<uecpa> and not dumpable<uecpa> and not writable<uecpa>);

} // namespace doorbell::ufs
