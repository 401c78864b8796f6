// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: first_of combines budgets; write the single budget itself
#include <doorbell/completion/count_budget.hpp>
#include <doorbell/completion/first_of.hpp>

namespace db = doorbell;

#ifdef DOORBELL_CONTROL
using subject = db::first_of<db::count_budget<4>, db::count_budget<8>>;
#else
using subject = db::first_of<db::count_budget<4>>;
#endif

bool const hard = subject::completes_in_hard_handler;
