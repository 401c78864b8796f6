// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "text_cursor.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace replay {

/// What a `ufshcd_command` event says.
struct ufshcd_command {
    enum class action_kind : std::uint8_t { send, complete, other };

    action_kind action = action_kind::other;
    std::string_view device{}; ///< name of the controller or SCSI address; empty in recordings that print neither
    std::uint64_t tag = 0;
    std::uint64_t lba = 0;
    std::uint64_t opcode = 0;
};

/// `ACTION: [DEVICE: ]tag: N[, FIELD: VALUE]...`. Actions are `send_req` and `complete_rsp`, in older kernels `send`
/// and `complete`, and `dev_complete` for a device management command. Nothing when the text is not of that shape.
[[nodiscard]] inline std::optional<ufshcd_command> parse_ufshcd_command(std::string_view payload) noexcept {
    using kind = ufshcd_command::action_kind;
    ufshcd_command out;
    std::size_t const action_end = payload.find(": ");
    if (action_end == std::string_view::npos or action_end == 0) {
        return {};
    }
    std::string_view const action = payload.substr(0, action_end);
    if (action == "send_req" or action == "send" or action == "dev_send") {
        out.action = kind::send;
    } else if (action == "complete_rsp" or action == "complete" or action == "dev_complete") {
        out.action = kind::complete;
    }
    text_cursor c{payload.substr(action_end + 2)};
    c.skip_blanks();
    if (not c.skip("tag: ")) {
        constexpr std::string_view mark = ": tag: ";
        std::size_t const device_end = c.rest().find(mark);
        if (device_end == std::string_view::npos) {
            return {};
        }
        out.device = c.rest().substr(0, device_end);
        c = text_cursor{c.rest().substr(device_end + mark.size())};
    }
    auto const tag = c.decimal();
    if (not tag or not(c.empty() or c.at(',') or c.skip_blanks())) {
        return {};
    }
    out.tag = *tag;
    if (std::size_t const at = c.rest().find(", LBA: "); at != std::string_view::npos) {
        c = text_cursor{c.rest().substr(at + 7)};
        out.lba = c.decimal().value_or(0);
    }
    if (std::size_t const at = c.rest().find(", opcode: "); at != std::string_view::npos) {
        c = text_cursor{c.rest().substr(at + 10)};
        out.opcode = c.hexadecimal().value_or(0);
    }
    return out;
}

} // namespace replay
