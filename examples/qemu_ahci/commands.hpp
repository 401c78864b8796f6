// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

/// What an AHCI adapter reads from memory: a list of command headers, and for each a table with the command's frame and
/// where its data are.
namespace ahci_memory {

inline constexpr unsigned slots = 32;
inline constexpr std::uint32_t block_bytes = 4096, sector_bytes = 512, sectors = block_bytes / sector_bytes;

struct header {
    std::uint32_t flags; ///< length of the frame in words, direction, entries of the data table
    std::uint32_t done;  ///< bytes, written by hardware
    std::uint32_t table[2];
    std::uint32_t reserved[4];
};

struct table {
    std::uint32_t frame[16];
    std::uint32_t packet[4];
    std::uint32_t reserved[12];
    std::uint32_t data[2];
    std::uint32_t reserved_too;
    std::uint32_t bytes; ///< minus 1
    std::uint32_t fill[28];
};

static_assert(sizeof(header) == 32 and sizeof(table) % 128 == 0);

struct alignas(1024) memory {
    header list[slots];
    alignas(256) std::uint8_t received[256];
    alignas(128) table tables[slots];
    alignas(4096) std::uint32_t data[slots][block_bytes / 4];
};

namespace command {

inline constexpr std::uint8_t read_queued = 0x60, write_queued = 0x61, flush = 0xEA, identify = 0xEC;

}

/// A host-to-device frame with a command for `count` sectors at `lba`.
inline void fill(memory& of, unsigned slot, std::uint8_t what, std::uint64_t lba, std::uint32_t count) {
    bool const queued = what == command::read_queued or what == command::write_queued;
    bool const writes = what == command::write_queued;
    bool const data = what != command::flush;
    table& to = of.tables[slot];
    auto const low = static_cast<std::uint32_t>(lba & 0xFF'FFFF), high = static_cast<std::uint32_t>(lba >> 24);
    // A queued command carries its count where others have their features, and its slot where they have the count.
    to.frame[0] = 0x27U | 1U << 15 | std::uint32_t{what} << 16 | (queued ? count & 0xFF : 0U) << 24;
    to.frame[1] = low | 1U << 30;
    to.frame[2] = high | (queued ? count >> 8 : 0U) << 24;
    to.frame[3] = queued ? slot << 3 : count;
    to.frame[4] = 0;
    auto const where = reinterpret_cast<std::uintptr_t>(of.data[slot]);
    to.data[0] = static_cast<std::uint32_t>(where);
    to.data[1] = static_cast<std::uint32_t>(std::uint64_t{where} >> 32);
    to.bytes = (what == command::identify ? sector_bytes : count * sector_bytes) - 1;
    header& entry = of.list[slot];
    auto const place = reinterpret_cast<std::uintptr_t>(&to);
    entry.flags = 5U | (writes ? 1U << 6 : 0U) | (data ? 1U << 16 : 0U);
    entry.done = 0;
    entry.table[0] = static_cast<std::uint32_t>(place);
    entry.table[1] = static_cast<std::uint32_t>(std::uint64_t{place} >> 32);
}

} // namespace ahci_memory
