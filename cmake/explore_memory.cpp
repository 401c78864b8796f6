// SPDX-License-Identifier: BSL-1.0
// The one source file of doorbell::explore_memory.
#include <doorbell/testing/explore/memory_hooks.hpp>
