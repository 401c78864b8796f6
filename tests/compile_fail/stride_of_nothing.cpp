// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: a stride of 0 would never look at the clock; write inline_all for no limit
#include <doorbell/completion/time_budget.hpp>

namespace db = doorbell;

#ifdef DOORBELL_CONTROL
using subject = db::every<1>;
#else
using subject = db::every<0>;
#endif

auto const stride = subject::completions;
