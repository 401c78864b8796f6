// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

/// Byte offsets of the UFSHCI register file. Plain numbers, for code that works with offsets (models, logs, dumps);
/// drivers use the typed registers of registers.hpp, which are built on these. Usable in any context.
namespace doorbell::ufs::offset {

using type = std::size_t;

/// Host controller capabilities.
inline constexpr type cap = 0x00, mcqcap = 0x04, ver = 0x08, ext_cap = 0x0C, hcpid = 0x10, hcmid = 0x14, ahit = 0x18;

/// Operation and run time.
inline constexpr type is = 0x20, ie = 0x24, hcsext = 0x2C, hcs = 0x30, hce = 0x34, uecpa = 0x38, uecdl = 0x3C,
                      uecn = 0x40, uect = 0x44, uecdme = 0x48, utriacr = 0x4C;

/// Transfer request list.
inline constexpr type utrlba = 0x50, utrlbau = 0x54, utrldbr = 0x58, utrlclr = 0x5C, utrlrsr = 0x60, utrlcnr = 0x64;

/// Task management request list.
inline constexpr type utmrlba = 0x70, utmrlbau = 0x74, utmrldbr = 0x78, utmrlclr = 0x7C, utmrlrsr = 0x80;

/// UIC commands.
inline constexpr type uiccmd = 0x90, ucmdarg1 = 0x94, ucmdarg2 = 0x98, ucmdarg3 = 0x9C;

/// Memory allocation, vendor window, cryptography, queue mode.
inline constexpr type uma = 0xB0, vendor_first = 0xC0, vendor_last = 0xFC, ccap = 0x100, cryptocap = 0x104,
                      config = 0x300, mcqconfig = 0x380, esilba = 0x384, esiuba = 0x388;

/// Queue configuration: relative to the block of one queue, which starts at QCFGPTR * 0x200 + queue * 0x40.
inline constexpr type sqattr = 0x00, sqlba = 0x04, squba = 0x08, sqdao = 0x0C, sqisao = 0x10, sqcfg = 0x14,
                      cqattr = 0x20, cqlba = 0x24, cquba = 0x28, cqdao = 0x2C, cqisao = 0x30, cqcfg = 0x34;
inline constexpr type queue_config_unit = 0x200, queue_config_stride = 0x40;

/// Submission queue run time: relative to SQDAO.
inline constexpr type sqhp = 0x0, sqtp = 0x4, sqrtc = 0x8, sqcti = 0xC, sqrts = 0x10;
/// Submission queue interrupts: relative to SQISAO.
inline constexpr type sqis = 0x0, sqie = 0x4;
/// Completion queue run time: relative to CQDAO.
inline constexpr type cqhp = 0x0, cqtp = 0x4;
/// Completion queue interrupts: relative to CQISAO.
inline constexpr type cqis = 0x0, cqie = 0x4, cqiacr = 0x8;

} // namespace doorbell::ufs::offset
