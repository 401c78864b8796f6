// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace replay {

/// What one policy did with one recording. All of it is counted by the virtual machine, its bank and its lock.
struct policy_results {
    std::string policy{};
    bool own = false;           ///< a core of the library, not a baseline
    std::uint64_t requests = 0; ///< whose completion is in the recording
    std::uint64_t handed = 0;   ///< to the hardware; more than `requests` when the recording lacks completions
    std::uint64_t completed = 0;
    std::uint64_t lost = 0;    ///< finished by the device, callback not run when the machine is idle at the end
    std::uint64_t doubled = 0; ///< callbacks for requests that the device had not finished, or that had theirs already
    std::uint64_t interrupts = 0;
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    std::uint64_t hard_max_ns = 0;
    std::uint64_t lock_max_ns = 0;
    std::uint64_t wakeups = 0;
    std::uint64_t added_sum_ns = 0; ///< over all completed requests, from the device's finish to the callback
    std::uint64_t added_max_ns = 0;
    std::vector<std::string> faults{}; ///< what a core must never do, besides losing or doubling

    /// A callback runs, so long after the device finished its request.
    void note_completion(std::uint64_t added_ns) noexcept {
        ++completed;
        added_sum_ns += added_ns;
        added_max_ns = added_ns > added_max_ns ? added_ns : added_max_ns;
    }

    [[nodiscard]] double reads_per_request() const noexcept { return per(reads, handed); }

    [[nodiscard]] double writes_per_request() const noexcept { return per(writes, handed); }

    [[nodiscard]] double added_mean_ns() const noexcept { return per(added_sum_ns, completed); }

    /// Nothing lost, nothing doubled, no other fault.
    [[nodiscard]] bool sound() const noexcept { return lost == 0 and doubled == 0 and faults.empty(); }

private:
    [[nodiscard]] static double per(std::uint64_t sum, std::uint64_t count) noexcept {
        return count == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(count);
    }
};

} // namespace replay
