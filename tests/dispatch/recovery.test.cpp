// SPDX-License-Identifier: BSL-1.0
#include <doorbell/dispatch/recovery.hpp>

#include "../support/rig.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <string>

namespace {

using namespace support;
using db::abort_status;
using db::outcome;
using db::submit_status;
using db::tag;
using db::ticket;
using tags = db::tag_set<32>;

/// A driver that can end a request on the device.
struct ending_driver : plain_driver {
    bool ends = true;
    unsigned pauses = 0;
    std::function<void(tag)> on_end{};
    std::function<void()> on_pause{};

    bool end_on_device(tag t) noexcept {
        note("end_on_device " + std::to_string(t.index));
        if (on_end) {
            on_end(t);
        }
        return ends;
    }

    void pause() noexcept {
        note("pause");
        ++pauses;
        if (on_pause) {
            on_pause();
        }
    }
};

/// A device whose list gives up a slot at once when it is told to, or never.
class recovering : public rig<db::inline_all, ending_driver> {
public:
    recovering() {
        hw.after_access = [this](std::string const& line) {
            if (gives_up and line.starts_with("write at 5c ")) {
                hw.doorbell &= static_cast<std::uint32_t>(std::stoul(line.substr(12), nullptr, 16));
            }
        };
        driver.responses[1] = outcome::not_written;
        driver.responses[2] = outcome::not_written;
        started();
    }

    /// Rings slots 1 and 2; tag 1 is the one to be ended.
    ticket two_in_flight() {
        auto const answer = core.submit(tags{0b110});
        REQUIRE(answer);
        log.forget();
        return answer.ticket_for(tag{1});
    }

    bool gives_up = true;
};

} // namespace

TEST_CASE("An abort ends the request on the device, then in its slot, then gives it back", "[inv:T5][inv:T7]") {
    recovering r;
    ticket const first = r.two_in_flight();
    CHECK(r.core.abort(first) == abort_status::aborted);
    CHECK(
        r.log.take({"read", "write", "end_on_device", "pause", "response", "completed"}) ==
        lines{
            "read DBR", "end_on_device 1", "read DBR", "write at 5c fffffffd", "pause", "read DBR", "response 1",
            "completed 1 100"});
    CHECK(r.core.outstanding() == tags{0b100});
    CHECK(r.hw.doorbell == 0b100);
    CHECK(r.core.submit(tag{1}));
}

TEST_CASE("What has finished when the abort comes completes as what it is", "[inv:T5]") {
    recovering r;
    ticket const first = r.two_in_flight();
    r.driver.responses[1] = outcome{0x7};
    r.hw.finish(0b10);
    CHECK(r.core.abort(first) == abort_status::already_done);
    CHECK(r.log.take({"end_on_device", "write", "completed"}) == lines{"completed 1 7"});
    CHECK(r.core.abort(first) == abort_status::already_done);
    CHECK(r.driver.ended[1] == 1);
}

TEST_CASE("A ticket of another life aborts nothing and looks at nothing", "[inv:T5]") {
    recovering r;
    ticket const first = r.two_in_flight();
    r.driver.responses[1] = outcome::success;
    r.hw.finish(0b10);
    static_cast<void>(r.irq());
    REQUIRE(r.core.submit(tag{1}));
    r.log.forget();
    CHECK(r.core.abort(first) == abort_status::stale);
    CHECK(r.core.abort(ticket{tag{77}, first.generation}) == abort_status::stale);
    CHECK(r.log.take({"read", "write", "end_on_device", "completed"}) == lines{});
    CHECK(r.core.abort(ticket{tag{3}, 0}) == abort_status::stale); // of a tag that nobody used
}

TEST_CASE("A response that is written until the slot is given up is the result", "[inv:T5]") {
    recovering r;
    ticket const first = r.two_in_flight();
    r.driver.on_pause = [&r] { r.driver.responses[1] = outcome{0x3}; };
    CHECK(r.core.abort(first) == abort_status::aborted);
    CHECK(r.log.take({"completed"}) == lines{"completed 1 3"});
}

TEST_CASE("A slot that finished before it was cleared is not cleared", "[inv:T7]") {
    recovering r;
    ticket const first = r.two_in_flight();
    r.driver.on_end = [&r](tag) {
        r.hw.finish(0b10);
        r.driver.responses[1] = outcome::success;
        CHECK(r.irq().handled()); // its interrupt finds a tag that is not outstanding
    };
    CHECK(r.core.abort(first) == abort_status::aborted);
    CHECK(r.log.take({"write", "completed"}) == lines{"write IS 1", "completed 1 0"});
    CHECK(r.driver.ended[1] == 1);
}

TEST_CASE("A slot is cleared once, looked at boundedly, and then stays withheld until a reset", "[inv:T5][inv:T7]") {
    recovering r;
    ticket const first = r.two_in_flight();
    r.gives_up = false;
    CHECK(r.core.abort(first) == abort_status::needs_reset);
    CHECK(r.log.take({"write", "response", "completed"}) == lines{"write at 5c fffffffd"});
    CHECK(r.driver.pauses == db::verb::clear_looks);
    CHECK(r.core.quarantined() == tags{0b10});
    CHECK(r.core.submit(tag{1}).status() == submit_status::busy);
    r.hw.finish(0b10);
    static_cast<void>(r.irq());
    static_cast<void>(r.core.poll());
    CHECK(r.driver.ended[1] == 0); // late: credited to nobody
    CHECK(r.core.reset() == db::reset_status::done);
    CHECK(r.driver.ended[1] == 1);
    CHECK(r.driver.ended_by_reset == 2);
    CHECK(r.core.quarantined().empty());
}

TEST_CASE("What does not end on the device is not touched in its slot", "[inv:T5]") {
    recovering r;
    ticket const first = r.two_in_flight();
    r.driver.ends = false;
    CHECK(r.core.abort(first) == abort_status::needs_reset);
    CHECK(r.log.take({"write", "completed"}) == lines{});
    CHECK(r.core.quarantined() == tags{0b10});
    r.driver.ends = true;
    CHECK(r.core.recover(tag{1}) == abort_status::aborted);
    CHECK(r.log.take({"completed"}) == lines{"completed 1 101"}); // timed out, unless the caller says otherwise
    CHECK(r.core.quarantined().empty());
}

TEST_CASE("A list that was stopped meanwhile reads 0 and has given nothing up", "[inv:T7]") {
    recovering r;
    ticket const first = r.two_in_flight();
    r.driver.on_end = [&r](tag) {
        static_cast<void>(r.core.stop());
        r.hw.doorbell = 0;
        r.log.forget();
    };
    CHECK(r.core.abort(first) == abort_status::needs_reset);
    CHECK(r.log.take({"read", "write", "completed"}) == lines{});
    CHECK(r.core.quarantined() == tags{0b10});
    CHECK(r.core.abort(first) == abort_status::not_running);
}

TEST_CASE("A reset that comes first ends the request, and the abort finds nothing to do", "[inv:T5]") {
    recovering r;
    ticket const first = r.two_in_flight();
    r.driver.on_end = [&r](tag) {
        r.driver.on_end = nullptr;
        CHECK(r.core.reset() == db::reset_status::done);
    };
    CHECK(r.core.abort(first) == abort_status::needs_reset);
    CHECK(r.driver.ended[1] == 1);
    CHECK(r.driver.ended[2] == 1);
}

TEST_CASE("A tag whose response is on its way is not given back before it is there", "[inv:T5][inv:T11]") {
    recovering r;
    ticket const first = r.two_in_flight();
    bool arrives = true;
    r.driver.on_pause = [&r, &arrives] {
        if (arrives and r.driver.pauses == 5) {
            r.driver.responses[1] = outcome::success;
        }
    };
    SECTION("finished before the abort, written while it waits") {
        r.hw.finish(0b10);
        CHECK(r.core.abort(first) == abort_status::aborted);
        CHECK(r.log.take({"completed"}) == lines{"completed 1 0"});
    }
    SECTION("finished while the device was told to end it") {
        r.driver.on_end = [&r](tag) { r.hw.finish(0b10); };
        CHECK(r.core.abort(first) == abort_status::aborted);
        CHECK(r.log.take({"completed"}) == lines{"completed 1 0"});
    }
    SECTION("finished, and never written") {
        arrives = false;
        r.hw.finish(0b10);
        CHECK(r.core.abort(first) == abort_status::needs_reset);
        CHECK(r.driver.ended[1] == 0);
        CHECK(r.core.quarantined() == tags{0b10});
        CHECK(r.core.submit(tag{1}).status() == submit_status::busy);
        CHECK(r.core.reset() == db::reset_status::done);
        CHECK(r.driver.ended[1] == 1);
    }
}

TEST_CASE("A ticket of nobody ends nobody, not even those that have finished", "[inv:T2]") {
    recovering r;
    static_cast<void>(r.two_in_flight());
    r.driver.responses[2] = outcome::success;
    r.hw.finish(0b100);
    CHECK(r.core.abort({tag{7}, 0}) == abort_status::stale);
    CHECK(r.core.abort({tag{2}, 0}) == abort_status::stale);
    CHECK(r.log.take({"read", "write", "completed"}) == lines{});
    CHECK(r.core.outstanding() == tags{0b110});
}

TEST_CASE("recover of a tag that nobody withheld does nothing to it", "[inv:T5]") {
    recovering r;
    static_cast<void>(r.two_in_flight());
    CHECK(r.core.recover(tag{2}) == abort_status::stale); // nor is its device told to end it
    CHECK(r.core.recover(tag{32}) == abort_status::stale);
    CHECK(r.log.take({"write", "completed"}) == lines{});
    CHECK(r.core.outstanding() == tags{0b110});
}

TEST_CASE("abort_all ends what is outstanding, not what a callback submits, and returns what needs a reset") {
    recovering r;
    static_cast<void>(r.two_in_flight());
    r.driver.on_completed = [&r](tag t) {
        if (t.index == 1) {
            r.driver.ends = false; // the other one does not end
            REQUIRE(r.core.submit(tags{0b11'0000'0010}));
        }
    };
    CHECK(r.core.abort_all() == tags{0b100});
    CHECK(r.driver.ended[1] == 1);
    CHECK(r.core.quarantined() == tags{0b100});
    CHECK(r.core.outstanding() == tags{0b11'0000'0010});
}

TEST_CASE("An expired set is withheld, and what has finished of it completes as a success", "[inv:T5]") {
    recovering r;
    static_cast<void>(r.two_in_flight());
    r.driver.responses[2] = outcome::success;
    r.hw.doorbell = 0b010; // no interrupt told of it
    CHECK(r.core.expire_tags(tags{0b110}) == tags{0b010});
    CHECK(r.log.take() == lines{"lock", "read DBR", "barrier after_done", "unlock", "response 2", "completed 2 0"});
    CHECK(r.core.observer().counts().fault.missed == 1);
    CHECK(r.core.quarantined() == tags{0b010});
    CHECK(r.core.submit(tag{1}).status() == submit_status::busy);
    CHECK(r.core.expire_tags(tags{0b110}).empty());
}

TEST_CASE(
    "Once the controller is gone, the driver's word that nothing is written any more ends everything", "[inv:T5]") {
    recovering r;
    static_cast<void>(r.two_in_flight());
    r.hw.gone = true;
    CHECK(r.irq().controller_gone());
    CHECK(r.driver.ended[1] + r.driver.ended[2] == 0);
    r.log.forget();
    CHECK(r.core.expire_tags(tags{0b010}).empty());
    CHECK(
        r.log.take({"read", "write", "completed"}) ==
        lines{
            "completed 1 " + hex(static_cast<std::uint32_t>(outcome::controller_gone)),
            "completed 2 " + hex(static_cast<std::uint32_t>(outcome::controller_gone))});
    CHECK(r.core.submit(tag{1}).status() == submit_status::controller_gone);
}
