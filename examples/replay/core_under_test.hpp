// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>

namespace replay {

/// What a hard handler asks of the machine.
struct handling {
    bool wake_thread = false;
    bool mask_line = false; ///< keep the interrupt line masked until the thread has ended
};

/// What the machine calls.
class core_under_test {
public:
    virtual ~core_under_test() = default;

    /// Before the first request.
    virtual void start() noexcept = 0;
    /// Hands the request in `slot` to the hardware; false: refused.
    [[nodiscard]] virtual bool submit(unsigned slot) noexcept = 0;
    [[nodiscard]] virtual handling on_hard_irq() noexcept = 0;
    /// True: run again before sleeping.
    [[nodiscard]] virtual bool on_thread() noexcept = 0;

protected:
    core_under_test() = default;
    core_under_test(core_under_test const&) = default;
    core_under_test& operator=(core_under_test const&) = default;
};

} // namespace replay
