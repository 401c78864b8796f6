// SPDX-License-Identifier: BSL-1.0
#include <replay/ufshcd_command.hpp>

#include <catch2/catch_test_macros.hpp>

#include <string>

using replay::parse_ufshcd_command;
using kind = replay::ufshcd_command::action_kind;

TEST_CASE("every kernel's form of the event is understood") {
    for (std::string const device : {"", "1d84000.ufshc: ", "0:0:0:49488: "}) {
        for (std::string const tail :
             {"", " (READ_10)", " (0x28), group_id: 0x0", " (0x28), group_id: 0x0, hwq_id: 7"}) {
            auto const text =
                device + "tag: 4095, DB: 0xfe, size: -1, IS: 0, LBA: 18446744073709551615, opcode: 0x28" + tail;
            CAPTURE(text);
            for (auto const& [action, what] :
                 {std::pair{"send_req", kind::send},
                  {"send", kind::send},
                  {"complete_rsp", kind::complete},
                  {"complete", kind::complete},
                  {"dev_complete", kind::complete},
                  {"tm_send", kind::other}}) {
                std::string const payload = std::string{action} + ": " + text;
                auto const command = parse_ufshcd_command(payload);
                REQUIRE(command);
                CHECK(command->action == what);
                CHECK(command->tag == 4095);
                CHECK(command->lba == ~std::uint64_t{0});
                CHECK(command->opcode == 0x28);
                CHECK(std::string{command->device} + (device.empty() ? "" : ": ") == device);
            }
        }
    }
}

TEST_CASE("an event without a tag is not understood") {
    for (char const* text :
         {"", "send_req", "send_req: ", "send_req: tag: ", "send_req: tag: x", "send_req: 0:0:0:0: ta",
          "send_req: 0:0:0:0: tag: -1", "send_req: tag: 99999999999999999999", "send_req: tag: 1x"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_ufshcd_command(text));
    }
}
