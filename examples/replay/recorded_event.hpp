// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace replay {

/// One step of a recording after its sends and completions were matched.
struct recorded_event {
    enum class kind : std::uint8_t {
        send,   ///< a request is handed to the hardware
        finish, ///< the request completes; the difference to its send is what the device took
        drop,   ///< its completion is missing from the recording, and it is known to be over
    };

    kind what = kind::send;
    std::uint32_t tag = 0;     ///< as recorded
    std::uint64_t time_ns = 0; ///< never falls from one event to the next
    std::uint64_t request = 0; ///< numbers the sends of the recording, from 1
};

} // namespace replay
