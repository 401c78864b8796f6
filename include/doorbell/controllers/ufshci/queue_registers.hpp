// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../registers/register.hpp"
#include "offsets.hpp"
#include "runtime_registers.hpp"

/// Registers of one queue. Where its blocks lie is known only at run time (QCFGPTR, and the offsets SQDAO, SQISAO,
/// CQDAO, CQISAO), so these offsets are relative to a block: use them on a bank_window.
namespace doorbell::ufs::queue {

struct sqattr_fields {
    using size = field<15, 0, access::read_write>; ///< in words, minus 1
    using completion_queue = field<23, 16, access::read_write>;
    using priority = field<30, 28, access::read_write>;
    using enable = field<31, 31, access::read_write>; ///< its completion queue first
};

struct sqattr : sqattr_fields,
                reg32<
                    offset::sqattr, sqattr_fields::size, sqattr_fields::completion_queue, sqattr_fields::priority,
                    sqattr_fields::enable> {};

struct sqlba : reg32<offset::sqlba, access::read_write> {};

struct squba : reg32<offset::squba, access::read_write> {};

struct sqdao : reg32<offset::sqdao, access::read_only> {};

struct sqisao : reg32<offset::sqisao, access::read_only> {};

struct sqcfg : reg32<offset::sqcfg, access::read_write> {};

struct cqattr_fields {
    using size = field<15, 0, access::read_write>; ///< in words, minus 1
    using enable = field<31, 31, access::read_write>;
};

struct cqattr : cqattr_fields, reg32<offset::cqattr, cqattr_fields::size, cqattr_fields::enable> {};

struct cqlba : reg32<offset::cqlba, access::read_write> {};

struct cquba : reg32<offset::cquba, access::read_write> {};

struct cqdao : reg32<offset::cqdao, access::read_only> {};

struct cqisao : reg32<offset::cqisao, access::read_only> {};

struct cqcfg : reg32<offset::cqcfg, access::read_write> {};

/// Relative to SQDAO. Pointers are byte offsets into the ring.
struct sqhp : reg32<offset::sqhp, access::read_only> {};

struct sqtp : reg32<offset::sqtp, access::read_write> {}; ///< writing submits: before_doorbell() first

struct sqrtc_fields {
    using stop = field<0, 0, access::read_write>;
    using clean_up = field<1, 1, access::read_write>;
};

struct sqrtc : sqrtc_fields, reg32<offset::sqrtc, sqrtc_fields::stop, sqrtc_fields::clean_up> {};

struct sqcti_fields {
    using tag = field<7, 0, access::read_write>;
    using unit = field<15, 8, access::read_write>;
    using initiator = field<31, 16, access::read_write>;
};

struct sqcti : sqcti_fields, reg32<offset::sqcti, sqcti_fields::tag, sqcti_fields::unit, sqcti_fields::initiator> {};

struct sqrts_fields {
    using stopped = field<0, 0, access::read_only>;
    using cleaned_up = field<1, 1, access::read_only>;
    using result = field<7, 4, access::read_only>;
};

struct sqrts : sqrts_fields, reg32<offset::sqrts, access::read_only> {};

/// Relative to SQISAO.
struct sqis : reg32<offset::sqis, access::write_1_to_clear> {};

struct sqie : reg32<offset::sqie, access::read_write> {};

/// Relative to CQDAO.
struct cqhp : reg32<offset::cqhp, access::read_write> {};

struct cqtp : reg32<offset::cqtp, access::read_only> {};

/// Relative to CQISAO.
struct cqis_fields {
    using tail_entry = field<0, 0, access::write_1_to_clear>; ///< TEPS: an entry was added
};

struct cqis : cqis_fields, reg32<offset::cqis, cqis_fields::tail_entry> {};

struct cqie : reg32<offset::cqie, access::read_write> {};

struct cqiacr : aggregation_register<offset::cqiacr> {};

static_assert(acknowledgeable<cqis> and acknowledgeable<sqis> and modifiable<sqrtc> and not writable<sqhp>);

} // namespace doorbell::ufs::queue
