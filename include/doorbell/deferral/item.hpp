// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "endpoint.hpp"

namespace doorbell {

/// What a request derives from to have its completion given back in a bottom half: the link of its queue, in the
/// request itself, so that no queue is ever full and nothing is allocated. In one queue at a time. Its words belong to
/// the bottom half's lock. [G1]
class deferred_item {
public:
    constexpr deferred_item() noexcept = default;

    /// Completions are given back in the order of this endpoint.
    constexpr explicit deferred_item(endpoint& of) noexcept : endpoint_{&of} {}

    deferred_item(deferred_item const&) = delete;
    deferred_item& operator=(deferred_item const&) = delete;

    /// Binds it to an endpoint; not while it is queued. The owner's, without the lock.
    constexpr void belong_to(endpoint& of) noexcept { endpoint_ = &of; }

private:
    friend class giveback_queues;

    deferred_item* next_ = nullptr;
    endpoint* endpoint_ = nullptr;
    bool queued_ = false;
};

} // namespace doorbell
