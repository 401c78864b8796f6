// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../registers/register.hpp"
#include "offsets.hpp"

/// Host controller capabilities, 0x00 to 0x1F. Read in any context, no lock; values do not change while the host runs.
namespace doorbell::ufs {

struct cap_fields {
    using slots = field<4, 0, access::read_only>;         ///< transfer slots, minus 1
    using command_slots = field<7, 0, access::read_only>; ///< the same in hosts with queues: active commands, minus 1
    using ready_to_transfer = field<15, 8, access::read_only>;
    using task_slots = field<18, 16, access::read_only>; ///< task management slots, minus 1
    using extra_header = field<22, 22, access::read_only>;
    using auto_hibernate = field<23, 23, access::read_only>;
    using address_64 = field<24, 24, access::read_only>;
    using out_of_order = field<25, 25, access::read_only>;
    using dme_test_mode = field<26, 26, access::read_only>;
    using crypto = field<28, 28, access::read_only>;
    using no_doorbell = field<29, 29, access::read_only>; ///< LSDBS: 0 means that the single doorbell exists
    using multi_queue = field<30, 30, access::read_only>;
    using extended_iid = field<31, 31, access::read_only>; ///< 4.1
};

struct cap : cap_fields, reg32<offset::cap, access::read_only> {};

struct mcqcap_fields {
    using last_queue = field<7, 0, access::read_only>; ///< MAXQ: queues, minus 1
    using sub_priority = field<8, 8, access::read_only>;
    using round_robin = field<9, 9, access::read_only>;
    using extended_iid = field<10, 10, access::read_only>;
    using config_pointer = field<23, 16, access::read_only>; ///< QCFGPTR: queue configuration at this times 0x200
    using aggregation_granularity = field<31, 24, access::read_only>;
};

struct mcqcap : mcqcap_fields, reg32<offset::mcqcap, access::read_only> {};

struct ver_fields {
    using suffix = field<3, 0, access::read_only>;
    using minor = field<7, 4, access::read_only>;
    using major = field<15, 8, access::read_only>;
};

struct ver : ver_fields, reg32<offset::ver, access::read_only> {};

struct ext_cap : reg32<offset::ext_cap, access::read_only> {};

struct hcpid : reg32<offset::hcpid, access::read_only> {};

struct hcmid : reg32<offset::hcmid, access::read_only> {};

/// Auto-hibernate idle timer; all 0 turns it off.
struct ahit_fields {
    using timer = field<9, 0, access::read_write>;
    using scale = field<12, 10, access::read_write>; ///< unit: 10 to this power microseconds
};

struct ahit : ahit_fields, reg32<offset::ahit, ahit_fields::timer, ahit_fields::scale> {};

static_assert(readable<cap> and not writable<cap> and modifiable<ahit>);

} // namespace doorbell::ufs
