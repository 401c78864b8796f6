// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"

#include <cstdint>

namespace doorbell::testing::explore::detail {

/// The memory whose accesses are switch points: plain words, which the hooks look at for every access of the program.
struct watched_memory {
    static constexpr unsigned room = 8;

    std::uintptr_t begin[room];
    std::uintptr_t end[room];
    unsigned count;
};

inline constinit thread_local watched_memory watched{};

} // namespace doorbell::testing::explore::detail
