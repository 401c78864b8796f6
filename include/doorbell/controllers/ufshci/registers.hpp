// SPDX-License-Identifier: BSL-1.0
#pragma once

/// The whole register map of the UFSHCI family as types: what may be done to a register, and to which of its fields,
/// is part of the type. Compile time only.
#include "capability_registers.hpp"
#include "list_registers.hpp"
#include "queue_registers.hpp"
#include "runtime_registers.hpp"
