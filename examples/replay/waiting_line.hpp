// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "kernel_trace.hpp"
#include "ledger.hpp"
#include "slot_table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace replay {

/// Requests that were sent and wait for a slot or for the lock, first come, first served.
class waiting_line {
public:
    [[nodiscard]] bool empty() const noexcept { return line_.empty(); }

    [[nodiscard]] std::size_t size() const noexcept { return line_.size(); }

    /// More than any recording can have in flight.
    [[nodiscard]] bool hopeless() const noexcept {
        return line_.size() > std::size_t{2} * kernel_trace::most_controllers * ledger::tags;
    }

    void push(slot_table::request const& r) { line_.push_back(r); }

    [[nodiscard]] slot_table::request pop() {
        slot_table::request const r = line_.front();
        line_.pop_front();
        return r;
    }

    /// The recording shows the end of a request that may wait here.
    void set_end(std::uint64_t number, std::uint64_t recorded_end, bool counted) noexcept {
        // Numbers ascend: requests come in the order of the recording.
        auto const at = std::ranges::lower_bound(line_, number, {}, &slot_table::request::number);
        if (at != line_.end() and at->number == number) {
            at->latency = recorded_end - at->sent_at;
            at->counted = counted;
        }
    }

private:
    std::deque<slot_table::request> line_{};
};

} // namespace replay
