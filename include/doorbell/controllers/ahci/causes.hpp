// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

/// Bits of the AHCI registers, as plain numbers. Usable in any context.
namespace doorbell::sata {

/// Bits of PxIS and PxIE.
namespace cause {

inline constexpr std::uint32_t dhrs = 1u << 0;  ///< register FIS came: a command without a queue ended
inline constexpr std::uint32_t pss = 1u << 1;   ///< PIO set-up FIS came
inline constexpr std::uint32_t dss = 1u << 2;   ///< DMA set-up FIS came
inline constexpr std::uint32_t sdbs = 1u << 3;  ///< set device bits FIS came: queued commands ended
inline constexpr std::uint32_t ufs = 1u << 4;   ///< unknown FIS: sums up PxSERR
inline constexpr std::uint32_t dps = 1u << 5;   ///< a descriptor with its interrupt bit was processed
inline constexpr std::uint32_t pcs = 1u << 6;   ///< connection changed: sums up PxSERR
inline constexpr std::uint32_t dmps = 1u << 7;  ///< mechanical presence switch
inline constexpr std::uint32_t prcs = 1u << 22; ///< link lost or found: sums up PxSERR
inline constexpr std::uint32_t ipms = 1u << 23; ///< FIS from a wrong port multiplier port
inline constexpr std::uint32_t ofs = 1u << 24;  ///< more bytes than the command table describes
inline constexpr std::uint32_t infs = 1u << 26; ///< interface error, recovered
inline constexpr std::uint32_t ifs = 1u << 27;  ///< interface error, fatal
inline constexpr std::uint32_t hbds = 1u << 28; ///< host bus data error
inline constexpr std::uint32_t hbfs = 1u << 29; ///< host bus fatal error
inline constexpr std::uint32_t tfes = 1u << 30; ///< task file error: the device ended a command with an error
inline constexpr std::uint32_t cpds = 1u << 31; ///< cold presence

/// Those that cannot be acknowledged themselves: they stand as long as their bit of PxSERR.
inline constexpr std::uint32_t summed = ufs | pcs | prcs;

/// Every cause that exists; all other bits of PxIS read 0.
inline constexpr std::uint32_t all =
    dhrs | pss | dss | sdbs | ufs | dps | pcs | dmps | prcs | ipms | ofs | infs | ifs | hbds | hbfs | tfes | cpds;

} // namespace cause

/// Bits of PxSERR that PxIS sums up.
namespace diagnosis {

inline constexpr std::uint32_t phy_ready_changed = 1u << 16; ///< N, as PRCS
inline constexpr std::uint32_t unknown_fis = 1u << 25;       ///< F, as UFS
inline constexpr std::uint32_t exchanged = 1u << 26;         ///< X, as PCS

} // namespace diagnosis

/// Bits of PxTFD.
namespace task_file {

inline constexpr std::uint32_t err = 1u << 0, drq = 1u << 3, bsy = 1u << 7;
inline constexpr unsigned error_shift = 8;

} // namespace task_file

} // namespace doorbell::sata
