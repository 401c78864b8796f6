// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../controllers/ufshci/offsets.hpp"
#include "../access_log.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace doorbell::testing {

/// Where the blocks of the multi-queue registers start in the model's window.
struct queue_layout {
    static constexpr std::size_t config = 0x400, config_stride = ufs::offset::queue_config_stride;
    static constexpr std::size_t runtime = 0x1000, runtime_stride = 0x30;
    static constexpr std::size_t sqd = 0x00, sqis = 0x14, cqd = 0x1C, cqis = 0x24;
    static constexpr std::size_t queues = 32;
};

namespace register_names {

/// A register by its offset.
struct named {
    std::size_t at;
    char const* name;
};

inline constexpr std::array<named, 40> fixed_names{{
    {0x00, "CAP"},        {0x04, "MCQCAP"},   {0x08, "VER"},        {0x0C, "EXT_CAP"},  {0x10, "HCPID"},
    {0x14, "HCMID"},      {0x18, "AHIT"},     {0x20, "IS"},         {0x24, "IE"},       {0x2C, "HCSEXT"},
    {0x30, "HCS"},        {0x34, "HCE"},      {0x38, "UECPA"},      {0x3C, "UECDL"},    {0x40, "UECN"},
    {0x44, "UECT"},       {0x48, "UECDME"},   {0x4C, "UTRIACR"},    {0x50, "UTRLBA"},   {0x54, "UTRLBAU"},
    {0x58, "UTRLDBR"},    {0x5C, "UTRLCLR"},  {0x60, "UTRLRSR"},    {0x64, "UTRLCNR"},  {0x70, "UTMRLBA"},
    {0x74, "UTMRLBAU"},   {0x78, "UTMRLDBR"}, {0x7C, "UTMRLCLR"},   {0x80, "UTMRLRSR"}, {0x90, "UICCMD"},
    {0x94, "UCMDARG1"},   {0x98, "UCMDARG2"}, {0x9C, "UCMDARG3"},   {0xB0, "UMA"},      {0x100, "CCAP"},
    {0x104, "CRYPTOCAP"}, {0x300, "CONFIG"},  {0x380, "MCQCONFIG"}, {0x384, "ESILBA"},  {0x388, "ESIUBA"},
}};

inline constexpr std::array<named, 12> config_names{
    {{0x00, "SQATTR"},
     {0x04, "SQLBA"},
     {0x08, "SQUBA"},
     {0x0C, "SQDAO"},
     {0x10, "SQISAO"},
     {0x14, "SQCFG"},
     {0x20, "CQATTR"},
     {0x24, "CQLBA"},
     {0x28, "CQUBA"},
     {0x2C, "CQDAO"},
     {0x30, "CQISAO"},
     {0x34, "CQCFG"}}};

inline constexpr std::array<named, 12> runtime_names{
    {{0x00, "SQHP"},
     {0x04, "SQTP"},
     {0x08, "SQRTC"},
     {0x0C, "SQCTI"},
     {0x10, "SQRTS"},
     {0x14, "SQIS"},
     {0x18, "SQIE"},
     {0x1C, "CQHP"},
     {0x20, "CQTP"},
     {0x24, "CQIS"},
     {0x28, "CQIE"},
     {0x2C, "CQIACR"}}};

inline constexpr std::array<char const*, 22> cause_names{
    "UTRCS", "UDEPRI", "UE",    "UTMS",  "UPMS",  "UHXS",  "UHES",  "ULLS",  "ULSS", "UTMRCS", "UCCS",
    "DFES",  "UTPES",  nullptr, nullptr, nullptr, "HCFES", "SBFES", "CEFES", "SQES", "CQES",   "IAGES"};

} // namespace register_names

/// Name of the register at `offset`, such as "UTRLDBR" or "CQTP[1]"; its offset in hexadecimal where it has none.
[[nodiscard]] inline std::string register_name(std::size_t offset) {
    constexpr char digits[] = "0123456789ABCDEF";
    for (auto const& n : register_names::fixed_names) {
        if (n.name != nullptr and n.at == offset) {
            return n.name;
        }
    }
    auto const in_block = [offset](auto const& names, std::size_t base, std::size_t stride) -> std::string {
        if (offset < base or offset >= base + stride * queue_layout::queues) {
            return {};
        }
        for (auto const& n : names) {
            if (n.at == (offset - base) % stride) {
                return std::string(n.name) + "[" + std::to_string((offset - base) / stride) + "]";
            }
        }
        return {};
    };
    std::string name = in_block(register_names::config_names, queue_layout::config, queue_layout::config_stride);
    if (name.empty()) {
        name = in_block(register_names::runtime_names, queue_layout::runtime, queue_layout::runtime_stride);
    }
    if (name.empty()) {
        name = "0x";
        bool started = false;
        for (int shift = 28; shift >= 0; shift -= 4) {
            auto const digit = (offset >> static_cast<unsigned>(shift)) & 0xFu;
            started = started or digit != 0 or shift == 0;
            if (started) {
                name += digits[digit];
            }
        }
    }
    return name;
}

/// Names of the bits that are set in `value` of the register at `offset`: causes for IS and IE, slots for doorbells,
/// field names for the small ones; empty where the register has no named bits.
[[nodiscard]] inline std::string bit_names(std::size_t offset, std::uint32_t value) {
    std::string out;
    auto const add = [&out](std::string_view name) {
        if (not out.empty()) {
            out += '|';
        }
        out += name;
    };
    auto const bit = [&](unsigned n, char const* name) {
        if (((value >> n) & 1u) != 0) {
            add(name);
        }
    };
    namespace at = ufs::offset;
    switch (offset) {
    case at::is:
    case at::ie:
        for (unsigned n = 0; n < 32; ++n) {
            if (((value >> n) & 1u) != 0) {
                bool const named = n < register_names::cause_names.size() and register_names::cause_names[n] != nullptr;
                add(named ? std::string(register_names::cause_names[n]) : "bit" + std::to_string(n));
            }
        }
        break;
    case at::hcs:
        bit(0, "DP"), bit(1, "UTRLRDY"), bit(2, "UTMRLRDY"), bit(3, "UCRDY");
        if (((value >> 8) & 7u) != 0) {
            add("UPMCRS=" + std::to_string((value >> 8) & 7u));
        }
        break;
    case at::hce:
        bit(0, "HCE"), bit(1, "CGE");
        break;
    case at::utriacr:
        bit(31, "IAEN"), bit(24, "IAPWEN"), bit(20, "IASB"), bit(16, "CTR");
        add("IACTH=" + std::to_string((value >> 8) & 0x1Fu));
        add("IATOVAL=" + std::to_string(value & 0xFFu));
        break;
    case at::utrldbr:
    case at::utrlclr:
    case at::utrlcnr:
    case at::utmrldbr:
    case at::utmrlclr:
        for (unsigned n = 0; n < 32; ++n) {
            if (((value >> n) & 1u) != 0) {
                add("slot" + std::to_string(n));
            }
        }
        break;
    case at::uecpa:
    case at::uecdl:
    case at::uecn:
    case at::uect:
    case at::uecdme:
        bit(31, "valid");
        break;
    default:
        break;
    }
    return out;
}

/// One line of the log as text, without a line end: "t=1200 write UTRLDBR 0x00000008 (slot3)".
[[nodiscard]] inline std::string to_string(access const& line) {
    constexpr std::array<char const*, 12> kinds{"read",          "write",      "before_doorbell", "after_done",
                                                "before_unlock", "for_device", "for_cpu",         "finish",
                                                "line up",       "line down",  "pulse",           "power"};
    std::string out = "t=" + std::to_string(line.time) + " " + kinds[static_cast<std::size_t>(line.kind)];
    if (line.kind == access_kind::read or line.kind == access_kind::write) {
        constexpr char digits[] = "0123456789abcdef";
        out += " " + register_name(line.offset) + " 0x";
        for (int shift = 28; shift >= 0; shift -= 4) {
            out += digits[(line.value >> static_cast<unsigned>(shift)) & 0xFu];
        }
        if (std::string const names = bit_names(line.offset, line.value); not names.empty()) {
            out += " (" + names + ")";
        }
    } else if (
        line.kind == access_kind::for_device or line.kind == access_kind::for_cpu or line.kind == access_kind::finish) {
        out += " " + std::to_string(line.value);
    }
    return out;
}

} // namespace doorbell::testing
