// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "bad_input.hpp"
#include "ledger.hpp"
#include "line_reader.hpp"
#include "text_cursor.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace replay {

/// Reads the trace events of QEMU's UFS device: a write to the doorbell sends requests, `ufs_sendback_req` is the
/// moment the device has finished one. The text has no times; each of its lines takes `line_time_ns`.
class qemu_traffic {
public:
    explicit qemu_traffic(std::uint64_t line_time_ns) noexcept : line_time_ns_{line_time_ns} {}

    /// Is this a line of QEMU's UFS device?
    [[nodiscard]] static bool recognises(std::string_view text) noexcept {
        std::string_view const event = strip_prefix(text);
        using namespace std::string_view_literals;
        constexpr std::array names{"ufs_mmio_read addr "sv, "ufs_mmio_write addr "sv, "ufs_irq_raise"sv,
                                   "ufs_irq_lower"sv,       "ufs_sendback_req "sv,    "ufs_process_"sv,
                                   "ufs_exec_"sv,           "ufs_complete_req "sv,    "ufs_mcq_"sv};
        for (std::string_view const name : names) {
            if (event.starts_with(name)) {
                return true;
            }
        }
        return false;
    }

    /// Takes one line. True when it is traffic of the device, false when it is other text. Throws `bad_input`.
    bool take(text_line const& line, ledger& book) {
        text_cursor c{strip_prefix(line.text)};
        ledger::source at{};
        at.line = line.number;
        at.time_ns = line.number * line_time_ns_;
        if (c.skip("ufs_mmio_read addr ")) {
            static_cast<void>(take_access(c, line));
            return true;
        }
        if (c.skip("ufs_mmio_write addr ")) {
            access const a = take_access(c, line);
            if (a.address == doorbell) {
                ring(static_cast<std::uint32_t>(a.data), at, book);
            } else if ((a.address == config and (a.data & 1) != 0) or a.address >= queue_doorbells) {
                multi_queue_ = true;
            }
            return true;
        }
        if (c.skip("ufs_sendback_req ")) {
            c.word();
            c.skip_blanks();
            c.skip("slot");
            c.skip_blanks();
            auto const slot = c.decimal();
            if (not slot or not c.empty()) {
                throw malformed_line{line.number, "ufs_sendback_req without a slot"};
            }
            if (*slot == no_slot) {
                multi_queue_ = true;
            } else if (*slot >= ledger::slots) {
                throw bad_input{line.number, "slot " + std::to_string(*slot) + " is out of range (0 to 31)"};
            } else {
                busy_ &= ~(std::uint32_t{1} << *slot);
                book.complete(0, *slot, at);
            }
            return true;
        }
        if (c.skip("ufs_mcq_")) {
            multi_queue_ = true;
            return true;
        }
        return recognises(line.text);
    }

    /// The driver uses submission and completion queues, not the single doorbell.
    [[nodiscard]] bool multi_queue() const noexcept { return multi_queue_; }

    [[nodiscard]] std::string_view name() const noexcept { return multi_queue_ ? "qemu-mcq" : "qemu-mmio"; }

private:
    static constexpr std::uint64_t doorbell = 0x58;
    static constexpr std::uint64_t config = 0x300;
    static constexpr std::uint64_t queue_doorbells = 0x1000; // where the device keeps the registers of its queues
    static constexpr std::uint64_t no_slot = 0xFFFF'FFFF;

    struct access {
        std::uint64_t address;
        std::uint64_t data;
    };

    [[nodiscard]] static access take_access(text_cursor c, text_line const& line) {
        auto const address = c.hexadecimal();
        if (address and c.skip(" data ")) {
            auto const data = c.hexadecimal();
            if (data and *data <= 0xFFFF'FFFF and c.skip(" size ") and c.decimal() and c.empty()) {
                return {*address, *data};
            }
        }
        throw malformed_line{line.number, "register access without address, data and size"};
    }

    /// Ones start slots, zeros change nothing; a one for a slot that is busy already changes nothing either.
    void ring(std::uint32_t bits, ledger::source const& at, ledger& book) {
        bits &= ~busy_;
        busy_ |= bits;
        for (std::uint32_t slot = 0; slot < ledger::slots; ++slot) {
            if (((bits >> slot) & 1U) != 0) {
                book.send(0, slot, at);
            }
        }
    }

    /// Log back ends print `PID@SECONDS.MICROSECONDS:` or a time before the event.
    [[nodiscard]] static std::string_view strip_prefix(std::string_view text) noexcept {
        std::size_t const at = text.find("ufs_");
        if (at == std::string_view::npos or at == 0) {
            return text;
        }
        for (char const c : text.substr(0, at)) {
            if (not text_cursor::is_digit(c) and std::string_view{"@.:-+ TZ\t"}.find(c) == std::string_view::npos) {
                return text;
            }
        }
        return text.substr(at);
    }

    std::uint64_t line_time_ns_;
    std::uint32_t busy_ = 0;
    bool multi_queue_ = false;
};

} // namespace replay
