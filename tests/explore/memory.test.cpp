// SPDX-License-Identifier: BSL-1.0
#include <doorbell/core/shared_word.hpp>
#include <doorbell/testing/explore.hpp>

#include <catch2/catch_test_macros.hpp>

#include <string>

namespace explore = doorbell::testing::explore;

TEST_CASE("accesses to watched plain words are switch points") {
    auto const program = [](bool lock_it) {
        return [lock_it](explore::schedule& s) {
            struct {
                unsigned other = 0;
                unsigned counter = 0;
            } memory{};
            explore::explored_spin_lock lock;
            s.watch("memory", memory);
            for (char const* name : {"first", "second"}) {
                s.context(name, [&memory, &lock, lock_it] {
                    if (lock_it) {
                        (void)lock.acquire();
                    }
                    unsigned volatile& counter = memory.counter;
                    counter = counter + 1;
                    if (lock_it) {
                        lock.release({});
                    }
                });
            }
            if (s.go()) {
                s.check(memory.counter == 2, "no increment is lost");
            }
        };
    };
    auto const lost = explore::run("without a lock", program(false));
    REQUIRE_FALSE(lost.passed());
    CHECK(
        lost.fault->script == "   1   first   read   memory+0x4\n"
                              "   2 * second  read   memory+0x4\n"
                              "   3   second  write  memory+0x4\n"
                              "   4   first   write  memory+0x4\n");
    CHECK_FALSE(explore::replay(lost.fault->replay, program(false)).passed());

    auto const kept = explore::run("with a lock", program(true));
    CHECK(kept.passed());
    CHECK(kept.schedules == 2);
}

TEST_CASE("a shared word is seen as it is shipped") {
    auto const r = explore::run("shared word", [](explore::schedule& s) {
        doorbell::shared_word word;
        s.watch("word", word);
        s.context("writer", [&] { word.store(1); });
        s.context("reader", [&] { (void)word.load(); });
        s.go();
    });
    CHECK(r.passed());
    CHECK(r.schedules == 2);
}

TEST_CASE("a word that two contexts use needs a lock, one of its own does not") {
    auto const program = [](unsigned who_locks, bool both) {
        return [who_locks, both](explore::schedule& s) {
            unsigned word = 0;
            explore::explored_spin_lock lock;
            s.watch("word", word, explore::access_rule::behind_lock);
            for (unsigned c = 0; c < (both ? 2U : 1U); ++c) {
                s.context("context " + std::to_string(c), [&, c] {
                    bool const locks = (who_locks >> c & 1U) != 0;
                    if (locks) {
                        (void)lock.acquire();
                    }
                    unsigned volatile& w = word;
                    w = 1;
                    if (locks) {
                        lock.release({});
                    }
                });
            }
            s.go();
        };
    };
    CHECK(explore::run("both lock", program(3, true)).passed());
    CHECK(explore::run("one context", program(0, false)).passed());
    CHECK_FALSE(explore::run("the first locks", program(1, true)).passed());
    CHECK_FALSE(explore::run("the second locks", program(2, true)).passed());
    CHECK(
        explore::run("nobody locks", program(0, true)).fault->what ==
        "context 0 uses word+0x0 without a lock, and so do others");
}
