// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../storage_device.hpp"
#include "descriptors.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace doorbell::testing {

/// Layer of what a request asks of the device: it reads the request UPIU, works on the write cache (knob `blocks`) and
/// writes the response UPIU. Understood: NOP, READ, WRITE, WRITE with force unit access, SYNCHRONIZE CACHE, UNMAP as a
/// write of stamp 0; everything else succeeds without an effect. The stamp of a block is the first 8 bytes of its data,
/// 4096 bytes apart in the first region of the physical region table; without data it is the number of the write.
class ufshci_commands : public ufshci_descriptors {
public:
    static constexpr std::size_t block_bytes = 4096;

    [[nodiscard]] storage_device& storage() noexcept { return storage_; }

    /// Host or device reset, as far as the cache is concerned (knob `reset_drops_cache`).
    std::vector<storage_device::lost_write> reset_device() {
        note(access_kind::power, 0, 0);
        return knobs_.reset_drops_cache ? storage_.cut() : std::vector<storage_device::lost_write>{};
    }

    /// The power fails now: what is in flight never answers, the cache is gone. Gives back the acknowledged writes that
    /// are lost. Registers keep their values; follow with gone() or a new bring-up.
    std::vector<storage_device::lost_write> cut_storage() {
        note(access_kind::power, 0, 1);
        return storage_.cut();
    }

protected:
    explicit ufshci_commands(ufshci_knobs const& knobs)
        : ufshci_descriptors(knobs), storage_(knobs.blocks, knobs.write_cache) {}

    /// What the device knows of a request while it works on it.
    struct command {
        std::uint64_t flush = 0; // token of the flush, when it is one
        std::uint8_t opcode = 0xFF;
    };

    /// The device takes the request up.
    void begin_command(command& c, unsigned char const* utrd) noexcept {
        c = {};
        if (knobs_.blocks == 0 or utrd == nullptr) {
            return;
        }
        unsigned char const* const upiu = memory_.device(command_of(utrd).at, 32);
        if (upiu == nullptr or upiu[0] != 0x01) {
            return; // NOP, query, or no command descriptor
        }
        c.opcode = upiu[16];
        if (c.opcode == synchronize) {
            c.flush = storage_.flush_begin();
        }
    }

    /// The device has done it; `ocs` other than success: it has not, and nothing changes but the response.
    void end_command(command const& c, unsigned char const* utrd, std::uint32_t ocs) {
        if (knobs_.blocks == 0 or utrd == nullptr) {
            return;
        }
        extent const place = command_of(utrd);
        unsigned char const* const upiu = memory_.device(place.at, 32);
        if (upiu == nullptr) {
            return;
        }
        bool const ok = ocs == ufs::ocs::success;
        bool inside = true;
        if (c.opcode == synchronize) {
            storage_.flush_end(c.flush, ok);
        } else if (ok and c.opcode != 0xFF) {
            inside = move_data(upiu, utrd, place.at);
        }
        respond(upiu, utrd, place.at, ok and inside);
    }

private:
    static constexpr std::uint8_t synchronize = 0x35, read_10 = 0x28, write_10 = 0x2A, unmap = 0x42;

    [[nodiscard]] static std::uint32_t big(unsigned char const* p) noexcept {
        return (std::uint32_t{p[0]} << 24) | (std::uint32_t{p[1]} << 16) | (std::uint32_t{p[2]} << 8) | p[3];
    }

    /// False: beyond the end of the device.
    bool move_data(unsigned char const* upiu, unsigned char const* utrd, std::uint64_t base) {
        unsigned char const* const cdb = upiu + 16;
        if (cdb[0] != read_10 and cdb[0] != write_10 and cdb[0] != unmap) {
            return true;
        }
        std::uint64_t const first = big(cdb + 2);
        std::uint32_t const count = (std::uint32_t{cdb[7]} << 8) | cdb[8];
        if (first + count > storage_.blocks()) {
            return false;
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            unsigned char* const data = buffer(utrd, base, std::size_t{i} * block_bytes);
            if (cdb[0] == read_10) {
                put_stamp(data, storage_.read(first + i));
            } else {
                std::uint64_t const given = data != nullptr ? get_stamp(data) : storage_.writes() + 1;
                storage_.write(first + i, cdb[0] == unmap ? 0 : given, (cdb[1] & 0x08u) != 0);
            }
        }
        return true;
    }

    /// Device's view of the data at `offset` of the first region; nullptr where there is none.
    [[nodiscard]] unsigned char* buffer(unsigned char const* utrd, std::uint64_t base, std::size_t offset) noexcept {
        if (half(utrd + 28) == 0) {
            return nullptr;
        }
        unsigned char const* const entry = memory_.device(base + std::uint64_t{4} * half(utrd + 30), 16);
        if (entry == nullptr) {
            return nullptr;
        }
        std::uint64_t const at = (std::uint64_t{word(entry + 4)} << 32) | word(entry);
        std::uint64_t const bytes = std::uint64_t{word(entry + 12) & 0x3FFFFu} + 1;
        return offset + 8 <= bytes ? memory_.device(at + offset, 8) : nullptr;
    }

    [[nodiscard]] static std::uint64_t get_stamp(unsigned char const* p) noexcept {
        return (std::uint64_t{word(p + 4)} << 32) | word(p);
    }

    static void put_stamp(unsigned char* p, std::uint64_t stamp) noexcept {
        for (unsigned i = 0; p != nullptr and i < 8; ++i) {
            p[i] = static_cast<unsigned char>(stamp >> (8 * i));
        }
    }

    void respond(unsigned char const* upiu, unsigned char const* utrd, std::uint64_t base, bool ok) noexcept {
        std::size_t const room = std::size_t{4} * half(utrd + 24);
        unsigned char* const out = memory_.device(base + std::uint64_t{4} * half(utrd + 26), room);
        if (out == nullptr or room < 32) {
            return;
        }
        for (std::size_t i = 0; i < 32; ++i) {
            out[i] = 0;
        }
        out[0] = static_cast<unsigned char>(upiu[0] == 0x01 ? 0x21 : upiu[0] | 0x20u);
        out[2] = upiu[2];
        out[3] = upiu[3];
        out[7] = ok ? 0 : 2; // CHECK CONDITION
    }

    storage_device storage_;
};

} // namespace doorbell::testing
