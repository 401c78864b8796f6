// SPDX-License-Identifier: BSL-1.0
#include "../strict_model.hpp"

#include <cstring>

namespace at = doorbell::ufs::offset;
namespace ocs = doorbell::ufs::ocs;
using namespace doorbell::testing;

namespace {

/// A model with 64 blocks of storage, command descriptors from 0x1000 on, data from 0x8000 on.
struct disk : running_model {
    explicit disk(ufshci_knobs k = {}) : running_model(with_blocks(k)) {}

    static ufshci_knobs with_blocks(ufshci_knobs k) {
        k.blocks = 64;
        return k;
    }

    static constexpr std::size_t descriptor_of(unsigned slot) { return 0x1000 + 0x200 * slot; }

    void put(std::size_t where, std::uint32_t v) {
        unsigned char* const p = memory().host(where, 4);
        for (unsigned i = 0; i < 4; ++i) {
            p[i] = static_cast<unsigned char>(v >> (8 * i));
        }
    }

    /// Builds a SCSI command in `slot`; `data`: address of the data, 0 for none.
    void build(
        unsigned slot, std::uint8_t opcode, std::uint32_t block, std::uint16_t count, std::uint32_t data = 0,
        bool fua = false) {
        prepare(slot);
        std::size_t const c = descriptor_of(slot);
        std::memset(memory().host(c, 0x200), 0, 0x200);
        unsigned char* const d = descriptor(slot);
        put(descriptor_address(slot) + 16, static_cast<std::uint32_t>(c));
        d[24] = 8;    // response: 32 bytes
        d[26] = 0x20; // at 128
        d[28] = data != 0 ? 1 : 0;
        d[30] = 0x40; // region table at 256
        unsigned char* const u = memory().host(c, 32);
        u[0] = 0x01;
        u[2] = 4;
        u[3] = static_cast<unsigned char>(slot);
        u[16] = opcode;
        u[17] = fua ? 0x08 : 0;
        u[20] = static_cast<unsigned char>(block >> 8);
        u[21] = static_cast<unsigned char>(block);
        u[24] = static_cast<unsigned char>(count);
        put(c + 256, data);
        put(c + 256 + 12, 0x3FFF);
    }

    void run(unsigned slot, std::uint32_t status = ocs::success) {
        store(at::utrldbr, 1u << slot);
        finish(slot, status);
    }

    unsigned char scsi_status(unsigned slot) { return memory().host(descriptor_of(slot) + 128, 32)[7]; }
};

constexpr std::uint8_t write_10 = 0x2A, read_10 = 0x28, synchronize = 0x35, unmap = 0x42;

} // namespace

TEST_CASE("A write that was not flushed is lost with the power, and it is named") {
    disk m;
    m.build(0, write_10, 5, 2);
    m.run(0);
    CHECK(m.scsi_status(0) == 0);
    m.build(1, write_10, 9, 1);
    m.store(at::utrldbr, 2); // in flight, not acknowledged
    auto const lost = m.power_cut();
    REQUIRE(lost.size() == 2);
    CHECK(lost[0].block == 5);
    CHECK(lost[1].block == 6);
    CHECK(m.load(at::utrldbr) == 0);
    CHECK_FALSE(m.finish(1));
}

TEST_CASE("A flush saves what was acknowledged when the device took it up") {
    disk m;
    m.build(0, write_10, 5, 1);
    m.run(0);
    m.build(1, synchronize, 0, 0);
    m.store(at::utrldbr, 2);
    m.build(2, write_10, 6, 1);
    m.run(2); // acknowledged while the flush is in flight
    m.finish(1);
    auto const lost = m.power_cut();
    REQUIRE(lost.size() == 1);
    CHECK(lost[0].block == 6);
}

TEST_CASE("A flush that fails, and a write that fails, change nothing") {
    disk m;
    m.build(0, write_10, 5, 1);
    m.run(0);
    m.build(1, synchronize, 0, 0);
    m.run(1, ocs::device_fatal);
    CHECK(m.storage().at_risk().size() == 1);
    m.build(2, write_10, 6, 1);
    m.run(2, ocs::aborted);
    CHECK(m.storage().writes() == 1);
    CHECK(m.ocs(2) == ocs::aborted);
}

TEST_CASE("Force unit access and a device without a cache are durable at once") {
    disk m;
    m.build(0, write_10, 5, 1, 0, true);
    m.run(0);
    CHECK(m.power_cut().empty());
    disk through{ufshci_knobs{.write_cache = false}};
    through.build(0, write_10, 5, 1);
    through.run(0);
    CHECK(through.power_cut().empty());
}

TEST_CASE("Data travels: what a write put into a block a read brings back") {
    disk m;
    std::uint64_t const stamp = 0x1122334455667788;
    std::memcpy(m.memory().host(0x8000, 8), &stamp, 8);
    m.build(0, write_10, 7, 1, 0x8000);
    m.run(0);
    CHECK(m.storage().read(7) == stamp);
    m.build(1, read_10, 7, 1, 0xC000);
    m.run(1);
    CHECK(std::memcmp(m.memory().host(0xC000, 8), &stamp, 8) == 0);
    m.build(2, unmap, 7, 1);
    m.run(2);
    CHECK(m.storage().read(7) == 0);
}

TEST_CASE("Beyond the end of the device there is a check condition; the response names unit and tag") {
    disk m;
    m.build(3, write_10, 64, 1);
    m.run(3);
    CHECK(m.ocs(3) == ocs::success);
    CHECK(m.scsi_status(3) == 2);
    unsigned char const* const r = m.memory().host(disk::descriptor_of(3) + 128, 32);
    CHECK(r[0] == 0x21);
    CHECK(r[2] == 4);
    CHECK(r[3] == 3);
    CHECK(m.storage().writes() == 0);
}

TEST_CASE("A reset loses the cache only where the device does that") {
    for (bool const drops : {false, true}) {
        disk m{ufshci_knobs{.reset_drops_cache = drops}};
        m.build(0, write_10, 5, 1);
        m.run(0);
        m.store(at::hce, 0);
        CHECK(m.storage().at_risk().size() == (drops ? 0u : 1u));
        CHECK((m.storage().read(5) != 0) == not drops);
    }
}

TEST_CASE("Without blocks the device looks at no command descriptor") {
    running_model m;
    m.prepare(0);
    m.descriptor(0)[18] = 0xFF; // an address outside
    m.store(at::utrldbr, 1);
    CHECK(m.finish(0));
    CHECK(m.ocs(0) == ocs::success);
}
