// SPDX-License-Identifier: BSL-1.0
#include "../explore/explored.hpp"

#include <doorbell/flush/carry_out.hpp>
#include <doorbell/flush/coalescer.hpp>

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace {

namespace db = doorbell;
namespace explore = doorbell::testing::explore;
using db::tag;
using explore::verdict;
using rig::explored;

constexpr unsigned most = 3;

struct no_clock {
    using rep = std::uint32_t;

    static constexpr rep now() noexcept { return 0; }
};

/// A disk whose cache holds one block for each writer, and the callers around a coalescer.
template <class Lock>
struct scene {
    using coalescer = db::flush_coalescer<no_clock, Lock, db::flush_riders<4>, db::flush_streams<4>>;

    explicit scene(explore::schedule& one)
        : s{one}, cache{one.thing("cache")}, wire{one.thing("flush command")}, desk{one.thing("answers")} {
        for (unsigned i = 0; i < most; ++i) {
            (void)c.open(tag{i});
        }
        s.watch("coalescer", c, explore::access_rule::behind_lock);
    }

    scene(scene const&) = delete;
    scene& operator=(scene const&) = delete;

    /// Writes, then wants it to be durable.
    void writer(unsigned who) {
        explore::point("write", cache, {cache, explore::mode::write}, who);
        cached[who] = true;
        (void)c.write_completed(tag{0});
        auto const w = c.flush(tag{who}, tag{who}, tag{0});
        if (w.status == db::flush_status::waiting) {
            db::carry_out(w, *this);
            explore::wait_until("wait", desk, {desk, explore::mode::read}, [this, who] { return answered[who]; });
        } else {
            explore::require(w.status != db::flush_status::done or durable[who], "what is answered at once is true");
            told_ok[who] = w.status == db::flush_status::done;
            refused[who] = w.status == db::flush_status::stopped;
        }
    }

    // What the coalescer asks for.

    void issue(db::ticket const& which) noexcept {
        explore::require(explore::unlocked(), "nothing is handed over with the lock held");
        explore::point("hand over", wire, hand_over_touches(), which.generation);
        explore::require(not busy, "one flush is in flight");
        busy = true;
        ticket = which;
        covered = cached;
    }

    void flushed(tag rider, bool ok) noexcept {
        explore::require(explore::unlocked(), "nobody is answered with the lock held");
        explore::point("answer", desk, {desk, explore::mode::write}, rider.index);
        explore::require(not answered[rider.index], "a request is answered once");
        answered[rider.index] = true;
        told_ok[rider.index] = ok;
        explore::require(not ok or durable[rider.index], "what is answered as a success is on the medium");
    }

    void quiesced(bool something_is_left) noexcept {
        ++came_to_rest;
        lossy = something_is_left;
    }

    /// The device does what it is told.
    void device() {
        s.service("device", [this] {
            for (;;) {
                explore::wait_until("flush", wire, hand_over_touches(), [this] { return busy; });
                for (unsigned i = 0; i < most; ++i) {
                    durable[i] = durable[i] or covered[i];
                }
                busy = false;
                auto const w = c.flush_ended(ticket, db::flush_end::done);
                ended += w.status == db::flush_status::accepted ? 1U : 0U;
                db::carry_out(w, *this);
            }
        });
    }

    [[nodiscard]] explore::footprint hand_over_touches() const {
        explore::footprint f{wire, explore::mode::write};
        f.add(cache, explore::mode::write);
        return f;
    }

    explore::schedule& s;
    explore::object cache;
    explore::object wire;
    explore::object desk;
    coalescer c{};
    std::array<bool, most> cached{};
    std::array<bool, most> covered{};
    std::array<bool, most> durable{};
    std::array<bool, most> answered{};
    std::array<bool, most> told_ok{};
    std::array<bool, most> refused{};
    db::ticket ticket{};
    bool busy = false;
    bool lossy = false;
    unsigned came_to_rest = 0;
    unsigned ended = 0;
};

template <class Lock>
explore::scenario writers(unsigned count) {
    return [count](explore::schedule& s) {
        scene<Lock> it{s};
        for (unsigned i = 0; i < count; ++i) {
            s.context("writer " + std::to_string(i), [&it, i] { it.writer(i); });
        }
        it.device();
        if (s.go()) {
            for (unsigned i = 0; i < count; ++i) {
                s.check(it.told_ok[i], "every writer has its answer");
            }
        }
    };
}

} // namespace

TEST_CASE("writers that flush, in every order", "[inv:F1][inv:F2]") {
    CHECK(explored("two writers that flush", writers<explore::explored_irq_spin_lock>(2)).end == verdict::exhausted);
    CHECK(explored("three writers that flush", writers<explore::explored_irq_spin_lock>(3)).end == verdict::exhausted);
}

TEST_CASE("without its lock a coalescer fails, and the string shows how", "[inv:F2]") {
    auto const scenario = writers<explore::explored_no_lock>(2);
    auto const r = explored("two writers that flush, without a lock", scenario);
    REQUIRE(r.end == verdict::failed);
    CHECK_FALSE(explore::replay(r.fault->replay, scenario).passed());
}

TEST_CASE("the end of a flush against its time-out: one of them is the result", "[inv:X2][inv:F3]") {
    auto const r = explored("end against time-out", [](explore::schedule& s) {
        scene<explore::explored_irq_spin_lock> it{s};
        unsigned too_late = 0;
        s.context("writer", [&] { it.writer(0); });
        s.context("timer", [&] {
            auto const w = it.c.flush_timed_out({tag{0}, 1});
            too_late = w.status == db::flush_status::not_in_flight ? 1 : 0;
            db::carry_out(w, it);
        });
        it.device();
        if (s.go()) {
            s.check(it.told_ok[0] == (too_late == 1), "a success unless the time-out was told first");
        }
    });
    CHECK(r.end == verdict::exhausted);
}

TEST_CASE("stop against a writer: it is refused, or what it wrote is durable when the device goes", "[inv:F8]") {
    auto const r = explored("stop against a writer", [](explore::schedule& s) {
        scene<explore::explored_irq_spin_lock> it{s};
        s.context("writer", [&] { it.writer(0); });
        s.context("owner", [&] { db::carry_out(it.c.stop(), it); });
        it.device();
        if (s.go()) {
            s.check(it.came_to_rest == 1, "it comes to rest once");
            s.check(it.refused[0] or it.told_ok[0], "the writer is refused or answered");
            s.check(not it.lossy or it.refused[0], "only a write that completed too late for its flush is left");
        }
    });
    CHECK(r.end == verdict::exhausted);
}
