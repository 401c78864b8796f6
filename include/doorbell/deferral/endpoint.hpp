// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace doorbell {

/// Which completions go first.
enum class giveback_priority : std::uint8_t { low, high };

/// Where the completions of an endpoint stand. [G4]
enum class endpoint_activity : std::uint8_t {
    quiet,      ///< none is queued and none runs
    waiting,    ///< some are queued: hardware is done with them, their callbacks have not run
    completing, ///< a callback of this endpoint is running; more may be queued
};

/// Somebody whose completions keep their order: a USB endpoint, a queue, a stream. Owned by the user, as long as any
/// item names it. Its words belong to the bottom half's lock. [G1]
class endpoint {
public:
    constexpr explicit endpoint(giveback_priority priority = giveback_priority::low) noexcept : priority_{priority} {}

    endpoint(endpoint const&) = delete;
    endpoint& operator=(endpoint const&) = delete;

    [[nodiscard]] constexpr giveback_priority priority() const noexcept { return priority_; }

private:
    friend class giveback_queues;

    std::uint32_t waiting_ = 0;
    giveback_priority priority_;
};

} // namespace doorbell
