// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doorbell/controllers/ufshci/cache_flush.hpp>
#include <doorbell/controllers/ufshci/descriptor.hpp>
#include <doorbell/controllers/ufshci/queue_state.hpp>

#include <cstddef>
#include <cstdint>

/// What the controller and the firmware share: the transfer list, a command for each slot, and its data.
namespace ufs_memory {

struct alignas(128) command {
    unsigned char request[32];
    unsigned char response[64];
    std::uint64_t data_address;
    std::uint32_t reserved;
    std::uint32_t last_byte; ///< of the data, counted from 0
};

struct memory {
    alignas(1024) doorbell::ufs::utrd list[32];
    alignas(1024) unsigned char tasks[8 * 80];
    command commands[32];
    doorbell::ufs::flush_buffer flush;
    alignas(4096) std::uint32_t data[32][1024];

    // Of multi-queue mode: one pair of rings, of one place more than there are slots.
    static constexpr unsigned depth = 33;
    alignas(1024) doorbell::ufs::utrd submissions[depth];
    alignas(1024) doorbell::ufs::completion_entry completions[depth];
};

inline constexpr unsigned char read_10 = 0x28, write_10 = 0x2A, test_unit_ready = 0x00;

inline std::uint64_t address_of(void const* what) {
    return reinterpret_cast<std::uintptr_t>(what);
}

inline void put_32(unsigned char* to, std::uint32_t value) {
    to[0] = static_cast<unsigned char>(value >> 24);
    to[1] = static_cast<unsigned char>(value >> 16);
    to[2] = static_cast<unsigned char>(value >> 8);
    to[3] = static_cast<unsigned char>(value);
}

/// Descriptor and request of a slot. `type` is that of the request, `bytes` may be 0.
inline void
fill(memory& m, unsigned slot, unsigned char type, unsigned char flags, unsigned char unit, std::uint32_t bytes) {
    command& c = m.commands[slot];
    for (unsigned char& each : c.request) {
        each = 0;
    }
    c.request[0] = type;
    c.request[1] = flags;
    c.request[2] = unit;
    c.request[3] = static_cast<unsigned char>(slot);
    put_32(c.request + 12, bytes);
    c.response[6] = c.response[7] = 0xFF;
    c.data_address = address_of(m.data[slot]);
    c.reserved = 0;
    c.last_byte = bytes - 1;

    constexpr std::uint32_t storage = 1U << 28, to_device = 1U << 25, from_device = 2U << 25;
    constexpr std::uint32_t response_at = offsetof(command, response) / 4,
                            data_at = offsetof(command, data_address) / 4;
    doorbell::ufs::utrd& d = m.list[slot];
    doorbell::ufs::clear(d);
    std::uint64_t const at = address_of(&c);
    d.word[0] = storage | doorbell::ufs::utrd_interrupt | ((flags & 0x40) != 0 ? from_device : 0U) |
                ((flags & 0x20) != 0 ? to_device : 0U);
    d.word[4] = static_cast<std::uint32_t>(at);
    d.word[5] = static_cast<std::uint32_t>(at >> 32);
    d.word[6] = response_at << 16 | sizeof(c.response) / 4;
    d.word[7] = data_at << 16 | (bytes != 0 ? 1U : 0U);
}

/// A SCSI command for some blocks.
inline void
scsi(memory& m, unsigned slot, unsigned char operation, std::uint32_t block, unsigned count, unsigned char unit = 0) {
    unsigned char const flags = operation == read_10 ? 0x40 : operation == write_10 ? 0x20 : 0;
    fill(m, slot, 0x01, flags, unit, count * 4096);
    unsigned char* const block_command = m.commands[slot].request + 16;
    block_command[0] = operation;
    put_32(block_command + 2, block);
    block_command[7] = static_cast<unsigned char>(count >> 8);
    block_command[8] = static_cast<unsigned char>(count);
}

/// NOP OUT, which the device answers with NOP IN.
inline void nop(memory& m, unsigned slot) {
    fill(m, slot, 0x00, 0, 0, 0);
}

/// A query of the flag fDeviceInit: sets it (operation 6) or reads it (5).
inline void query_device_init(memory& m, unsigned slot, unsigned char operation) {
    fill(m, slot, 0x16, 0, 0, 0);
    m.commands[slot].request[5] = operation == 6 ? 0x81 : 0x01;
    m.commands[slot].request[12] = operation;
    m.commands[slot].request[13] = 0x01;
    m.commands[slot].request[14] = m.commands[slot].request[15] = 0;
}

} // namespace ufs_memory
