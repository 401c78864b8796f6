// SPDX-License-Identifier: BSL-1.0
// Includes all that a driver can include and uses it without a standard library. Returns 0, or the number of the check
// that failed.
#include <embedded.hpp>

#include <cstdint>

int run();

int run() {
    namespace db = doorbell;

    // 1: tags and their sets
    auto tags = db::tag_set<32>{db::tag{3}} | db::tag_set<32>{db::tag{31}};
    unsigned sum = 0;
    for (auto const t : tags) {
        sum += t.index;
    }
    if (sum != 34) {
        return 1;
    }
    return 0;
}
