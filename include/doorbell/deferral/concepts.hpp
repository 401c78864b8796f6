// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "item.hpp"

#include <concepts>

namespace doorbell {

/// A request that carries the link of its queue.
template <class Item>
concept deferrable = std::derived_from<Item, deferred_item>;

/// Runs the callback of one item: `give(item)`, in the context of the bottom half, outside of every lock. It may submit
/// the item again, queue others and ask for their state. [G3]
template <class Give, class Item>
concept gives_back = requires(Give& give, Item& item) {
    { give(item) } noexcept;
};

/// A batch of completions, handed over together: anything that yields references to items, twice if it is asked twice.
template <class Batch, class Item>
concept completed_batch = requires(Batch const& batch) {
    { *batch.begin() } -> std::convertible_to<Item&>;
    { batch.begin() != batch.end() } -> std::convertible_to<bool>;
};

} // namespace doorbell
