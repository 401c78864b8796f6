// SPDX-License-Identifier: BSL-1.0
// Placeholder until host.hpp is there.
#include <embedded.hpp>

constinit int core = 1;
