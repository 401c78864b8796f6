// SPDX-License-Identifier: BSL-1.0
#pragma once

/// What software may do to a field of a register, and what that does [R1]. One of these stands in each field of a
/// register's description; which operations compile follows from it.
namespace doorbell::access {

/// Keeps what software writes; reads back the same. The only kind that survives read-modify-write.
struct read_write {};

/// Written by hardware alone; what software writes is ignored.
struct read_only {};

/// Taken on write; what a read returns means nothing.
struct write_only {};

/// Set by hardware; writing 1 clears, writing 0 has no effect. Read-modify-write would clear what it did not mean to.
struct write_1_to_clear {};

/// Writing 0 acts on the bit, writing 1 has no effect; what a read returns is not promised.
struct write_0_to_clear {};

/// Set by software writing 1, cleared by hardware; writing 0 has no effect. Read-modify-write would set again what
/// hardware has just cleared.
struct write_1_to_set {};

/// Set by hardware; the read itself clears.
struct read_to_clear {};

/// Writing 1 starts an action and the bit goes back to 0 by itself.
struct self_clearing {};

} // namespace doorbell::access
