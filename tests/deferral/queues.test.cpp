// SPDX-License-Identifier: BSL-1.0
#include <doorbell/deferral/queues.hpp>

#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace {

using namespace doorbell;

struct request : deferred_item {
    explicit request(endpoint& of, int n) : deferred_item{of}, number{n} {}

    int number;
};

/// The items of one run, as long as the budget of so many lasts.
std::vector<int> run(giveback_queues& q, unsigned budget = 100) {
    std::vector<int> given;
    REQUIRE(q.begin());
    while (deferred_item* const item = q.next(given.size() < budget)) {
        given.push_back(static_cast<request*>(item)->number);
    }
    (void)q.end();
    return given;
}

} // namespace

TEST_CASE("Completions come back in the order of their endpoint, high priority first", "[inv:G1]") {
    endpoint stream{giveback_priority::high};
    endpoint disk;
    endpoint tape;
    request a{disk, 1}, b{stream, 2}, c{tape, 3}, d{disk, 4}, e{stream, 5};
    giveback_queues q;
    for (request* each : {&a, &b, &c, &d, &e}) {
        CHECK(q.push(*each));
    }
    CHECK(run(q) == std::vector{2, 5, 1, 3, 4});
    CHECK(q.empty());
}

TEST_CASE("Low priority gets one item per run however small the budget is", "[inv:G1]") {
    endpoint stream{giveback_priority::high};
    endpoint disk;
    request a{stream, 1}, b{stream, 2}, c{stream, 3}, x{disk, 7}, y{disk, 8}, z{disk, 9};
    giveback_queues q;
    for (request* each : {&a, &b, &c, &x, &y, &z}) {
        CHECK(q.push(*each));
    }
    CHECK(run(q, 1) == std::vector{1, 7});
    CHECK(run(q, 2) == std::vector{2, 3, 8});
    CHECK(run(q, 1) == std::vector{9});
    CHECK(q.empty());
}

TEST_CASE("A run takes what was queued when it began", "[inv:G2]") {
    endpoint stream{giveback_priority::high};
    endpoint disk;
    request a{disk, 1}, b{disk, 2}, c{stream, 3};
    giveback_queues q;
    CHECK(q.push(a));
    REQUIRE(q.begin());
    CHECK(q.push(b)); // arrivals
    CHECK(q.push(c));
    CHECK(q.next(true) == &a);
    CHECK(q.next(true) == nullptr);
    CHECK(q.end()); // another run is wanted
    CHECK(run(q) == std::vector{3, 2});
}

TEST_CASE("One run at a time; whoever comes second leaves the rest to it", "[inv:G2]") {
    endpoint disk;
    request a{disk, 1};
    giveback_queues q;
    CHECK(q.push(a));
    REQUIRE(q.begin());
    CHECK_FALSE(q.begin());
    CHECK(q.next(true) == &a);
    CHECK_FALSE(q.begin());
    CHECK(q.next(true) == nullptr);
    CHECK_FALSE(q.end());
    CHECK(q.begin());
}

TEST_CASE("A run is asked for once, and never not at all", "[inv:G2]") {
    endpoint disk;
    request a{disk, 1}, b{disk, 2};
    giveback_queues q;
    CHECK_FALSE(q.schedule());
    CHECK(q.push(a));
    CHECK(q.schedule());
    CHECK(q.push(b));
    CHECK_FALSE(q.schedule());
    REQUIRE(q.begin());
    CHECK_FALSE(q.schedule()); // the run that is under way sees to it
    CHECK(q.next(true) == &a);
    CHECK(q.next(false) == nullptr);
    CHECK(q.end());
    CHECK_FALSE(q.schedule()); // its end said so
    CHECK(run(q) == std::vector{2});
    CHECK(q.push(a));
    CHECK(q.schedule());
}

TEST_CASE("An item that is queued already stays where it is", "[inv:G1]") {
    endpoint disk;
    request a{disk, 1}, b{disk, 2};
    request homeless{disk, 3};
    deferred_item nobody;
    giveback_queues q;
    CHECK(q.push(a));
    CHECK(q.push(b));
    CHECK_FALSE(q.push(a));
    CHECK_FALSE(q.push(nobody)); // no endpoint
    CHECK(run(q) == std::vector{1, 2});
    CHECK(q.push(a)); // given back: free again
}

TEST_CASE("Queue empty and its completion has not run yet are two answers", "[inv:G4]") {
    endpoint disk;
    endpoint other;
    request a{disk, 1}, b{disk, 2};
    giveback_queues q;
    CHECK(q.activity(disk) == endpoint_activity::quiet);
    CHECK(q.push(a));
    CHECK(q.activity(disk) == endpoint_activity::waiting);
    CHECK(q.activity(other) == endpoint_activity::quiet);
    REQUIRE(q.begin());
    CHECK(q.next(true) == &a);
    CHECK(q.empty());
    CHECK_FALSE(q.quiet());
    CHECK(q.activity(disk) == endpoint_activity::completing);
    CHECK(q.push(b));
    CHECK(q.activity(disk) == endpoint_activity::completing);
    CHECK(q.next(true) == nullptr);
    CHECK(q.activity(disk) == endpoint_activity::waiting);
    (void)q.end();
    CHECK(run(q) == std::vector{2});
    CHECK(q.activity(disk) == endpoint_activity::quiet);
    CHECK(q.quiet());
}

TEST_CASE("Unlinking changes nothing and tells what is still to come", "[inv:G3]") {
    endpoint disk;
    request a{disk, 1}, b{disk, 2};
    giveback_queues q;
    CHECK(q.unlink(a) == unlink_status::not_queued);
    CHECK(q.push(a));
    CHECK(q.push(b));
    CHECK(q.unlink(a) == unlink_status::already_done);
    REQUIRE(q.begin());
    CHECK(q.next(true) == &a);
    CHECK(q.unlink(a) == unlink_status::completing);
    CHECK(q.unlink(b) == unlink_status::already_done);
    CHECK(q.push(a)); // submitted again and finished again, from inside its callback
    CHECK(q.unlink(a) == unlink_status::already_done);
    CHECK(q.next(true) == &b);
    CHECK(q.next(true) == nullptr);
    (void)q.end();
    CHECK(run(q) == std::vector{1});
}
