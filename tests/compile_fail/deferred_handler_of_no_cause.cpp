// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: a handler bound to no cause never runs; name its cause bits
#include <doorbell/dispatch/handlers.hpp>

namespace db = doorbell;

struct disk {
    void done(db::raised<db::any_context>) noexcept;
};

#ifdef DOORBELL_CONTROL
using subject = db::deferred<1, &disk::done>;
#else
using subject = db::deferred<0, &disk::done>;
#endif

auto const causes = subject::causes;
