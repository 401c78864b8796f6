// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"

#include <cstdint>
#include <string>

namespace doorbell::testing::explore::detail {

/// "0x2A" of 42: how the script writes values and places.
[[nodiscard]] inline std::string hexadecimal(std::uint64_t value) {
    std::string digits;
    do {
        digits.insert(digits.begin(), "0123456789ABCDEF"[value & 0xF]);
        value >>= 4U;
    } while (value != 0);
    return "0x" + digits;
}

} // namespace doorbell::testing::explore::detail
