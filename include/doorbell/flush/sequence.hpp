// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "results.hpp"

#include <bit>
#include <cstdint>

namespace doorbell {

/// What a block request asks for beside its data.
struct flush_wishes {
    bool preflush = false; ///< what was completed before it is durable before its data is written
    bool data = true;      ///< it has data; false: it is a flush
    bool fua = false;      ///< its data is durable when it is answered
};

/// What comes next for such a request.
enum class flush_step : std::uint32_t {
    preflush,      ///< ask the coalescer for a flush
    write,         ///< submit the data
    write_through, ///< submit the data with force unit access
    postflush,     ///< ask the coalescer for a flush, after write_completed was told
    succeeded,     ///< answer it
    failed,        ///< answer it; nothing else is sent
};

/// The steps of one request, one after the other: no step is handed over before the one in front of it has succeeded,
/// so the data never races its own preflush. A device without force unit access gets a flush behind the data in its
/// place; where nothing is to be flushed the coalescer says so at once. A value without a lock: it belongs to its
/// request. [F1] [F7]
class flush_sequence {
public:
    constexpr flush_sequence(flush_wishes wishes, bool device_has_fua) noexcept
        : steps_{plan(wishes, device_has_fua)} {}

    /// What is to be done now. Contexts: any. Cost: a few word operations.
    [[nodiscard]] constexpr flush_step next() const noexcept {
        if (steps_ != 0) {
            return static_cast<flush_step>(std::countr_zero(steps_));
        }
        return failed_ ? flush_step::failed : flush_step::succeeded;
    }

    /// The step that `next` named has ended. A failure ends the request. Gives back what comes now.
    constexpr flush_step ended(bool ok) noexcept {
        steps_ &= ok ? steps_ - 1 : 0U; // the lowest bit is the step that was under way
        failed_ = failed_ or not ok;
        return next();
    }

    /// How to tell the coalescer of the data, when it is complete.
    [[nodiscard]] constexpr write_kind kind() const noexcept {
        return next() == flush_step::write_through ? write_kind::through : write_kind::cached;
    }

private:
    [[nodiscard]] static constexpr std::uint32_t bit(flush_step step) noexcept {
        return 1U << static_cast<std::uint32_t>(step);
    }

    [[nodiscard]] static constexpr std::uint32_t plan(flush_wishes wishes, bool device_has_fua) noexcept {
        std::uint32_t const before = wishes.preflush ? bit(flush_step::preflush) : 0U;
        if (not wishes.data) {
            return bit(flush_step::preflush);
        }
        if (not wishes.fua) {
            return before | bit(flush_step::write);
        }
        return before |
               (device_has_fua ? bit(flush_step::write_through) : bit(flush_step::write) | bit(flush_step::postflush));
    }

    std::uint32_t steps_;
    bool failed_ = false;
};

} // namespace doorbell
