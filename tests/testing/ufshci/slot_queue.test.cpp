// SPDX-License-Identifier: BSL-1.0
#include <catch2/catch_test_macros.hpp>
#include <doorbell/testing/ufshci/slot_queue.hpp>

using doorbell::testing::slot_queue;

TEST_CASE("Slots wait in order, and one that leaves does not disturb the others") {
    slot_queue q;
    for (unsigned round = 0; round < 40; ++round) {
        q.push(3);
        q.push(1);
        q.push(31);
        q.remove(1);
        q.remove(7);
        CHECK(q.pop() == 3);
        CHECK(q.pop() == 31);
        CHECK(q.empty());
    }
}
