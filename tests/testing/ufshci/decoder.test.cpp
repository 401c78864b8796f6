// SPDX-License-Identifier: BSL-1.0
#include "../strict_model.hpp"

namespace at = doorbell::ufs::offset;
using namespace doorbell::testing;

TEST_CASE("Capabilities come from the knobs") {
    strict_model m{ufshci_knobs{
        .nutrs = 16,
        .nutmrs = 4,
        .queues = 3,
        .version = 0x310,
        .product = 5,
        .manufacturer = 6,
        .cap_extra = 1u << 23,
        .mcqcap_extra = 1u << 9}};
    CHECK(m.load(at::cap) == 0x4183020F);
    CHECK(m.load(at::mcqcap) == 0x00020202);
    CHECK(m.load(at::ver) == 0x310);
    CHECK(m.load(at::hcpid) == 5);
    CHECK(m.load(at::hcmid) == 6);
}

TEST_CASE("Read-write registers keep what they have room for") {
    strict_model m;

    struct row {
        std::size_t offset;
        std::uint32_t kept;
    };

    for (row const r :
         {row{at::ahit, 0x1FFF}, row{at::ie, doorbell::ufs::cause::all}, row{at::utrlba, 0xFFFFFC00},
          row{at::utrlbau, 0xFFFFFFFF}, row{at::utmrlba, 0xFFFFFC00}, row{at::utmrlbau, 0xFFFFFFFF},
          row{at::ucmdarg1, 0xFFFFFFFF}, row{at::ucmdarg2, 0xFFFFFFFF}, row{at::ucmdarg3, 0xFFFFFFFF},
          row{at::config, 3}, row{at::mcqconfig, 0xFF00}, row{at::esilba, 0xFFFFFFFF}, row{at::esiuba, 0xFFFFFFFF},
          row{at::uma, 0xFFFFFFFF}, row{at::vendor_first, 0xFFFFFFFF}, row{at::vendor_last, 0xFFFFFFFF},
          row{at::hce, 3}}) {
        m.store(r.offset, 0xFFFFFFFF);
        CHECK(m.load(r.offset) == r.kept);
        m.store(r.offset, 0);
        CHECK(m.load(r.offset) == 0);
    }
}

TEST_CASE("Slot clear reads nothing that means anything") {
    strict_model m;
    CHECK(m.load(at::utrlclr) == 0);
    CHECK(m.load(at::utmrlclr) == 0);
}

TEST_CASE("Reserved bits read arbitrary values that must be written back unchanged") {
    ufshci_model m{ufshci_knobs{.garbage = 12345}};
    std::uint32_t const read = m.load(at::mcqconfig);
    CHECK((read & ~0xFF00u) != 0);
    CHECK(m.load(at::mcqconfig) == read);
    m.store(at::mcqconfig, (read & ~0xFF00u) | 0x3F00);
    CHECK(m.errors().empty());
    CHECK(m.load(at::mcqconfig) == ((read & ~0xFF00u) | 0x3F00));
    m.store(at::mcqconfig, 0x3F00);
    CHECK(m.errors().count(driver_error::reserved_bits) == 1);
    CHECK(ufshci_model(ufshci_knobs{.garbage = 777}).load(at::mcqconfig) != read);
}
