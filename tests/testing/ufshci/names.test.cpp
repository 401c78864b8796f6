// SPDX-License-Identifier: BSL-1.0
#include <catch2/catch_test_macros.hpp>
#include <doorbell/testing/ufshci/names.hpp>

using namespace doorbell::testing;

TEST_CASE("Registers have their names, those of queues with the number of the queue") {
    CHECK(register_name(0x58) == "UTRLDBR");
    CHECK(register_name(0x00) == "CAP");
    CHECK(register_name(0x388) == "ESIUBA");
    CHECK(register_name(0x404) == "SQLBA[0]");
    CHECK(register_name(0x460) == "CQATTR[1]");
    CHECK(register_name(0x1020) == "CQTP[0]");
    CHECK(register_name(0x1054) == "CQIS[1]");
    CHECK(register_name(0x15FC) == "CQIACR[31]");
    CHECK(register_name(0x28) == "0x28");
    CHECK(register_name(0x418) == "0x418");
    CHECK(register_name(0x1600) == "0x1600");
}

TEST_CASE("A line of the log names register and bits") {
    CHECK(to_string(access{5, 0x20, 0x401, access_kind::read}) == "t=5 read IS 0x00000401 (UTRCS|UCCS)");
    CHECK(to_string(access{0, 0x20, 0x80002000, access_kind::read}) == "t=0 read IS 0x80002000 (bit13|bit31)");
    CHECK(to_string(access{0, 0x58, 0x80000008, access_kind::write}) == "t=0 write UTRLDBR 0x80000008 (slot3|slot31)");
    CHECK(
        to_string(access{0, 0x30, 0x10F, access_kind::read}) ==
        "t=0 read HCS 0x0000010f (DP|UTRLRDY|UTMRLRDY|UCRDY|UPMCRS=1)");
    CHECK(to_string(access{0, 0x34, 1, access_kind::write}) == "t=0 write HCE 0x00000001 (HCE)");
    CHECK(
        to_string(access{0, 0x4C, 0x81010302, access_kind::write}) ==
        "t=0 write UTRIACR 0x81010302 (IAEN|IAPWEN|CTR|IACTH=3|IATOVAL=2)");
    CHECK(to_string(access{0, 0x38, 0x80000010, access_kind::read}) == "t=0 read UECPA 0x80000010 (valid)");
    CHECK(to_string(access{7, 0, 0, access_kind::before_doorbell}) == "t=7 before_doorbell");
    CHECK(to_string(access{7, 0, 4, access_kind::for_cpu}) == "t=7 for_cpu 4");
    CHECK(to_string(access{7, 0x58, 4, access_kind::finish}) == "t=7 finish 4");
}
