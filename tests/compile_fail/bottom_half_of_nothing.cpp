// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: a bottom half that gives back nothing never ends; write inline_all for no budget
#include <doorbell/completion/time_budget.hpp>
#include <doorbell/deferral/bottom_half.hpp>
#include <doorbell/lock/null_lock.hpp>
#include <doorbell/time/counter.hpp>

namespace db = doorbell;

struct request : db::deferred_item {};

struct now {
    std::uint32_t operator()() const noexcept { return 0; }
};

using ticks = db::counter<now, 1'000>;

#ifdef DOORBELL_CONTROL
using subject = db::bottom_half<request, db::null_lock, db::inline_all, ticks>;
#else
using subject = db::bottom_half<request, db::null_lock, db::deferred_all, ticks>;
#endif

subject made{};
