// SPDX-License-Identifier: BSL-1.0
#include <doorbell/flush/domain.hpp>

#include <catch2/catch_test_macros.hpp>

namespace {

namespace db = doorbell;
using db::detail::counting;
using domain = db::detail::durability_domain<4, counting::alone>;
using db::tag;

} // namespace

TEST_CASE("a domain is born dirty, and clean once a flush covered all", "[inv:F7]") {
    domain d;
    CHECK_FALSE(d.clean());
    d.sample();
    d.settle();
    CHECK(d.clean());
    auto const place = d.advance();
    CHECK_FALSE(d.clean());
    CHECK_FALSE(d.durable(place));
    CHECK(d.durable(place - 1));
    CHECK(d.durable(db::written_through));
    CHECK_FALSE(d.durable(0));
}

TEST_CASE("doubt stretches from the first doubtful write to the last", "[inv:F3]") {
    domain d;
    d.sample();
    d.settle();
    auto const first = d.advance();
    d.sample();
    CHECK(d.doubt_sampled());
    auto const between = d.advance();
    d.sample();
    d.settle();
    CHECK(d.durable(between));
    auto const last = d.advance();
    d.sample();
    CHECK(d.doubt_sampled());
    d.settle();
    CHECK_FALSE(d.durable(first));
    CHECK_FALSE(d.durable(between)); // rather doubted than believed
    CHECK_FALSE(d.durable(last));
    CHECK(d.durable(first - 1));
    CHECK(d.clean());
    CHECK_FALSE(d.doubt_written()); // nothing was left to be lost
    d.start_over();
    CHECK(d.durable(last));
}

TEST_CASE("errors are due to those who are there, or to whoever comes first", "[inv:F3]") {
    domain d;
    CHECK_FALSE(d.owes());
    db::tag_set<4> open{};
    open.insert(tag{1});
    d.raise(db::flush_error::write_failed, open, false);
    CHECK(d.owes());
    CHECK(d.owes(tag{1}));
    CHECK_FALSE(d.owes(tag{2}));
    d.opened(tag{2}); // nobody has had it yet
    CHECK(d.owes(tag{2}));
    d.told(tag{1});
    d.opened(tag{3});
    CHECK_FALSE(d.owes(tag{3}));
    CHECK(d.owes());
    d.closed(tag{2});
    CHECK_FALSE(d.owes());
    d.raise(db::flush_error::flush_failed, {}, true);
    CHECK(d.poisoned());
    CHECK(d.owes(tag{0}));
    CHECK(d.why() == db::flush_error::flush_failed);
}

TEST_CASE("places are counted by each of the ways there are", "[inv:F1]") {
    db::detail::generation_counter<counting::alone> alone;
    db::detail::generation_counter<counting::atomic> atomic;
    db::detail::generation_counter<counting::locked> locked;
    CHECK(alone.load() == 1);
    CHECK(alone.advance() == 2);
    CHECK(atomic.advance() == 2);
    CHECK(locked.advance() == 2);
    CHECK(atomic.load() == 2);
}
