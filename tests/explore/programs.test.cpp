// SPDX-License-Identifier: BSL-1.0
#include <doorbell/testing/explore.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace explore = doorbell::testing::explore;
using explore::verdict;

namespace {

std::uint64_t factorial(std::uint64_t n) {
    return n < 2 ? 1 : n * factorial(n - 1);
}

// (n k)! / (k!)^n
std::uint64_t interleavings(std::uint64_t contexts, std::uint64_t steps) {
    std::uint64_t all = factorial(contexts * steps);
    for (std::uint64_t i = 0; i < contexts; ++i) {
        all /= factorial(steps);
    }
    return all;
}

explore::limits with(explore::reduction how) {
    explore::limits l{};
    l.reduce = how;
    l.count_orders = true;
    return l;
}

// Each of `contexts` contexts stores `steps` times, all to one word or each to its own.
explore::scenario stores(unsigned contexts, unsigned steps, bool to_one_word) {
    return [=](explore::schedule& s) {
        std::vector<std::unique_ptr<explore::shared<unsigned>>> words;
        for (unsigned c = 0; c < contexts; ++c) {
            words.push_back(std::make_unique<explore::shared<unsigned>>(s, "word " + std::to_string(c)));
        }
        for (unsigned c = 0; c < contexts; ++c) {
            s.context("context " + std::to_string(c), [&words, c, steps, to_one_word] {
                for (unsigned i = 0; i < steps; ++i) {
                    words[to_one_word ? 0 : c]->store(i);
                }
            });
        }
        s.go();
    };
}

} // namespace

TEST_CASE("without reduction every interleaving runs once") {
    for (unsigned contexts = 1; contexts <= 3; ++contexts) {
        for (unsigned steps = 1; steps <= 3; ++steps) {
            auto const r = explore::run("stores", stores(contexts, steps, false), with(explore::reduction::none));
            CAPTURE(contexts, steps, r.text());
            CHECK(r.end == verdict::exhausted);
            CHECK(r.schedules == interleavings(contexts, steps));
            CHECK(r.orders == 1);
        }
    }
}

TEST_CASE("contexts that share nothing need one schedule") {
    for (auto const how : {explore::reduction::sleep_sets, explore::reduction::dynamic}) {
        auto const r = explore::run("apart", stores(3, 3, false), with(how));
        CHECK(r.end == verdict::exhausted);
        CHECK(r.schedules == 1);
    }
}

TEST_CASE("stores to one word need every interleaving, and none twice") {
    for (auto const how : {explore::reduction::none, explore::reduction::sleep_sets, explore::reduction::dynamic}) {
        auto const r = explore::run("one word", stores(3, 2, true), with(how));
        CAPTURE(r.text());
        CHECK(r.end == verdict::exhausted);
        CHECK(r.schedules == interleavings(3, 2));
        CHECK(r.orders == interleavings(3, 2));
    }
}

TEST_CASE("readers of one word differ only by where the writer comes") {
    // One store and n contexts with one load each: each load sees the old value or the new one.
    auto const program = [](explore::schedule& s) {
        explore::shared<unsigned> word{s, "word"};
        s.context("writer", [&] { word.store(1); });
        for (int i = 0; i < 4; ++i) {
            s.context("reader", [&] { (void)word.load(); });
        }
        s.go();
    };
    CHECK(explore::run("readers", program, with(explore::reduction::none)).schedules == factorial(5));
    CHECK(explore::run("readers", program, with(explore::reduction::dynamic)).schedules == 16);
}

TEST_CASE("sections of one lock run in every order of the contexts") {
    auto const program = [](explore::schedule& s) {
        explore::explored_spin_lock lock;
        explore::shared<unsigned> word{s, "word"};
        for (int i = 0; i < 4; ++i) {
            s.context("context", [&] {
                auto const t = lock.acquire();
                word.store(word.load() + 1);
                lock.release(t);
            });
        }
        if (s.go()) {
            s.check(word.peek() == 4, "no increment is lost");
        }
    };
    auto const none = explore::run("lock", program, with(explore::reduction::none));
    auto const reduced = explore::run("lock", program, with(explore::reduction::dynamic));
    CHECK(none.passed());
    CHECK(none.schedules == factorial(4)); // a section cannot be entered, so nobody else has a step meanwhile
    CHECK(reduced.schedules == factorial(4));
    CHECK(reduced.covered == 0);
}

TEST_CASE("sections of different locks are independent") {
    auto const program = [](explore::schedule& s) {
        explore::explored_spin_lock first, second;
        for (int i = 0; i < 4; ++i) {
            s.context("context", [&first, &second, i] {
                auto& lock = i < 2 ? first : second;
                lock.release(lock.acquire());
            });
        }
        s.go();
    };
    CHECK(explore::run("two locks", program, with(explore::reduction::dynamic)).schedules == 4);
    CHECK(explore::run("two locks", program, with(explore::reduction::none)).orders == 4);
}

TEST_CASE("a counter without a lock loses an increment, and the script says how") {
    auto const program = [](explore::schedule& s) {
        explore::shared<unsigned> counter{s, "counter"};
        for (char const* name : {"first", "second"}) {
            s.context(name, [&] { counter.store(counter.load() + 1); });
        }
        if (s.go()) {
            s.check(counter.peek() == 2, "no increment is lost");
        }
    };
    auto const r = explore::run("counter", program);
    REQUIRE(r.end == verdict::failed);
    CHECK(r.fault->what == "no increment is lost");
    CHECK(r.fault->preemptions == 1);
    CHECK(r.fault->replay == "ab2a");
    CHECK(
        r.fault->script == "   1   first   load   counter  0x0\n"
                           "   2 * second  load   counter  0x0\n"
                           "   3   second  store  counter  0x1\n"
                           "   4   first   store  counter  0x1\n");

    SECTION("the string runs the same schedule again") {
        auto const again = explore::replay(r.fault->replay, program);
        REQUIRE(again.end == verdict::failed);
        CHECK(again.fault->script == r.fault->script);
    }
    SECTION("another string runs another schedule") {
        CHECK(explore::replay("a2b2", program).passed());
    }
    SECTION("a string that does not fit says so") {
        CHECK_FALSE(explore::replay("a9", program).passed());
        CHECK_FALSE(explore::replay("p", program).passed());
        CHECK_FALSE(explore::replay("A-", program).passed());
    }
}

TEST_CASE("Dekker's flags let at most one in") {
    auto const program = [](bool store_first) {
        return [store_first](explore::schedule& s) {
            explore::shared<unsigned> wants0{s, "wants 0"}, wants1{s, "wants 1"};
            unsigned in = 0;
            auto const enter = [&](auto& mine, auto& theirs) {
                if (store_first) {
                    mine.store(1);
                    in += theirs.load() == 0 ? 1U : 0U;
                } else {
                    in += theirs.load() == 0 ? 1U : 0U;
                    mine.store(1);
                }
            };
            s.context("0", [&] { enter(wants0, wants1); });
            s.context("1", [&] { enter(wants1, wants0); });
            if (s.go()) {
                s.check(in <= 1, "at most one is in");
            }
        };
    };
    auto const right = explore::run("dekker", program(true), with(explore::reduction::dynamic));
    CHECK(right.passed());
    CHECK(right.schedules == 3); // of the two loads at least one sees the other's store
    CHECK(explore::run("dekker", program(true), with(explore::reduction::none)).schedules == 6);
    CHECK_FALSE(explore::run("dekker", program(false)).passed());
}

TEST_CASE("a wake-up that is not sticky is lost") {
    // The sleeper looks and then sleeps; the waker comes in between and finds nobody asleep.
    auto const program = [](bool sticky) {
        return [sticky](explore::schedule& s) {
            explore::shared<unsigned> work{s, "work"}, asleep{s, "asleep"};
            explore::wake_flag wake{s};
            s.context("sleeper", [&] {
                if (work.load() == 0) {
                    asleep.store(1);
                    wake.sleep();
                }
            });
            s.context("waker", [&] {
                work.store(1);
                if (sticky or asleep.load() == 1) {
                    wake.wake();
                }
            });
            s.go();
        };
    };
    CHECK(explore::run("sticky", program(true)).passed());
    auto const lost = explore::run("not sticky", program(false));
    REQUIRE_FALSE(lost.passed());
    CHECK(lost.fault->what == "deadlock: sleeper waits to sleep wake");
}

TEST_CASE("two locks taken in both orders are a deadlock, in one order none") {
    auto const program = [](bool both_orders) {
        return [both_orders](explore::schedule& s) {
            explore::explored_spin_lock left{"left"}, right{"right"};
            auto const nest = [](auto& outer, auto& inner) {
                auto const o = outer.acquire();
                auto const i = inner.acquire();
                inner.release(i);
                outer.release(o);
            };
            s.context("a", [&] { nest(left, right); });
            s.context("b", [&] { both_orders ? nest(right, left) : nest(left, right); });
            s.go();
        };
    };
    auto const right = explore::run("one order", program(false));
    CHECK(right.passed());
    CHECK(right.schedules == 2);
    auto const wrong = explore::run("both orders", program(true));
    REQUIRE_FALSE(wrong.passed());
    CHECK(wrong.fault->what == "deadlock: a waits to acquire right, b waits to acquire left");
    CHECK(wrong.fault->preemptions == 1);
    CHECK_FALSE(explore::replay(wrong.fault->replay, program(true)).passed());
}

TEST_CASE("a schedule without an end is a livelock") {
    auto const r = explore::run(
        "polite",
        [](explore::schedule& s) {
            explore::shared<unsigned> turn{s, "turn"};
            s.context("waits", [&] {
                while (turn.load() == 0) {
                }
            });
            s.context("never ends", [&] {
                for (;;) {
                    turn.store(0);
                }
            });
            s.go();
        },
        {.steps = 100, .shrink = 0});
    REQUIRE_FALSE(r.passed());
    CHECK(r.fault->what == "livelock: no end after 100 steps");
}

TEST_CASE("what an assertion in a noexcept callback finds is reported") {
    auto const r = explore::run("assertion", [](explore::schedule& s) {
        explore::shared<unsigned> word{s, "word"};
        s.context("writer", [&] { word.store(1); });
        s.context("reader", [&]() noexcept { explore::require(word.load() == 0, "the word is 0"); });
        s.go();
    });
    REQUIRE_FALSE(r.passed());
    CHECK(r.fault->what == "the word is 0");
    CHECK(r.fault->preemptions == 0);
}

TEST_CASE("an exception in a context is a failure with its text") {
    auto const r = explore::run("exception", [](explore::schedule& s) {
        s.context("thrower", [] { throw std::runtime_error{"no"}; });
        s.go();
    });
    REQUIRE_FALSE(r.passed());
    CHECK(r.fault->what == "thrower throws: no");
}

TEST_CASE("a scenario that does not repeat itself is found out") {
    unsigned runs = 0;
    auto const r = explore::run("different", [&runs](explore::schedule& s) {
        explore::shared<unsigned> word{s, "word"};
        explore::shared<unsigned> other{s, "other"};
        bool const odd = runs++ % 2 == 1;
        s.context("a", [&] {
            (odd ? other : word).store(1);
            word.store(2);
        });
        s.context("b", [&] { word.store(3); });
        s.go();
    });
    REQUIRE_FALSE(r.passed());
    CHECK(r.fault->what.starts_with("doorbell: the scenario did not repeat itself"));
}

TEST_CASE("limits are said") {
    auto const program = stores(3, 3, true);
    SECTION("of schedules") {
        auto const r = explore::run("many", program, {.schedules = 10});
        CHECK(r.end == verdict::stopped);
        CHECK(r.schedules == 10);
        CHECK(r.text() == "many: stopped at limit, 10 schedules, longest 9 steps");
    }
    SECTION("of preemptions") {
        auto const r = explore::run("few", program, {.reduce = explore::reduction::none, .preemptions = 0});
        CHECK(r.end == verdict::bounded);
        CHECK(r.schedules == 6); // one context after the other
        CHECK(r.text() == "few: bounded, preemptions <= 0, 6 schedules without reduction, longest 9 steps");
    }
    SECTION("none") {
        auto const r = explore::run("all", stores(2, 1, true));
        CHECK(r.text() == "all: exhausted, 2 schedules, longest 2 steps");
    }
}

TEST_CASE("preemptions are counted as the formula says") {
    // Two contexts of k steps: schedules of exactly p switches away from one that could go on.
    // With n blocks the first context starts: the cuts of each context into blocks are free.
    auto const choose = [](std::uint64_t n, std::uint64_t k) {
        return k > n ? 0 : factorial(n) / factorial(k) / factorial(n - k);
    };
    constexpr std::uint64_t k = 4;
    for (unsigned bound = 0; bound <= 4; ++bound) {
        // p preemptions: p + 1 changes of context in all but one end, that is a + b blocks, of which the change at the
        // end of the context that finishes first costs nothing.
        std::uint64_t expected = 0;
        for (std::uint64_t a = 1; a <= k; ++a) {
            for (std::uint64_t const b : {a - 1, a, a + 1}) {
                if (b < 1 or b > k) {
                    continue;
                }
                std::uint64_t const orders = choose(k - 1, a - 1) * choose(k - 1, b - 1);
                std::uint64_t const preemptions = a + b - 2;
                if (a == b) {
                    expected += preemptions <= bound ? 2 * orders : 0; // either begins
                } else {
                    expected += preemptions <= bound ? orders : 0;
                }
            }
        }
        auto const r =
            explore::run("bounded", stores(2, k, true), {.reduce = explore::reduction::none, .preemptions = bound});
        CAPTURE(bound);
        CHECK(r.schedules == expected);
    }
}

TEST_CASE("how long somebody was held up is told in virtual time") {
    auto const holder_and_waiter = [](bool locking) {
        return [locking](explore::schedule& s) {
            explore::explored_spin_lock lock{};
            s.context("holder", [&, locking] {
                if (locking) {
                    auto const token = lock.acquire();
                    explore::spend("work", 0, 100);
                    lock.release(token);
                } else {
                    explore::spend("work", 0, 100);
                }
            });
            s.context("waiter", [&] {
                auto const token = lock.acquire();
                lock.release(token);
            });
            s.go();
            s.check(s.now() == s.steps() + 99, "one step takes 100, all others 1");
        };
    };
    explore::limits const all{.reduce = explore::reduction::none};
    auto const r = explore::run("behind a lock", holder_and_waiter(true), all);
    CHECK(r.passed());
    CHECK(r.longest_wait("waiter") == 101); // the work, and the release
    CHECK(r.longest_wait("holder") == 1);
    auto const free = explore::run("beside each other", holder_and_waiter(false), all);
    CHECK(free.passed());
    CHECK(free.longest_wait("waiter") == 0); // not chosen, but nobody held it up
}
