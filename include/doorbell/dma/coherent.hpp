// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"

namespace doorbell {

/// Memory that CPU and device see alike: nothing to do but the barriers, which the register bank has [R5].
/// Any context, no lock, no errors, no instruction.
struct coherent {
    [[gnu::always_inline]] constexpr void for_device(tag) const noexcept {}

    [[gnu::always_inline]] constexpr void for_cpu(tag) const noexcept {}
};

static_assert(dma_policy<coherent>);

} // namespace doorbell
