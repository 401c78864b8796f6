// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../time/concepts.hpp"
#include "../hosted.hpp"
#include "schedule.hpp"

#include <cstdint>

namespace doorbell::testing::explore {

/// A time source that counts the steps of the context which reads it, one nanosecond each. Steps of others do not
/// count: so the time read does not depend on orders that the reduction leaves out.
struct step_clock {
    using rep = std::uint64_t;
    static constexpr std::uint64_t resolution_ns = 1;

    [[nodiscard]] static rep now() noexcept {
        schedule const* const one = schedule::here();
        return one == nullptr ? 0 : one->own_steps();
    }

    [[nodiscard]] static constexpr rep ticks(std::uint64_t ns) noexcept { return ns; }
};

static_assert(fixed_rate<step_clock>);

} // namespace doorbell::testing::explore
