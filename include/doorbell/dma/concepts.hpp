// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../core/tag.hpp"

namespace doorbell {

/// Hands the memory of one request to and fro between CPU and device, where caches do not do it by themselves [R5].
/// `for_device` runs after the driver's last touch of the descriptor and before the doorbell's barrier: it cleans what
/// the device will read and write. `for_cpu` runs after the doorbell said "done" and before the response is read: it
/// invalidates what the device wrote. Both run in any context, the submit side with the core's lock held, and do not
/// fail; their cost is the policy's.
template <class D>
concept dma_policy = requires(D& dma, tag t) {
    { dma.for_device(t) } noexcept;
    { dma.for_cpu(t) } noexcept;
};

} // namespace doorbell
