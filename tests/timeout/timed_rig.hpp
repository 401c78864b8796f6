// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../support/rig.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace support {

using moment = db::deadline<std::uint32_t>;

/// A driver with a timer: it keeps what the timer was last armed for, and checks that it is armed with the lock held.
struct timed_driver : plain_driver {
    unsigned armed = 0; ///< how often
    bool is_armed = false;
    moment armed_for{};
    unsigned armed_without_lock = 0;
    bool ends = true; ///< the device lets go of what it is asked to
    unsigned ended_on_device = 0;
    std::vector<unsigned> controls_late{};
    std::function<db::timeout_verdict<std::uint32_t>(unsigned)> on_timed_out{};

    void arm_timer(moment at) noexcept {
        ++armed;
        is_armed = true;
        armed_for = at;
        armed_without_lock += watch->held() ? 0U : 1U;
    }

    bool end_on_device(db::tag) noexcept {
        ++ended_on_device;
        return ends;
    }

    db::timeout_verdict<std::uint32_t> timed_out(db::tag t) noexcept {
        note("timed_out " + std::to_string(t.index));
        return on_timed_out ? on_timed_out(t.index) : db::timeout_verdict<std::uint32_t>{};
    }

    void control_timed_out(unsigned which) noexcept {
        note("control_timed_out " + std::to_string(which));
        controls_late.push_back(which);
    }
};

/// A started core with deadlines. The device clears a slot when it is told to.
template <class Timeouts, class Budget = db::inline_all, class... Options>
struct timed_rig : rig<Budget, timed_driver, db::statistics, Timeouts, links, Options...> {
    using base = rig<Budget, timed_driver, db::statistics, Timeouts, links, Options...>;
    using tags = typename base::tags;

    timed_rig() {
        this->started();
        for (auto& each : this->driver.responses) {
            each = db::outcome::not_written;
        }
        this->hw.after_access = [this](std::string const& line) {
            if (line.starts_with("write at 5c")) {
                this->hw.doorbell &=
                    clears ? static_cast<std::uint32_t>(std::stoul(line.substr(12), nullptr, 16)) : ~0U;
            }
        };
    }

    ~timed_rig() { CHECK(this->driver.armed_without_lock == 0); }

    bool clears = true;

    void submit(std::uint32_t now, std::uint32_t slots) {
        this->core.tick(now);
        this->in_flight(slots);
    }

    /// The device finishes these.
    void finish(std::uint32_t slots) {
        for (db::tag const each : tags{slots}) {
            this->driver.responses[each.index] = db::outcome::success;
        }
        this->hw.finish(slots);
    }

    /// Calls expire as the timer does; it is not armed meanwhile.
    db::expiry<tags> expire(std::uint32_t now) {
        this->driver.is_armed = false;
        return this->core.expire(now);
    }
};

} // namespace support
