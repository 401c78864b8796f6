// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "policies.hpp"

#include <ostream>
#include <span>

namespace replay {

/// Where the program writes.
struct application_output {
    std::ostream& out;
    std::ostream& err;
    std::ostream* terminal = nullptr; ///< for the progress bar; null when there is none
};

/// The program. Returns the exit status: 1 when a core of the library is at fault, else 2 when the command line or a
/// recording is, else 0.
[[nodiscard]] int
application(int argc, char const* const* argv, std::span<policy_entry const> known, application_output const& to);

} // namespace replay
