// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <istream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// Register traffic of a driver on QEMU's controller, as its trace log prints it, one event per line and in order.
namespace conformance {

enum class event_kind : std::uint8_t {
    read,      // a: offset, b: value that was answered
    write,     // a: offset, b: value
    raise,     // line evaluated: high
    lower,     // line evaluated: low
    uic,       // a: opcode, arguments in args
    sendback,  // a: slot that hardware finished
    queue_done // a: submission queue whose request finished
};

struct event {
    event_kind kind;
    std::uint32_t a = 0, b = 0;
    std::uint32_t args[3] = {0, 0, 0};
    unsigned line = 0;
};

struct recording {
    std::string name{};
    std::vector<event> events{};
    bool queues = false;      // the recorded controller was in multi-queue mode
    unsigned queue_count = 2; // what QEMU makes by default, more where a queue with a higher number was created
};

namespace detail {

struct parser {
    std::string const& name;
    unsigned line;
    std::string_view rest;

    [[noreturn]] void fail(std::string const& what) const {
        throw std::runtime_error(name + ":" + std::to_string(line) + ": " + what);
    }

    std::string_view word() {
        while (not rest.empty() and (rest.front() == ' ' or rest.front() == ',')) {
            rest.remove_prefix(1);
        }
        std::size_t const end = std::min(rest.find_first_of(" ,"), rest.size());
        std::string_view const w = rest.substr(0, end);
        rest.remove_prefix(end);
        return w;
    }

    void expect(std::string_view wanted) {
        std::string_view const w = word();
        if (w != wanted) {
            fail("expected '" + std::string(wanted) + "', found '" + std::string(w) + "'");
        }
    }

    std::uint32_t number() {
        std::string_view w = word();
        std::string const text(w);
        bool const hex = w.starts_with("0x");
        w.remove_prefix(hex ? 2 : 0);
        std::uint64_t value = 0;
        if (w.empty() or w.size() > 10) {
            fail("'" + text + "' is not a 32-bit number");
        }
        for (char const c : w) {
            unsigned const digit = c >= '0' and c <= '9'           ? static_cast<unsigned>(c - '0')
                                   : hex and c >= 'a' and c <= 'f' ? static_cast<unsigned>(c - 'a') + 10
                                                                   : 16u;
            if (digit == 16) {
                fail("'" + text + "' is not a number");
            }
            value = value * (hex ? 16 : 10) + digit;
        }
        if (value > 0xFFFFFFFFu) {
            fail("'" + text + "' is not a 32-bit number");
        }
        return static_cast<std::uint32_t>(value);
    }

    void end() {
        if (std::string_view const w = word(); not w.empty()) {
            fail("'" + std::string(w) + "' after the end of the event");
        }
    }
};

} // namespace detail

/// Reads a recording. Throws std::runtime_error with "file:line: what is wrong".
inline recording parse(std::istream& in, std::string const& name) {
    recording out{name, {}};
    std::string text;
    unsigned line = 0;
    while (std::getline(in, text)) {
        ++line;
        detail::parser p{name, line, text};
        std::string_view const what = p.word();
        event e{};
        e.line = line;
        if (what == "ufs_mmio_read" or what == "ufs_mmio_write") {
            e.kind = what == "ufs_mmio_read" ? event_kind::read : event_kind::write;
            p.expect("addr");
            e.a = p.number();
            p.expect("data");
            e.b = p.number();
            p.expect("size");
            if (p.number() != 4) {
                p.fail("access is not 4 bytes wide");
            }
            if (e.a % 4 != 0 or e.a >= 0x2000) {
                p.fail("no register can be at this offset");
            }
            out.queues = out.queues or e.a >= 0x400;
        } else if (what == "ufs_irq_raise" or what == "ufs_irq_lower") {
            e.kind = what == "ufs_irq_raise" ? event_kind::raise : event_kind::lower;
            p.expect("INTx");
        } else if (what == "ufs_process_uiccmd") {
            e.kind = event_kind::uic;
            p.expect("uiccmd");
            e.a = p.number();
            for (unsigned i = 0; i < 3; ++i) {
                p.expect("ucmdarg" + std::to_string(i + 1));
                e.args[i] = p.number();
            }
        } else if (what == "ufs_sendback_req") {
            e.kind = event_kind::sendback;
            p.expect("UTRLDBR");
            p.expect("slot");
            e.a = p.number();
            if (e.a >= 32) {
                p.fail("slot " + std::to_string(e.a) + " does not exist");
            }
        } else if (what == "ufs_mcq_complete_req") {
            e.kind = event_kind::queue_done;
            p.expect("sqid");
            e.a = p.number();
            if (e.a >= 32) {
                p.fail("queue " + std::to_string(e.a) + " does not exist");
            }
            out.queues = true;
        } else if (what.starts_with("ufs_mcq_create_")) {
            out.queues = true;
            std::size_t const id = text.find("qid ");
            detail::parser number{
                name, line, std::string_view(text).substr(id == std::string::npos ? text.size() : id + 4)};
            std::uint32_t const queue = number.number();
            if (queue >= 32) {
                p.fail("queue " + std::to_string(queue) + " does not exist");
            }
            out.queue_count = std::max(out.queue_count, queue + 1);
            continue;
        } else if (what.starts_with("ufs_")) {
            continue; // progress of a request: no register changes
        } else {
            p.fail(
                text.empty() ? "empty line" : "'" + std::string(what.substr(0, 40)) + "' is no event of this device");
        }
        p.end();
        out.events.push_back(e);
    }
    if (out.events.empty()) {
        throw std::runtime_error(name + ":" + std::to_string(line) + ": no event of this device");
    }
    return out;
}

inline recording parse_file(std::string const& path) {
    std::ifstream in(path);
    if (not in) {
        throw std::runtime_error(path + ":0: cannot be opened");
    }
    return parse(in, path);
}

} // namespace conformance
