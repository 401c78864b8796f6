// SPDX-License-Identifier: BSL-1.0
#include <doorbell/flush/carry_out.hpp>

#include "desk.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

using namespace flush_test;

namespace {

/// Hands a flush over to a device that answers at once, and writes everything down.
struct performer {
    using coalescer = desk<>::coalescer_type;

    coalescer& c;
    db::testing::lock_watch& watch;
    std::vector<std::string> log{};
    unsigned with_lock = 0;

    void issue(db::ticket const& which) noexcept {
        note("issue " + std::to_string(which.which.index));
        db::carry_out(c.flush_ended(which, flush_end::done), *this);
    }

    void flushed(tag rider, bool durable) noexcept {
        note((durable ? "durable " : "error ") + std::to_string(rider.index));
    }

    void quiesced(bool lossy) noexcept { note(lossy ? "lossy" : "at rest"); }

private:
    void note(std::string line) {
        with_lock += watch.held() ? 1U : 0U;
        log.push_back(std::move(line));
    }
};

} // namespace

TEST_CASE("work is carried out in order, outside the lock, and callbacks may tell the next event", "[inv:F2]") {
    desk<> d;
    performer p{d.c, d.watch};
    d.write();
    db::carry_out(d.c.flush(tag{5}, tag{0}, tag{0}), p);
    CHECK(p.log == std::vector<std::string>{"issue 0", "durable 5"});
    p.log.clear();
    d.write();
    db::carry_out(d.c.stop(), p);
    CHECK(p.log == std::vector<std::string>{"issue 0", "at rest"});
    CHECK(p.with_lock == 0);
}

TEST_CASE("what a performer does not have is not asked of it") {
    STATIC_CHECK(db::flush_performer<performer>);
    STATIC_CHECK(db::flush_quiescer<performer>);
    STATIC_CHECK_FALSE(db::flush_timekeeper<performer, std::uint64_t>);
}
