// SPDX-License-Identifier: BSL-1.0
#include <doorbell/testing/ahci/port_model.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>

namespace px = doorbell::sata::px;
namespace cause = doorbell::sata::cause;
using namespace doorbell::testing;

namespace {

/// One started port, without an adapter.
struct fixture {
    explicit fixture(ahci_knobs const& knobs = {}) : shared{knobs}, port{shared, 0} {
        write<px::cmd>(receive);
        write<px::cmd>(receive | 1);
        CHECK(shared.errors.empty());
    }

    template <class Register>
    [[nodiscard]] std::uint32_t read() const {
        return port.load(Register::offset).value_or(0xDEAD);
    }

    template <class Register>
    void write(std::uint32_t value) {
        CHECK(port.store(Register::offset, value));
    }

    void queue(std::uint32_t slots) {
        write<px::sact>(slots);
        write<px::ci>(slots);
    }

    void pass(std::uint64_t ns) {
        std::uint64_t const when = shared.now + ns;
        while (shared.timers.next() <= when) {
            shared.now = shared.timers.next();
            port.fire(shared.timers.take());
        }
        shared.now = when;
    }

    static constexpr std::uint32_t receive = px::cmd::receive::mask;
    ahci_clockwork shared;
    ahci_port_model port;
};

} // namespace

TEST_CASE("A queued command is in PxSACT until it ends, and in PxCI only until it was issued") {
    fixture f;
    f.queue(0b11);
    CHECK(f.read<px::sact>() == 0b11);
    CHECK(f.read<px::ci>() == 0);
    CHECK(f.port.finish(1));
    CHECK(f.read<px::sact>() == 0b01);
    CHECK(f.port.causes() == cause::sdbs);
    CHECK_FALSE(f.port.finish(1));
}

TEST_CASE("Another command is in PxCI until it ends, with a cause of its own") {
    fixture f;
    f.write<px::ci>(0b100);
    CHECK(f.read<px::ci>() == 0b100);
    CHECK(f.read<px::sact>() == 0);
    CHECK(f.port.finish(2));
    CHECK(f.read<px::ci>() == 0);
    CHECK(f.port.causes() == cause::dhrs);
}

TEST_CASE("Commands end by themselves after their latency, their cause comes a gap later") {
    fixture f{{.latency_ns = 100, .cause_gap_ns = 50}};
    f.queue(0b1);
    f.pass(99);
    CHECK(f.read<px::sact>() == 1);
    f.pass(1);
    CHECK(f.read<px::sact>() == 0);
    CHECK(f.port.causes() == 0);
    f.pass(50);
    CHECK(f.port.causes() == cause::sdbs);
}

TEST_CASE("A stop of the list empties both words, ends nobody, and shows in CR when it is done") {
    fixture f{{.latency_ns = 100, .stop_ns = 30}};
    f.queue(0b11);
    f.write<px::ci>(0b100); // mixed, but it is here for the stop
    CHECK(f.shared.errors.count(ahci_error::mixed) == 1);
    f.write<px::cmd>(f.receive);
    CHECK(f.read<px::sact>() == 0);
    CHECK(f.read<px::ci>() == 0);
    CHECK((f.read<px::cmd>() & px::cmd::running::mask) != 0);
    f.write<px::cmd>(f.receive | 1);
    CHECK(f.shared.errors.count(ahci_error::start_running) == 1);
    f.pass(30);
    CHECK((f.read<px::cmd>() & px::cmd::running::mask) == 0);
    f.pass(1'000);
    CHECK(f.port.causes() == 0);
}

TEST_CASE("After an error nothing ends, all bits stand, and queued commands are refused until the log was read") {
    fixture f;
    f.queue(0b111);
    CHECK(f.port.finish(0));
    CHECK(f.port.fail(1, 0x40));
    CHECK(f.read<px::sact>() == 0b110);
    CHECK(f.read<px::tfd>() == 0x4041);
    CHECK((f.port.causes() & cause::tfes) != 0);
    CHECK_FALSE(f.port.finish(2));
    f.write<px::cmd>(f.receive);
    f.write<px::is>(0xFFFF'FFFF);
    f.write<px::cmd>(f.receive | 1);
    f.queue(0b1);
    CHECK((f.port.causes() & cause::tfes) != 0); // refused
    f.write<px::cmd>(f.receive);
    f.write<px::is>(0xFFFF'FFFF);
    f.write<px::cmd>(f.receive | 1);
    CHECK(f.port.device().read_log()[0] == 1);
    f.queue(0b1);
    CHECK(f.port.causes() == 0);
    CHECK(f.port.finish(0));
}

TEST_CASE("The causes that sum up PxSERR stand until it was acknowledged") {
    fixture f;
    f.port.unplug();
    CHECK(f.port.causes() == cause::prcs);
    CHECK(f.read<px::ssts>() == 0);
    f.write<px::is>(0xFFFF'FFFF);
    CHECK(f.port.causes() == cause::prcs);
    f.write<px::serr>(0xFFFF'FFFF);
    CHECK(f.port.causes() == 0);
    f.port.plug();
    CHECK(f.port.causes() == (cause::prcs | cause::pcs));
}

TEST_CASE("A reset of the link leaves PxSACT, and nothing answers for it") {
    fixture f;
    f.queue(0b1);
    f.write<px::sctl>(1);
    f.write<px::sctl>(0);
    CHECK(f.read<px::sact>() == 1);
    CHECK_FALSE(f.port.finish(0));
    CHECK(f.port.causes() == cause::pcs);
}

TEST_CASE("A disk that had commands when the list stopped keeps them until its link is reset") {
    fixture f;
    f.queue(0b1);
    f.write<px::cmd>(f.receive);
    f.write<px::cmd>(f.receive | 1);
    CHECK(f.shared.errors.count(ahci_error::start_stale) == 1);
    CHECK((f.read<px::cmd>() & px::cmd::start::mask) == 0);
    f.write<px::sctl>(1);
    f.write<px::sctl>(0);
    f.write<px::cmd>(f.receive | 1);
    CHECK(f.shared.errors.total() == 1);
    CHECK((f.read<px::cmd>() & px::cmd::start::mask) != 0);
}

TEST_CASE("What a driver does wrong is found") {
    fixture f{{.slots = 4}};
    f.write<px::sact>(0x10);
    CHECK(f.shared.errors.count(ahci_error::ring_beyond) == 1);
    f.queue(0b1);
    f.queue(0b1);
    CHECK(f.shared.errors.count(ahci_error::ring_busy) == 2);
    f.write<px::sact>(0b10);
    f.write<px::ci>(0b100);
    CHECK(f.shared.errors.count(ahci_error::sact_alone) == 1);
    f.write<px::cmd>(f.receive);
    f.write<px::ci>(0b1);
    CHECK(f.shared.errors.count(ahci_error::ring_stopped) == 1);
    f.write<px::cmd>(1);
    CHECK(f.shared.errors.count(ahci_error::start_deaf) == 1);
    f.port.hang();
    f.write<px::cmd>(f.receive | 1);
    CHECK(f.shared.errors.count(ahci_error::start_busy) == 1);
    f.write<px::cmd>(f.receive | px::cmd::clear_busy::mask);
    f.port.unplug();
    f.write<px::cmd>(f.receive | 1);
    CHECK(f.shared.errors.count(ahci_error::start_no_device) == 1);
    CHECK_FALSE(f.port.store(0x70, 1));
    CHECK_FALSE(f.port.load(0x70).has_value());
}
