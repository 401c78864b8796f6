// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace firmware {

/// What the stack is filled with, to see how deep it was.
inline constexpr std::uint32_t paint = 0xA5A5'5A5A;

[[noreturn]] void run();

/// Interrupt handlers.
void on_timer();
void on_ufs();

/// Bytes of stack that were ever used.
[[nodiscard]] std::uint32_t used_stack() noexcept;

} // namespace firmware
