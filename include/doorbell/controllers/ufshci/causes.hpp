// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

/// Interrupt causes and status bits of the UFSHCI as plain masks. Usable in any context.
namespace doorbell::ufs {

/// Bits of IS and IE; both registers share the layout.
namespace cause {

inline constexpr std::uint32_t utrcs = 1u << 0;  ///< a transfer request completed
inline constexpr std::uint32_t udepri = 1u << 1; ///< device management reset indication
inline constexpr std::uint32_t ue = 1u << 2;     ///< link error; details in UECPA to UECDME
inline constexpr std::uint32_t utms = 1u << 3;   ///< link test mode
inline constexpr std::uint32_t upms = 1u << 4;   ///< power mode change finished
inline constexpr std::uint32_t uhxs = 1u << 5;   ///< hibernate exit finished
inline constexpr std::uint32_t uhes = 1u << 6;   ///< hibernate enter finished
inline constexpr std::uint32_t ulls = 1u << 7;   ///< link lost
inline constexpr std::uint32_t ulss = 1u << 8;   ///< link start-up by the device
inline constexpr std::uint32_t utmrcs = 1u << 9; ///< a task management request completed
inline constexpr std::uint32_t uccs = 1u << 10;  ///< a UIC command completed
inline constexpr std::uint32_t dfes = 1u << 11;  ///< device fatal error
inline constexpr std::uint32_t utpes = 1u << 12; ///< transfer protocol error; details in HCS
inline constexpr std::uint32_t hcfes = 1u << 16; ///< host controller fatal error
inline constexpr std::uint32_t sbfes = 1u << 17; ///< system bus fatal error
inline constexpr std::uint32_t cefes = 1u << 18; ///< cryptography engine fatal error
inline constexpr std::uint32_t sqes = 1u << 19;  ///< submission queue event
inline constexpr std::uint32_t cqes = 1u << 20;  ///< completion queue event
inline constexpr std::uint32_t iages = 1u << 21; ///< aggregation event of the queues

/// Every cause that exists; all other bits of IS read 0.
inline constexpr std::uint32_t all = 0x003F1FFFu;

} // namespace cause

/// Bits of HCS.
namespace status {

inline constexpr std::uint32_t dp = 1u << 0;       ///< device present
inline constexpr std::uint32_t utrlrdy = 1u << 1;  ///< transfer list may be started
inline constexpr std::uint32_t utmrlrdy = 1u << 2; ///< task list may be started
inline constexpr std::uint32_t ucrdy = 1u << 3;    ///< a UIC command may be written
inline constexpr std::uint32_t upmcrs = 7u << 8;   ///< result of the last power mode change
inline constexpr unsigned upmcrs_shift = 8;
inline constexpr unsigned utpec_shift = 12, task_tag_shift = 16, lun_shift = 24; ///< transfer protocol error

} // namespace status

/// Overall command status: byte 8 of a transfer request descriptor.
namespace ocs {

inline constexpr std::uint8_t success = 0x0, invalid_command_table = 0x1, invalid_prdt = 0x2,
                              mismatched_data_size = 0x3, mismatched_response_size = 0x4, peer_failure = 0x5,
                              aborted = 0x6, fatal_error = 0x7, device_fatal = 0x8, invalid_crypto_config = 0x9,
                              crypto_error = 0xA, not_written = 0xF;

} // namespace ocs

/// Interrupt aggregation (UTRIACR and CQIACR).
namespace aggregation {

inline constexpr std::uint32_t timeout = 0xFFu, threshold = 0x1Fu << 8, counter_reset = 1u << 16, counting = 1u << 20,
                               parameter_write = 1u << 24, enable = 1u << 31;
inline constexpr unsigned threshold_shift = 8;
inline constexpr unsigned timeout_unit_ns = 40'000;

} // namespace aggregation

/// UIC command opcodes.
namespace uic {

inline constexpr std::uint32_t get = 0x01, set = 0x02, peer_get = 0x03, peer_set = 0x04, power_on = 0x10,
                               power_off = 0x11, enable = 0x12, reset = 0x14, endpoint_reset = 0x15,
                               link_startup = 0x16, hibernate_enter = 0x17, hibernate_exit = 0x18, test_mode = 0x1A;
/// Attribute (in UCMDARG1 31:16) whose SET starts a power mode change.
inline constexpr std::uint32_t attribute_power_mode = 0x1571;

} // namespace uic

} // namespace doorbell::ufs
