// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: a budget of 0 ns is not `no limit`; write inline_all, or deferred_all for none
#include <doorbell/completion/time_budget.hpp>

namespace db = doorbell;

#ifdef DOORBELL_CONTROL
using subject = db::time_budget<1>;
#else
using subject = db::time_budget<0>;
#endif

bool const hard = subject::completes_in_hard_handler;
