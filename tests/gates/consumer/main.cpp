// SPDX-License-Identifier: BSL-1.0
#include <doorbell/core/tag_set.hpp>

int main() {
    auto const tags = doorbell::tag_set<32>{doorbell::tag{5}};
    return tags.single() ? 0 : 1;
}
