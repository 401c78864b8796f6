// SPDX-License-Identifier: BSL-1.0
#include <catch2/catch_test_macros.hpp>
#include <doorbell/testing/ufshci/register_block.hpp>

using namespace doorbell::testing;

TEST_CASE("Each offset lies in the block of one queue, or of none, or is a single register") {
    CHECK(locate(0x58, 0).kind == register_block::fixed);
    CHECK(locate(0x28, 0).kind == register_block::none);
    CHECK(locate(0xC0, 0).kind == register_block::fixed);
    CHECK(locate(0xFC, 0).kind == register_block::fixed);
    CHECK(locate(0x440, 2).kind == register_block::config);
    CHECK(locate(0x440, 2).queue == 1);
    CHECK(locate(0x440, 1).kind == register_block::none);
    CHECK(locate(0x458, 2).kind == register_block::none);
    CHECK(locate(0x438, 2).kind == register_block::none);
    CHECK(locate(0x1054, 2).kind == register_block::runtime);
    CHECK(locate(0x1054, 2).queue == 1);
    CHECK(locate(0x1054, 2).at == 0x24);
    CHECK(locate(0x1600, 32).kind == register_block::none);
    CHECK(locate(0x1FFC, 32).kind == register_block::none);
}
