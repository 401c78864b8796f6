// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: an edge is not repeated, so the status has to be read again; write edge_line<2> or more
#include <doorbell/dispatch/signal.hpp>

namespace db = doorbell;

#ifdef DOORBELL_CONTROL
using subject = db::edge_line<2>;
#else
using subject = db::edge_line<1>;
#endif

auto const rounds = subject::rounds;
