// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: deferred_all completes nothing, so it cannot be combined; write deferred_all alone
#include <doorbell/completion/count_budget.hpp>
#include <doorbell/completion/first_of.hpp>
#include <doorbell/completion/unbounded.hpp>

namespace db = doorbell;

#ifdef DOORBELL_CONTROL
using subject = db::first_of<db::count_budget<4>, db::inline_all>;
#else
using subject = db::first_of<db::count_budget<4>, db::deferred_all>;
#endif

bool const hard = subject::completes_in_hard_handler;
