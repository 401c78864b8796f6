// SPDX-License-Identifier: BSL-1.0
// expect: counter_rep
#include <doorbell/time/deadline.hpp>

#ifdef DOORBELL_CONTROL
doorbell::deadline<std::uint32_t> end{};
#else
doorbell::deadline<std::int32_t> end{};
#endif
