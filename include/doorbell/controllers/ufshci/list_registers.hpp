// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../registers/register.hpp"
#include "offsets.hpp"

/// Transfer request list, 0x50 to 0x67, task management list, 0x70 to 0x83, and UIC commands, 0x90 to 0x9F.
namespace doorbell::ufs {

/// List bases: 1 KiB aligned. Not to be changed while the list runs.
struct utrlba : reg32<offset::utrlba, field<31, 10, access::read_write>> {};

struct utrlbau : reg32<offset::utrlbau, access::read_write> {};

/// Doorbell: bit n stands while hardware owns slot n. Ring under the lock under which "outstanding" is recorded [T1].
struct utrldbr : reg32<offset::utrldbr, access::write_1_to_set> {};

/// Slot clear: 0 clears, and only while the list runs. Never read [T7].
struct utrlclr : reg32<offset::utrlclr, access::write_0_to_clear> {};

struct run_fields {
    using run = field<0, 0, access::read_write>;
};

struct utrlrsr : run_fields, reg32<offset::utrlrsr, run_fields::run> {};

/// Completion notification (3.0 and later): a hint that accumulates where nobody clears it.
struct utrlcnr : reg32<offset::utrlcnr, access::write_1_to_clear> {};

struct utmrlba : reg32<offset::utmrlba, field<31, 10, access::read_write>> {};

struct utmrlbau : reg32<offset::utmrlbau, access::read_write> {};

struct utmrldbr : reg32<offset::utmrldbr, field<7, 0, access::write_1_to_set>> {};

struct utmrlclr : reg32<offset::utmrlclr, access::write_0_to_clear> {};

struct utmrlrsr : run_fields, reg32<offset::utmrlrsr, run_fields::run> {};

/// Writing the opcode starts the command; arguments first, and only while HCS.UCRDY stands.
struct uiccmd_fields {
    using opcode = field<7, 0, access::read_write>;
    using reserved = field<31, 8, access::read_only>;
};

struct uiccmd : uiccmd_fields, reg32<offset::uiccmd, uiccmd_fields::opcode, uiccmd_fields::reserved> {};

struct ucmdarg1_fields {
    using selector = field<15, 0, access::read_write>;
    using attribute = field<31, 16, access::read_write>;
};

struct ucmdarg1 : ucmdarg1_fields, reg32<offset::ucmdarg1, ucmdarg1_fields::selector, ucmdarg1_fields::attribute> {};

struct ucmdarg2_fields {
    using result = field<7, 0, access::read_write>; ///< after completion; 0 is success
    using set_type = field<23, 16, access::read_write>;
};

struct ucmdarg2 : ucmdarg2_fields, reg32<offset::ucmdarg2, ucmdarg2_fields::result, ucmdarg2_fields::set_type> {};

struct ucmdarg3 : reg32<offset::ucmdarg3, access::read_write> {};

static_assert(ringable<utrldbr> and ringable<utmrldbr> and not modifiable<utrldbr> and not writable<utrldbr>);
static_assert(clearable<utrlclr> and clearable<utmrlclr> and not readable<utrlclr>);
static_assert(acknowledgeable<utrlcnr> and modifiable<utrlrsr> and not modifiable<uiccmd> and writable<uiccmd>);

} // namespace doorbell::ufs
