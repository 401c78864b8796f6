// SPDX-License-Identifier: BSL-1.0
#pragma once

/// The test kit may use the whole standard library, so it exists only where there is one. Every header of the kit
/// includes this one first; nothing outside of doorbell/testing includes it.
#if defined(__STDC_HOSTED__) && __STDC_HOSTED__ == 0
#    error "doorbell: doorbell/testing needs a hosted implementation; build your tests for the development machine."
#endif
