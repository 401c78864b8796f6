// SPDX-License-Identifier: BSL-1.0
#include <doorbell/controllers/ufshci/cache_flush.hpp>

#include "../../testing/strict_model.hpp"

#include <doorbell/flush/coalescer.hpp>
#include <doorbell/host.hpp>
#include <doorbell/testing/checking_lock.hpp>
#include <doorbell/testing/manual_clock.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

namespace {

namespace db = doorbell;
namespace kit = doorbell::testing;
using db::tag;

enum class answer { none, ok, error };

constexpr unsigned flush_slot = 30; // two logical units: slots 30 and 31

/// A driver with real descriptors and commands in the memory of the model.
struct disk {
    explicit disk(kit::ufshci_model& m) : model{m} {}

    kit::ufshci_model& model;
    std::function<bool(tag, db::outcome)> flusher{};
    answer told[8]{};
    std::vector<unsigned> ended{};
    bool gives_up = true;

    db::outcome response(tag t) noexcept { return db::ufs::response(flush_descriptor(t)); }

    void completed(db::claimed<db::any_context> won, db::outcome o) noexcept {
        if (not flusher(won.get(), o)) {
            ended.push_back(won.index());
        }
    }

    bool end_on_device(tag) const noexcept { return gives_up; }

    void synchronize() const noexcept {}

    // What flushing takes.
    db::ufs::utrd& flush_descriptor(tag t) noexcept {
        return *reinterpret_cast<db::ufs::utrd*>(model.memory().host(model.descriptor_address(t.index), 32));
    }

    db::ufs::flush_buffer& flush_memory(tag t) noexcept {
        return *reinterpret_cast<db::ufs::flush_buffer*>(model.memory().host(flush_address(t), 128));
    }

    static std::uint64_t flush_address(tag t) noexcept { return 0x1000 + std::uint64_t{0x80} * t.index; }

    void flushed(tag rider, bool durable) noexcept { told[rider.index] = durable ? answer::ok : answer::error; }
};

using host_type = db::host<db::ufshci, disk, kit::model_bank, kit::manual_clock<>, db::inline_all, kit::checking_lock>;
using coalescer_type =
    db::flush_coalescer<kit::manual_clock<>, kit::checking_lock, db::flush_domains<2>, db::flush_retries<2>>;
using flusher_type = db::ufs::cache_flush<host_type, coalescer_type, disk, 2>;

kit::ufshci_knobs with_blocks() {
    kit::ufshci_knobs k;
    k.blocks = 64;
    return k;
}

struct machine {
    machine() {
        driver.flusher = [this](tag t, db::outcome o) { return flusher.completed(t, o); };
        using tags = host_type::tags;
        tags reserved{};
        reserved.insert(tag{30});
        reserved.insert(tag{31});
        REQUIRE(
            host.start({.usable = tags::all(), .reserved = reserved, .causes = host_type::all_causes}) ==
            db::start_status::started);
        for (unsigned s = 0; s < 4; ++s) {
            REQUIRE(coalescer.open(tag{s}) == db::flush_status::accepted);
        }
    }

    machine(machine const&) = delete;
    machine& operator=(machine const&) = delete;

    ~machine() {
        CHECK(host_watch.errors() == 0);
        CHECK(flush_watch.errors() == 0);
    }

    /// A WRITE (10) of one block that holds its stamp, rung in a slot.
    void ring_write(unsigned slot, unsigned block) {
        auto& buffer = driver.flush_memory(tag{slot});
        db::ufs::write_synchronize_cache(
            driver.flush_descriptor(tag{slot}), buffer, disk::flush_address(tag{slot}), tag{slot}, 0);
        buffer.request[16] = 0x2A;
        buffer.request[21] = static_cast<unsigned char>(block);
        buffer.request[24] = 1;
        REQUIRE(host.submit(tag{slot}));
    }

    /// The device is done, and its response says success.
    bool device_done(unsigned slot, std::uint32_t ocs = 0) {
        driver.flush_memory(tag{slot}).response[0] = 0x21;
        return model.finish(slot, ocs);
    }

    void finish(unsigned slot, std::uint32_t ocs = 0) {
        REQUIRE(device_done(slot, ocs));
        static_cast<void>(host.on_hard_irq());
    }

    void write(unsigned block) {
        ring_write(0, block);
        finish(0);
        coalescer.write_completed(tag{0});
    }

    /// The flush ends with a SCSI status and sense data.
    void finish_with(unsigned slot, unsigned char status, unsigned char key = 0, unsigned char code = 0) {
        auto const write_response = [&] {
            auto& response = driver.flush_memory(tag{slot}).response;
            response[0] = 0x21;
            response[6] = status == 0 ? 0 : 1;
            response[7] = status;
            response[34 + 0] = 0x70;
            response[34 + 2] = key;
            response[34 + 12] = code;
        };
        REQUIRE(model.finish_begin(slot, 0));
        write_response();
        REQUIRE(model.finish_end(slot));
        static_cast<void>(host.on_hard_irq());
    }

    [[nodiscard]] bool rung(unsigned slot) const { return (model_doorbell() >> slot & 1U) != 0; }

    [[nodiscard]] std::uint32_t model_doorbell() const { return const_cast<running_model&>(model).load(0x58); }

    db::flush_status flush(unsigned rider, unsigned stream = 0, unsigned domain = 0) {
        return flusher.flush(tag{rider}, tag{stream}, tag{domain});
    }

    running_model model{with_blocks()};
    disk driver{model};
    kit::manual_time<> time{};
    kit::lock_watch host_watch{};
    kit::lock_watch flush_watch{};
    host_type host{driver, kit::model_bank{model}, time, host_watch};
    coalescer_type coalescer{time, flush_watch};
    flusher_type flusher{host, coalescer, driver, tag{flush_slot}, {0, 3}};
};

} // namespace

TEST_CASE("a flush is a SYNCHRONIZE CACHE of its logical unit in its own slot", "[inv:F6]") {
    machine m;
    CHECK(m.flush(0, 0, 1) == db::flush_status::waiting);
    CHECK(m.rung(31));
    CHECK_FALSE(m.rung(30));
    auto const& command = m.driver.flush_memory(tag{31}).request;
    CHECK(command[0] == 0x01);
    CHECK(command[2] == 3);
    CHECK(command[3] == 31);
    CHECK(command[16] == 0x35);
    CHECK(m.driver.told[0] == answer::none);
    m.finish(31);
    CHECK(m.driver.told[0] == answer::ok);
    CHECK(m.driver.ended.empty());
    CHECK(m.flush(1, 0, 1) == db::flush_status::done);
}

TEST_CASE("what a flush that was answered covers survives a power cut, and nothing else is promised", "[inv:F1]") {
    machine m;
    m.write(5);
    m.flush(0);
    m.write(6); // after the hand-over
    m.finish(flush_slot);
    CHECK(m.driver.told[0] == answer::ok);
    auto const lost = m.model.power_cut();
    REQUIRE(lost.size() == 1);
    CHECK(lost[0].block == 6);
    CHECK(m.model.storage().durable(5) != 0);
}

TEST_CASE("a full queue does not stand before a flush", "[inv:F6]") {
    machine m;
    m.write(1);
    for (unsigned slot = 0; slot < flush_slot; ++slot) {
        m.ring_write(slot, 8 + slot);
    }
    CHECK(m.flush(0) == db::flush_status::waiting);
    CHECK(m.rung(flush_slot));
    m.finish(flush_slot);
    CHECK(m.driver.told[0] == answer::ok);
    m.host.block(); // nor do submissions that are blocked
    m.coalescer.write_completed(tag{0});
    m.flush(1);
    CHECK(m.rung(flush_slot));
}

TEST_CASE("a busy unit is asked again, a medium error is final", "[inv:F3]") {
    machine m;
    m.write(1);
    m.flush(0);
    m.finish_with(flush_slot, 0x08);
    CHECK(m.driver.told[0] == answer::none);
    CHECK(m.rung(flush_slot));
    m.finish_with(flush_slot, 0x28);
    CHECK(m.rung(flush_slot));
    m.finish_with(flush_slot, 0x02, 0x03); // medium error
    CHECK(m.driver.told[0] == answer::error);
    CHECK_FALSE(m.rung(flush_slot));
    CHECK(m.coalescer.error(tag{0}) == db::flush_error::flush_failed);
}

TEST_CASE("a unit attention is asked again, that of a reset is a loss", "[inv:F8]") {
    machine m;
    m.write(1);
    m.flush(0);
    m.finish_with(flush_slot, 0x02, 0x06, 0x2A); // parameters changed
    CHECK(m.rung(flush_slot));
    m.finish_with(flush_slot, 0x02, 0x06, 0x29);
    CHECK(m.driver.told[0] == answer::error);
    CHECK(m.coalescer.error(tag{0}) == db::flush_error::writes_lost);
}

TEST_CASE("a status of the controller other than success proves nothing", "[inv:F3]") {
    db::ufs::flush_buffer buffer{};
    buffer.response[0] = 0x21;
    CHECK(db::ufs::proves(db::outcome::success, buffer) == db::flush_end::done);
    for (auto const bad : {db::outcome::aborted, db::outcome::timed_out, db::outcome::reset, db::outcome{0x5}}) {
        CHECK(db::ufs::proves(bad, buffer) == db::flush_end::failed);
    }
    buffer.response[7] = 0x40; // task aborted
    CHECK(db::ufs::proves(db::outcome::success, buffer) == db::flush_end::failed);
}

TEST_CASE("only a response that says success is one: not a reject, and not a buffer that nobody wrote", "[inv:F3]") {
    db::ufs::flush_buffer buffer{};
    CHECK(db::ufs::proves(db::outcome::success, buffer) == db::flush_end::failed);
    buffer.response[0] = 0x3F; // a reject; the place of the status is reserved there
    buffer.response[6] = 1;
    CHECK(db::ufs::proves(db::outcome::success, buffer) == db::flush_end::failed);
    buffer.response[0] = 0x21;
    CHECK(db::ufs::proves(db::outcome::success, buffer) == db::flush_end::failed); // target failure
    buffer.response[6] = 0;
    CHECK(db::ufs::proves(db::outcome::success, buffer) == db::flush_end::done);
}

TEST_CASE("sense data in another format is not taken for a unit attention", "[inv:F3]") {
    db::ufs::flush_buffer buffer{};
    buffer.response[0] = 0x21;
    buffer.response[7] = 0x02;
    buffer.response[34] = 0x72;     // descriptors: the key comes first
    buffer.response[34 + 1] = 0x03; // medium error
    buffer.response[34 + 2] = 0x06;
    CHECK(db::ufs::proves(db::outcome::success, buffer) == db::flush_end::failed);
    buffer.response[34] = 0x71; // of an earlier command
    CHECK(db::ufs::proves(db::outcome::success, buffer) == db::flush_end::failed);
    buffer.response[34] = 0x70;
    CHECK(db::ufs::proves(db::outcome::success, buffer) == db::flush_end::not_executed);
}

TEST_CASE("a flush that takes too long has failed, and what it says later does not count", "[inv:X2]") {
    machine m;
    m.write(1);
    m.flush(0);
    host_type::tags const quarantined = m.host.expire_tags(host_type::tags{tag{flush_slot}});
    CHECK(quarantined.contains(tag{flush_slot}));
    m.flusher.expired(quarantined);
    CHECK(m.driver.told[0] == answer::error);
    m.flush(1);
    REQUIRE(m.device_done(flush_slot)); // success, after all
    CHECK(m.host.recover(tag{flush_slot}) == db::abort_status::aborted);
    CHECK(m.driver.told[1] == answer::none);
    CHECK(m.rung(flush_slot)); // the next one, in the slot that came back
    m.finish(flush_slot);
    CHECK(m.driver.told[1] == answer::ok); // this stream was told
}

TEST_CASE("a flush that has finished when its time is over is a success", "[inv:X2]") {
    machine m;
    m.write(1);
    m.flush(0);
    REQUIRE(m.device_done(flush_slot)); // no interrupt tells of it
    m.flusher.expired(m.host.expire_tags(host_type::tags{tag{flush_slot}}));
    CHECK(m.driver.told[0] == answer::ok);
}

TEST_CASE("a host that takes nothing has executed nothing", "[inv:F3]") {
    machine m;
    m.write(1);
    m.host.gate();
    CHECK(m.flush(0) == db::flush_status::waiting); // told behind it
    CHECK(m.driver.told[0] == answer::error);
    CHECK(m.coalescer.error(tag{0}) == db::flush_error::none);
    (void)m.host.ungate();
    CHECK(m.flush(1) == db::flush_status::waiting);
    m.finish(flush_slot);
    CHECK(m.driver.told[1] == answer::ok);
}

TEST_CASE("a reset of the host ends the flush in flight; who asks meanwhile waits for the restart", "[inv:F8]") {
    machine m;
    m.write(1);
    m.flush(0);
    m.flusher.hold();
    CHECK(m.host.reset() == db::reset_status::done);
    CHECK(m.driver.told[0] == answer::error);
    static_cast<void>(m.model.reset_device());
    m.model.bring_up();
    CHECK(m.flush(1, 1) == db::flush_status::waiting);
    host_type::tags reserved{};
    reserved.insert(tag{30});
    reserved.insert(tag{31});
    REQUIRE(m.host.start({.usable = host_type::tags::all(), .reserved = reserved}) == db::start_status::started);
    m.flusher.device_reset(db::cache_fate::kept);
    CHECK_FALSE(m.rung(flush_slot));
    m.flusher.release();
    CHECK(m.rung(flush_slot));
    m.model.raise(0x1);
    REQUIRE(m.device_done(flush_slot));
    static_cast<void>(m.host.poll());
    CHECK(m.driver.told[1] == answer::error); // it asked for what is in doubt
    m.flusher.stop();
}

TEST_CASE("what is not known to read counts as a write", "[inv:F7]") {
    CHECK(db::ufs::only_reads(0x28));
    CHECK(db::ufs::only_reads(0x35));
    for (unsigned const opcode : {0x0AU, 0x2AU, 0x42U, 0x55U, 0x93U, 0xA3U, 0x1BU, 0xC0U}) {
        CHECK_FALSE(db::ufs::only_reads(static_cast<unsigned char>(opcode)));
    }
}
