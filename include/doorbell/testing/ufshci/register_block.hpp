// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "names.hpp"

#include <cstddef>
#include <cstdint>

namespace doorbell::testing {

/// Where in the map an offset lies.
struct register_block {
    enum kind_t : std::uint8_t {
        none,   ///< no register
        fixed,  ///< single registers; `at` is the offset
        config, ///< queue configuration; `at` is relative to the queue's block
        runtime ///< queue run time
    } kind;

    unsigned queue;
    std::size_t at;
};

/// Finds the block of an aligned offset on a host with `queues` queues.
[[nodiscard]] constexpr register_block locate(std::size_t offset, unsigned queues) noexcept {
    using in = queue_layout;
    auto const place = [queues](register_block::kind_t kind, std::size_t from, std::size_t stride, std::size_t last) {
        unsigned const queue = static_cast<unsigned>(from / stride);
        return register_block{
            queue < queues and from % stride <= last ? kind : register_block::none, queue, from % stride};
    };
    if (offset >= in::runtime) {
        return place(register_block::runtime, offset - in::runtime, in::runtime_stride, 0x2C);
    }
    if (offset >= in::config) {
        std::size_t const r = (offset - in::config) % in::config_stride;
        bool const hole = r == 0x18 or r == 0x1C;
        return hole ? register_block{register_block::none, 0, r}
                    : place(register_block::config, offset - in::config, in::config_stride, 0x34);
    }
    bool known = offset >= ufs::offset::vendor_first and offset <= ufs::offset::vendor_last;
    for (auto const& n : register_names::fixed_names) {
        known = known or n.at == offset;
    }
    return {known ? register_block::fixed : register_block::none, 0, offset};
}

/// Bits that mean something in the plain configuration registers; all bits elsewhere.
[[nodiscard]] constexpr std::uint32_t defined_bits(std::size_t offset) noexcept {
    namespace at = ufs::offset;
    switch (offset) {
    case at::ahit:
        return 0x1FFFu;
    case at::config:
        return 0x3u;
    case at::mcqconfig:
        return 0xFF00u;
    default:
        return ~0u;
    }
}

static_assert(locate(0x1020, 1).kind == register_block::runtime and locate(0x1020, 0).kind == register_block::none);

} // namespace doorbell::testing
