// SPDX-License-Identifier: BSL-1.0
#include <doorbell/testing/explore.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <vector>

namespace explore = doorbell::testing::explore;
using explore::verdict;

namespace {

// A small program of random steps: what the reduction leaves out must be nothing but other orders of the same.
struct program {
    enum class verb : std::uint8_t { load, store, lock, unlock, mask_lock, mask_unlock, wake, sleep, boundary };

    struct step {
        verb what;
        unsigned which;
    };

    struct flow {
        unsigned core;
        std::vector<step> steps;
    };

    std::vector<flow> contexts{};
    std::vector<step> handler{}; // empty: there is none
    bool nested = false;
    std::uint32_t seed = 0;

    explicit program(std::uint32_t s) : seed{s} {
        unsigned const count = 2 + random() % 2;
        unsigned const budget = count == 2 ? 5 : 3;
        for (unsigned c = 0; c < count; ++c) {
            contexts.push_back({random() % 2, steps(budget)});
        }
        if (random() % 2 == 0) {
            handler = steps(2);
            nested = random() % 3 != 0;
        }
    }

    std::uint32_t random() {
        seed = seed * 1664525U + 1013904223U;
        return (seed >> 16) & 0x7FFF;
    }

    std::vector<step> steps(unsigned budget) {
        std::vector<step> all;
        for (unsigned i = 0; i < budget; ++i) {
            switch (random() % 8) {
            case 0:
            case 1:
                all.push_back({verb::load, random() % 2});
                break;
            case 2:
            case 3:
                all.push_back({verb::store, random() % 2});
                break;
            case 4: {
                unsigned const which = random() % 2;
                all.push_back({verb::lock, which});
                all.push_back({random() % 2 == 0 ? verb::load : verb::store, random() % 2});
                all.push_back({verb::unlock, which});
                ++i;
                break;
            }
            case 5:
                all.push_back({verb::mask_lock, 0});
                all.push_back({random() % 2 == 0 ? verb::load : verb::store, random() % 2});
                all.push_back({verb::mask_unlock, 0});
                ++i;
                break;
            case 6:
                all.push_back({random() % 3 == 0 ? verb::sleep : verb::wake, 0});
                break;
            default:
                all.push_back({verb::boundary, 0});
                break;
            }
        }
        return all;
    }
};

struct world {
    explicit world(explore::schedule& s) {
        words.emplace_back(s, "x", 0);
        words.emplace_back(s, "y", 0);
    }

    std::deque<explore::shared<unsigned>> words{};
    std::deque<explore::explored_spin_lock> locks{2};
    explore::explored_irq_spin_lock masking{"masking"};
};

// What a program can do that others can see: the values its loads found, in the order of each context; and deadlocks.
using outcome = std::vector<unsigned>;

explore::report run(program const& p, explore::limits const& how, std::set<outcome>& outcomes) {
    auto limits = how;
    limits.count_orders = true;
    return explore::run(
        "random",
        [&](explore::schedule& s) {
            world w{s};
            explore::wake_flag flag{s};
            explore::shared<unsigned> line{s, "line", 0};
            std::deque<std::vector<unsigned>> seen(p.contexts.size() + 1);
            auto const act = [&](program::step const& step, std::vector<unsigned>& log) {
                using verb = program::verb;
                switch (step.what) {
                case verb::load:
                    log.push_back(w.words[step.which].load());
                    break;
                case verb::store:
                    w.words[step.which].store(
                        static_cast<unsigned>(&log - &seen[0]) * 16 + 1 + static_cast<unsigned>(log.size()));
                    break;
                case verb::lock:
                    (void)w.locks[step.which].acquire();
                    break;
                case verb::unlock:
                    w.locks[step.which].release({});
                    break;
                case verb::mask_lock:
                    (void)w.masking.acquire();
                    break;
                case verb::mask_unlock:
                    w.masking.release({});
                    break;
                case verb::wake:
                    flag.wake();
                    break;
                case verb::sleep:
                    flag.sleep();
                    break;
                case verb::boundary:
                    explore::boundary("boundary", 0);
                    break;
                }
            };
            for (std::size_t c = 0; c < p.contexts.size(); ++c) {
                s.service("context", explore::core{p.contexts[c].core}, [&, c] {
                    if (c == 0) {
                        line.store(1);
                    }
                    for (auto const& step : p.contexts[c].steps) {
                        act(step, seen[c]);
                    }
                });
            }
            if (not p.handler.empty()) {
                explore::line const raised{{line.what(), explore::mode::read}, [&line] { return line.peek() == 1; }};
                auto const body = [&] {
                    line.store(0);
                    for (auto const& step : p.handler) {
                        act(step, seen.back());
                    }
                };
                if (p.nested) {
                    s.hard_handler("handler", explore::core{0}, raised, body);
                } else {
                    s.hard_handler("handler", raised, body);
                }
            }
            s.go();
            outcome all;
            for (auto const& each : seen) {
                all.insert(all.end(), each.begin(), each.end());
                all.push_back(~0U);
            }
            if (not s.covered()) {
                outcomes.insert(all);
            }
        },
        limits);
}

} // namespace

TEST_CASE("the reduction loses no order and repeats none") {
    unsigned compared = 0, smaller = 0;
    for (std::uint32_t seed = 1; compared < 200; ++seed) {
        program const p{seed};
        std::set<outcome> all, some, fewest;
        auto const none = run(p, {.reduce = explore::reduction::none, .schedules = 3'000, .shrink = 0}, all);
        if (none.end == verdict::stopped) {
            continue;
        }
        ++compared;
        auto const sleeping = run(p, {.reduce = explore::reduction::sleep_sets, .shrink = 0}, some);
        auto const dynamic = run(p, {.reduce = explore::reduction::dynamic, .shrink = 0}, fewest);
        CAPTURE(seed, none.text(), sleeping.text(), dynamic.text());
        REQUIRE(none.passed() == sleeping.passed());
        REQUIRE(none.passed() == dynamic.passed());
        if (not none.passed()) {
            continue; // the first failure ends all of them
        }
        REQUIRE(sleeping.orders == none.orders);
        REQUIRE(sleeping.schedules == none.orders);
        REQUIRE(dynamic.orders == none.orders);
        REQUIRE(dynamic.schedules == none.orders);
        REQUIRE(some == all);
        REQUIRE(fewest == all);
        smaller += dynamic.schedules < none.schedules ? 1 : 0;
    }
    CHECK(smaller > compared / 3);
}
