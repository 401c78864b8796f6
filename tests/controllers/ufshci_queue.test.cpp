// SPDX-License-Identifier: BSL-1.0
#include <doorbell/controllers/ufshci_queue.hpp>

#include "../support/rig.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace {

using namespace support;
using db::irq_result;
using db::outcome;
using db::tag;
using db::ufs::completion_entry;

constexpr unsigned slots = 4;
constexpr std::uint32_t depth = slots + 1;
constexpr std::uint32_t entry_bytes = 32;
using queue_state = db::ufs::queue_state<slots>;
using tags = queue_state::tags;

struct tag_of {
    tag operator()(completion_entry const& entry) const noexcept { return {entry.word[0]}; }
};

/// One queue pair: its registers, and a completion ring that the test fills as the device.
struct queue_device {
    static constexpr std::size_t sqd = 0x1000;
    static constexpr std::size_t cqd = 0x1020;
    static constexpr std::size_t cqis = 0x1040;

    explicit queue_device(journal& log) : log_{log} {}

    std::array<completion_entry, depth> ring{};
    std::uint32_t hce = 1, sqtp = 0, sqrtc = 0, sqcti = 0, sqrts = 0, cqhp = 0, cqtp = 0, cqis_word = 0, cqie = 0;
    bool gone = false;
    bool obeys = true; ///< stops fetching, and cleans up, at once

    void post(std::uint32_t which, std::uint32_t status = 0) {
        ring[cqtp / entry_bytes] = {{which, 0, 0, 0, status, 0, 0, 0}};
        cqtp = (cqtp + entry_bytes) % (depth * entry_bytes);
        cqis_word |= 1;
    }

    std::uint32_t load(std::size_t offset) {
        log_.add(std::string{"read "} + name(offset));
        std::uint32_t* const word = find(offset);
        return gone or word == nullptr ? 0xFFFF'FFFF : *word;
    }

    void store(std::size_t offset, std::uint32_t value) {
        log_.add(std::string{"write "} + name(offset) + " " + hex(value));
        std::uint32_t* const word = find(offset);
        if (gone or word == nullptr) {
            return;
        }
        if (word == &cqis_word) {
            *word &= ~value;
            return;
        }
        *word = value;
        if (word == &sqrtc and obeys) {
            sqrts = value;
        }
        if (word == &hce and value == 0) {
            sqtp = cqtp = cqhp = sqrts = cqis_word = cqie = 0;
        }
    }

    void barrier(char const* which) { log_.add(std::string{"barrier "} + which); }

private:
    std::uint32_t* find(std::size_t offset) {
        switch (offset) {
        case 0x34:
            return &hce;
        case sqd + 0x4:
            return &sqtp;
        case sqd + 0x8:
            return &sqrtc;
        case sqd + 0xC:
            return &sqcti;
        case sqd + 0x10:
            return &sqrts;
        case cqd:
            return &cqhp;
        case cqd + 0x4:
            return &cqtp;
        case cqis:
            return &cqis_word;
        case cqis + 0x4:
            return &cqie;
        default:
            return nullptr;
        }
    }

    static char const* name(std::size_t offset) {
        switch (offset) {
        case 0x34:
            return "HCE";
        case sqd + 0x4:
            return "SQTP";
        case sqd + 0x8:
            return "SQRTC";
        case sqd + 0xC:
            return "SQCTI";
        case sqd + 0x10:
            return "SQRTS";
        case cqd:
            return "CQHP";
        case cqd + 0x4:
            return "CQTP";
        case cqis:
            return "CQIS";
        case cqis + 0x4:
            return "CQIE";
        default:
            return "elsewhere";
        }
    }

    journal& log_;
};

struct queue_registers {
    queue_device* device;

    [[nodiscard]] std::uint32_t load(std::size_t offset) const noexcept { return device->load(offset); }

    void store(std::size_t offset, std::uint32_t value) const noexcept { device->store(offset, value); }

    void before_doorbell() const noexcept { device->barrier("before_doorbell"); }

    void after_done() const noexcept { device->barrier("after_done"); }

    void before_unlock() const noexcept {}
};

/// What a driver of such a queue does: writes its entry where the queue says, and answers the status that was copied.
struct queue_driver {
    journal& log;
    queue_state& queue;
    std::array<std::uint32_t, depth> submissions{};
    std::array<unsigned, slots> ended{};
    std::function<void()> on_pause{};

    void prepare(tag t) noexcept {
        queue.set_unit(t, static_cast<std::uint8_t>(0x10 + t.index));
        submissions[queue.next_submission()] = t.index;
    }

    outcome response(tag t) noexcept { return queue.response(t); }

    void completed(db::claimed<db::any_context> won, outcome o) noexcept {
        log.add("completed " + std::to_string(won.index()) + " " + hex(static_cast<std::uint32_t>(o)));
        ++ended[won.index()];
    }

    bool end_on_device(tag) noexcept { return true; }

    void pause() noexcept {
        if (on_pause) {
            on_pause();
        }
    }

    void synchronize() noexcept {}
};

template <class Budget = db::inline_all, bool CanCleanUp = true>
struct queue_rig {
    using host_type = db::host<
        db::ufshci_queue<slots, tag_of, CanCleanUp>, queue_driver, db::ufs::queue_bank<queue_registers, slots>,
        db::testing::manual_clock<>, Budget, db::testing::checking_lock, db::observed_by<db::statistics>>;

    queue_rig() {
        REQUIRE(core.start() == db::start_status::started);
        log.forget();
    }

    ~queue_rig() { CHECK(watch.errors() == 0); }

    journal log{};
    queue_device hw{log};
    queue_state queue{
        {.sqd = queue_device::sqd,
         .cqd = queue_device::cqd,
         .cqis = queue_device::cqis,
         .completions = hw.ring.data(),
         .depth = depth}};
    queue_driver driver{.log = log, .queue = queue};
    watch_type watch{{.self = nullptr, .acquired = nullptr, .released = nullptr, .failed = nullptr}};
    db::testing::manual_time<> time{1000};
    host_type core{driver, {queue_registers{&hw}, queue}, time, watch};
};

} // namespace

TEST_CASE("A set is one barrier and one write of the tail, its entries written before, in order of tags") {
    queue_rig<> r;
    CHECK(r.core.submit(tags{0b1011}));
    CHECK(r.log.take() == lines{"barrier before_doorbell", "write SQTP 60"});
    CHECK(r.driver.submissions == std::array<std::uint32_t, depth>{0, 1, 3, 0, 0});
}

TEST_CASE("U.D9: a look that took entries writes the head once, one that took none does not", "[U.D9]") {
    queue_rig<> r;
    REQUIRE(r.core.submit(tags{0b1111}));
    r.hw.post(2, 0x5);
    r.hw.post(0);
    r.hw.post(1);
    r.log.forget();
    CHECK(r.core.on_hard_irq() == irq_result::mine);
    CHECK(
        r.log.take() == lines{
                            "read CQIS", "write CQIS 1", "read CQTP", "barrier after_done", "write CQHP 60",
                            "completed 0 0", "completed 1 0", "completed 2 5"});
    static_cast<void>(r.core.poll());
    CHECK(r.log.take() == lines{"read CQTP", "barrier after_done"});
    CHECK(r.core.on_hard_irq() == irq_result::none);
    CHECK(r.log.take() == lines{"read CQIS"});
    CHECK(r.core.outstanding() == tags{0b1000});
}

TEST_CASE("Q.B27: a thread that comes after the ring wrapped reads the status of its own entry", "[Q.B27]") {
    queue_rig<db::count_budget<1>> r;
    REQUIRE(r.core.submit(tags{0b0011}));
    r.hw.post(0);
    r.hw.post(1, 0x7);
    REQUIRE(r.core.on_hard_irq().wake_thread()); // tag 1 is claimed, and left
    // The head was written, so the device uses both places again before the thread comes.
    r.hw.ring.fill({{3, 0, 0, 0, 0x1, 0, 0, 0}});
    r.log.forget();
    static_cast<void>(r.core.on_thread());
    CHECK(r.log.take({"completed"}) == lines{"completed 1 7"});
}

TEST_CASE("Rings of any round are served exactly, tag by tag") {
    queue_rig<db::count_budget<2>> r;
    for (unsigned round = 0; round < 13; ++round) {
        REQUIRE(r.core.submit(tags::all()));
        for (unsigned n = 0; n < slots; ++n) {
            r.hw.post((n + round) % slots);
        }
        CHECK(r.core.on_hard_irq() == (irq_result::mine | irq_result::wake));
        CHECK(r.hw.cqhp == r.hw.cqtp);
        CHECK(r.core.on_thread() == db::thread_result::idle);
        CHECK(r.hw.sqtp == (round + 1) * slots % depth * entry_bytes);
    }
    for (unsigned const each : r.driver.ended) {
        CHECK(each == 13);
    }
    CHECK(r.queue.strangers() == 0);
}

TEST_CASE("U.C33: entries that name nobody's request are counted, skipped, and end nothing", "[U.C33][inv:T6]") {
    queue_rig<> r;
    REQUIRE(r.core.submit(tags{0b0001}));
    r.hw.post(0xFFFF'FFFF);
    r.hw.post(3);
    r.hw.post(0);
    CHECK(r.core.on_hard_irq() == irq_result::mine);
    CHECK(r.log.take({"completed"}) == lines{"completed 0 0"});
    CHECK(r.hw.cqhp == r.hw.cqtp);
    CHECK(r.queue.strangers() == 2);
    CHECK(r.core.observer().counts().fault.unknown == 1);
}

TEST_CASE("U.C7: an entry that comes twice ends its request once, in the same look", "[U.C7][inv:T2]") {
    queue_rig<> r;
    REQUIRE(r.core.submit(tags{0b0011}));
    r.hw.post(1);
    r.hw.post(1, 0x7);
    CHECK(r.core.on_hard_irq() == irq_result::mine);
    CHECK(r.log.take({"completed"}) == lines{"completed 1 0"}); // no later interrupt would look for it
    CHECK(r.queue.strangers() == 1);
    CHECK(r.core.outstanding() == tags{0b0001});
}

TEST_CASE("A poll of a controller that is gone ends nothing, whatever its old entries say", "[inv:D4]") {
    queue_rig<> r;
    REQUIRE(r.core.submit(tags::all()));
    for (unsigned n = 0; n < slots; ++n) {
        r.hw.post(n);
    }
    REQUIRE(r.core.on_hard_irq() == irq_result::mine);
    REQUIRE(r.core.submit(tags::all()));
    r.hw.gone = true;
    r.log.forget();
    static_cast<void>(r.core.poll());
    CHECK(r.log.take({"completed"}) == lines{});
    CHECK(r.core.outstanding() == tags::all());
    CHECK(r.core.on_hard_irq().controller_gone());
    CHECK(r.log.take({"completed"}) == lines{});
}

TEST_CASE("An abort stops fetching, names tag and unit, waits, and starts again", "[inv:T7][inv:T5]") {
    queue_rig<> r;
    auto const rung = r.core.submit(tags{0b0110});
    REQUIRE(rung);
    r.log.forget();
    CHECK(r.core.abort(rung.ticket_for(tag{2})) == db::abort_status::aborted);
    CHECK(
        r.log.take({"write", "completed"}) ==
        lines{"write SQRTC 1", "write SQCTI 1202", "write SQRTC 3", "write SQRTC 0", "completed 2 100"});
    CHECK(r.core.outstanding() == tags{0b0010});
    CHECK(r.core.submit(tag{2}));
}

TEST_CASE("A request whose entry comes during its clean-up ends as what it is", "[inv:T5]") {
    queue_rig<> r;
    auto const rung = r.core.submit(tags{0b0110});
    r.driver.on_pause = [&r] {
        r.driver.on_pause = nullptr;
        r.hw.post(2, 0x5);
    };
    CHECK(r.core.abort(rung.ticket_for(tag{2})) == db::abort_status::aborted);
    CHECK(r.log.take({"completed"}) == lines{"completed 2 5"});
    CHECK(r.hw.cqhp == r.hw.cqtp);
}

TEST_CASE("A clean-up that never ends, or a part without one, needs a reset", "[inv:T7]") {
    SECTION("never ends") {
        queue_rig<> r;
        auto const rung = r.core.submit(tags{0b0110});
        r.hw.obeys = false;
        CHECK(r.core.abort(rung.ticket_for(tag{2})) == db::abort_status::needs_reset);
        CHECK(r.core.quarantined() == tags{0b0100});
        CHECK(r.driver.ended[2] == 0);
    }
    SECTION("there is none") {
        queue_rig<db::inline_all, false> r;
        auto const rung = r.core.submit(tags{0b0110});
        r.log.forget();
        CHECK(r.core.abort(rung.ticket_for(tag{2})) == db::abort_status::needs_reset);
        CHECK(r.log.take({"write"}) == lines{});
        CHECK(r.core.quarantined() == tags{0b0100});
    }
    SECTION("the controller is gone, and answers that all is done") {
        queue_rig<> r;
        auto const rung = r.core.submit(tags{0b0110});
        r.driver.on_pause = [&r] { r.hw.gone = true; };
        CHECK(r.core.abort(rung.ticket_for(tag{2})) == db::abort_status::needs_reset);
        CHECK(r.driver.ended[2] == 0);
    }
}

TEST_CASE("U.D2: after a reset both rings begin anew, and nothing of the old ones is taken", "[U.D2]") {
    queue_rig<> r;
    REQUIRE(r.core.submit(tags{0b0111}));
    r.hw.post(0);
    REQUIRE(r.core.on_hard_irq() == irq_result::mine);
    r.log.forget();
    CHECK(r.core.reset() == db::reset_status::done);
    CHECK(
        r.log.take({"write", "completed"}) ==
        lines{"write CQIE 0", "write HCE 0", "completed 1 102", "completed 2 102"});
    r.hw.hce = 1;
    REQUIRE(r.core.start() == db::start_status::started);
    REQUIRE(r.core.submit(tag{3}));
    CHECK(r.hw.sqtp == entry_bytes);
    CHECK(r.driver.submissions[0] == 3);
    r.hw.post(3);
    CHECK(r.core.on_hard_irq() == irq_result::mine);
    CHECK(r.hw.cqhp == entry_bytes);
    CHECK(r.driver.ended == std::array<unsigned, slots>{1, 1, 1, 1});
}

TEST_CASE("As many tags can be used as fit into a ring that is never full") {
    queue_rig<> r;
    for (std::uint32_t const entries : {2U, 3U, 5U, 64U}) {
        queue_state other{{.depth = entries}};
        db::ufs::queue_bank<queue_registers, slots> bank{queue_registers{&r.hw}, other};
        CHECK(
            (db::ufshci_queue<slots, tag_of>::transfers::usable(bank).size() ==
             (entries > slots ? slots : entries - 1)));
    }
}
