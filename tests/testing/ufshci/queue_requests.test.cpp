// SPDX-License-Identifier: BSL-1.0
#include <catch2/catch_test_macros.hpp>
#include <doorbell/testing/ufshci/queue_requests.hpp>

namespace {

struct nothing {};

using pool_t = doorbell::testing::queue_requests<nothing>;

void put(pool_t& pool, unsigned place, std::uint64_t order, std::uint8_t queue, std::uint8_t tag) {
    pool[place].busy = true;
    pool[place].order = order;
    pool[place].queue = queue;
    pool[place].tag = tag;
}

} // namespace

TEST_CASE("Requests are found by age and tag within their queue, finished ones apart") {
    pool_t pool;
    CHECK(pool.free() == 0);
    CHECK(pool.oldest(0) == pool_t::none);
    put(pool, 5, 2, 0, 7);
    put(pool, 9, 1, 0, 8);
    put(pool, 0, 3, 1, 7);
    CHECK(pool.free() == 1);
    CHECK(pool.oldest(0) == 9);
    CHECK(pool.find(0, 7) == 5);
    CHECK(pool.find(1, 7) == 0);
    CHECK(pool.find(1, 8) == pool_t::none);
    CHECK(pool.working() == 3);
    pool[9].done = true;
    pool[9].completion = 1;
    CHECK(pool.oldest(0) == 5);
    CHECK(pool.find(0, 8) == pool_t::none);
    CHECK(pool.oldest_done(1) == 9);
    CHECK(pool.oldest_done(0) == pool_t::none);
    CHECK(pool.working() == 2);
    CHECK(pool.done() == 1);
}

TEST_CASE("A full pool has no free place") {
    pool_t pool;
    for (unsigned i = 0; i < pool_t::capacity; ++i) {
        put(pool, i, i, 0, 0);
    }
    CHECK(pool.free() == pool_t::none);
}
