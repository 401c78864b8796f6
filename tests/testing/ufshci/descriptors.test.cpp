// SPDX-License-Identifier: BSL-1.0
#include "../strict_model.hpp"

#include <doorbell/testing/ufshci/snapshots.hpp>

namespace at = doorbell::ufs::offset;
namespace ocs = doorbell::ufs::ocs;
using namespace doorbell::testing;

TEST_CASE("The descriptor lies at the list base, 32 bytes a slot, and the device writes its status there") {
    running_model m;
    m.store(at::utrlba, 0x2400);
    CHECK(m.descriptor_address(3) == 0x2460);
    m.prepare(3);
    CHECK(m.memory().host(0x2460, 32)[8] == ocs::not_written);
    m.store(at::utrldbr, 1u << 3);
    m.finish(3, ocs::device_fatal);
    CHECK(m.memory().host(0x2460, 32)[8] == ocs::device_fatal);
    CHECK(m.ocs(3) == ocs::device_fatal);
}

TEST_CASE("A list outside of the memory is found at the ring") {
    ufshci_model m;
    m.bring_up();
    m.store(at::utrlba, 0x10000);
    CHECK(m.descriptor(0) == nullptr);
    m.store(at::utrldbr, 1);
    CHECK(m.errors().count(driver_error::memory_outside) == 1);
    CHECK(m.finish(0));
    ufshci_model moved{ufshci_knobs{.memory_base = 0x10000}};
    moved.bring_up();
    moved.store(at::utrlba, 0x10000);
    moved.prepare(0);
    moved.store(at::utrldbr, 1);
    CHECK(moved.errors().empty());
}

TEST_CASE("What the device saw at the ring can be looked at, byte for byte [U.C34]", "[U.C34]") {
    running_model m;
    m.prepare(0);
    m.descriptor(0)[28] = 5; // region table of a data command
    m.store(at::utrldbr, 1);
    CHECK(m.seen_descriptor(0)[28] == 5);
    m.finish(0);
    m.prepare(0);
    m.store(at::utrldbr, 1);
    CHECK(m.seen_descriptor(0)[28] == 0);
    CHECK(m.seen_descriptor(0)[8] == ocs::not_written);
}

TEST_CASE("Without the barrier the device does not see the descriptor [U.D1]", "[U.D1]") {
    ufshci_model m{ufshci_knobs{.memory_needs_barriers = true}};
    m.bring_up();
    m.descriptor(0)[0] = 0x55;
    SECTION("missing") {
        m.store(at::utrldbr, 1);
        CHECK(m.errors().count(driver_error::ring_unpublished) == 1);
        CHECK(m.seen_descriptor(0)[0] == 0);
    }
    SECTION("there") {
        m.before_doorbell();
        m.store(at::utrldbr, 1);
        CHECK(m.errors().empty());
        CHECK(m.seen_descriptor(0)[0] == 0x55);
    }
}

TEST_CASE("The doorbell is seen before the status unless a barrier is in between [U.D14]", "[U.D14]") {
    running_model m{ufshci_knobs{.memory_needs_barriers = true}};
    m.before_doorbell();
    m.store(at::utrldbr, 1);
    m.finish(0, ocs::success);
    CHECK(m.load(at::utrldbr) == 0);
    CHECK(m.ocs(0) == ocs::not_written); // torn: flag without payload
    m.after_done();
    CHECK(m.ocs(0) == ocs::success);
}

TEST_CASE(
    "A descriptor that was not handed to the device is found, and so is a response that was not taken back [inv:R5]",
    "[inv:R5]") {
    ufshci_model m{ufshci_knobs{.dma_needs_sync = true}};
    m.bring_up();
    SECTION("ring without for_device") {
        m.store(at::utrldbr, 1);
        CHECK(m.errors().count(driver_error::sync_device_missing) == 1);
    }
    SECTION("written after for_device") {
        m.for_device(0);
        m.descriptor(0)[0] = 1;
        m.store(at::utrldbr, 1);
        CHECK(m.errors().count(driver_error::sync_device_missing) == 1);
    }
    SECTION("response read without for_cpu") {
        m.for_device(0);
        m.store(at::utrldbr, 1);
        m.finish(0, ocs::success);
        CHECK(m.ocs(0) == ocs::not_written);
        CHECK(m.errors().count(driver_error::sync_cpu_missing) == 1);
        m.errors().clear();
        m.for_cpu(0);
        CHECK(m.ocs(0) == ocs::success);
        CHECK(m.errors().empty());
    }
    SECTION("for_cpu and for_device while the request is in flight") {
        m.for_device(0);
        m.store(at::utrldbr, 1);
        m.for_cpu(0);
        m.for_device(0);
        CHECK(m.errors().count(driver_error::sync_order) == 2);
    }
    SECTION("one for_device for two rings") {
        m.for_device(0);
        m.store(at::utrldbr, 1);
        m.finish(0);
        m.for_cpu(0);
        m.store(at::utrldbr, 1);
        CHECK(m.errors().count(driver_error::sync_device_missing) == 1);
    }
}

TEST_CASE("A real host in the middle of an abort: nothing is done though the notifications say so") {
    strict_model m;
    snapshots::aborting_laptop::put(m);
    std::uint32_t const outstanding = snapshots::aborting_laptop::outstanding;
    CHECK((~m.load(at::utrldbr) & outstanding) == 0);
    CHECK((m.load(at::utrlcnr) & outstanding) != 0);
    CHECK(m.load(at::is) == 0);
    CHECK_FALSE(m.line());
    m.store(at::utrlclr, ~(1u << snapshots::aborting_laptop::aborted_slot));
    CHECK(m.load(at::utrldbr) == 0xAB000000);
    CHECK(m.load(at::uecpa) == 0x80000010);
    CHECK(m.load(at::uecpa) == 0);
}

TEST_CASE("The descriptor of a stuck NOP is never a success") {
    running_model m;
    snapshots::stuck_nop::put(m, 4);
    CHECK(m.ocs(4) == ocs::not_written);
    m.store(at::utrldbr, 1u << 4);
    m.advance(1'000'000'000);
    CHECK(m.ocs(4) == ocs::not_written);
    CHECK(m.load(at::utrldbr) == 1u << 4);
    CHECK(m.seen_descriptor(4)[3] == 0x11);
}
