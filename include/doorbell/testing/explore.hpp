// SPDX-License-Identifier: BSL-1.0
#pragma once

/// The interleaving explorer: runs a scenario in every order of its contexts' steps that matters. docs/explorer.md is
/// its guide. Needs Boost.Context: link to doorbell::explore.

#include "explore/bank.hpp"
#include "explore/lock.hpp"
#include "explore/points.hpp"
#include "explore/run.hpp"
#include "explore/shared.hpp"
#include "explore/step_clock.hpp"
#include "hosted.hpp"
