// SPDX-License-Identifier: BSL-1.0
// expect(gcc): could not convert
// expect(clang): no known conversion
#include <doorbell/core/tag_set.hpp>

bool has(doorbell::tag_set<32>, doorbell::tag);

#ifdef DOORBELL_CONTROL
bool use(doorbell::tag_set<32> set) {
    return has(set, doorbell::tag{3U});
}
#else
bool use(doorbell::tag_set<32> set) {
    return has(set, 3U);
}
#endif
