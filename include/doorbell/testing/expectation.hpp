// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "access_log.hpp"
#include "ufshci/names.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

namespace doorbell::testing {

/// What a line of the log should look like: its kind, and as much of the rest as is asked for.
struct access_pattern {
    access_kind kind = access_kind::read;
    std::uint32_t offset = 0;
    std::uint32_t value = 0;
    std::uint32_t mask = 0; ///< bits of the value that matter; 0: any value

    /// The same, with only these bits of the value looked at.
    [[nodiscard]] constexpr access_pattern only(std::uint32_t bits) const noexcept {
        return {kind, offset, value, mask & bits};
    }

    [[nodiscard]] constexpr bool matches(access const& line) const noexcept {
        return line.kind == kind and line.offset == offset and ((line.value ^ value) & mask) == 0;
    }
};

/// A read of the register at `offset`, whatever it returned.
[[nodiscard]] constexpr access_pattern read_of(std::size_t offset) noexcept {
    return {access_kind::read, static_cast<std::uint32_t>(offset)};
}

/// The same, with the value that was read.
[[nodiscard]] constexpr access_pattern read_of(std::size_t offset, std::uint32_t value) noexcept {
    return {access_kind::read, static_cast<std::uint32_t>(offset), value, ~0u};
}

/// A write to the register at `offset`, whatever was written.
[[nodiscard]] constexpr access_pattern write_of(std::size_t offset) noexcept {
    return {access_kind::write, static_cast<std::uint32_t>(offset)};
}

/// The same, with the value that was written.
[[nodiscard]] constexpr access_pattern write_of(std::size_t offset, std::uint32_t value) noexcept {
    return {access_kind::write, static_cast<std::uint32_t>(offset), value, ~0u};
}

/// A barrier, or another line that has no register; for `for_device`, `for_cpu` and `finish` see the other overload.
[[nodiscard]] constexpr access_pattern note_of(access_kind kind) noexcept {
    return {kind};
}

/// `for_device`, `for_cpu` or `finish` of one slot.
[[nodiscard]] constexpr access_pattern note_of(access_kind kind, std::uint32_t slot) noexcept {
    return {kind, kind == access_kind::finish ? 0x58u : 0u, slot, ~0u};
}

/// Yes, or no with the reason and the log. Tests as bool; prints itself where a test framework streams it.
class verdict {
public:
    verdict() = default;

    explicit verdict(std::string why) : why_(std::move(why)) {}

    [[nodiscard]] explicit operator bool() const noexcept { return why_.empty(); }

    /// Empty when the expectation is met.
    [[nodiscard]] std::string const& why() const noexcept { return why_; }

    template <typename Stream>
    friend Stream& operator<<(Stream& out, verdict const& v) {
        out << (v ? std::string("as expected") : v.why_);
        return out;
    }

private:
    std::string why_{};
};

/// Expectations on a log, as a test reads: `expect(m.log()).exactly({read_of(is), write_of(is, 1)})`. Only kinds that
/// an expectation names take part in it; reads and writes always do in `exactly`.
class expect {
public:
    explicit expect(access_log const& log) noexcept : log_(log) {}

    /// These accesses, in this order, and no others.
    [[nodiscard]] verdict exactly(std::initializer_list<access_pattern> wanted) const {
        auto const* next = wanted.begin();
        for (std::size_t i = 0; i < log_.size(); ++i) {
            access const& line = log_[i];
            bool concerned = line.kind == access_kind::read or line.kind == access_kind::write;
            for (access_pattern const& p : wanted) {
                concerned = concerned or p.kind == line.kind;
            }
            if (not concerned) {
                continue;
            }
            if (next == wanted.end()) {
                return no("one access too many: " + to_string(line));
            }
            if (not next->matches(line)) {
                return no("expected " + text(*next) + ", found " + to_string(line));
            }
            ++next;
        }
        return next == wanted.end() ? verdict() : no("missing at the end: " + text(*next));
    }

    /// These accesses in this order, with anything in between.
    [[nodiscard]] verdict in_order(std::initializer_list<access_pattern> wanted) const {
        auto const* next = wanted.begin();
        for (std::size_t i = 0; i < log_.size() and next != wanted.end(); ++i) {
            if (next->matches(log_[i])) {
                ++next;
            }
        }
        return next == wanted.end() ? verdict() : no("not found in this order: " + text(*next));
    }

    [[nodiscard]] verdict never(access_pattern unwanted) const {
        for (std::size_t i = 0; i < log_.size(); ++i) {
            if (unwanted.matches(log_[i])) {
                return no("not expected: " + to_string(log_[i]));
            }
        }
        return {};
    }

    /// Each `later` has an `earlier` of its own before it.
    [[nodiscard]] verdict each_preceded(access_pattern later, access_pattern earlier) const {
        bool seen = false;
        for (std::size_t i = 0; i < log_.size(); ++i) {
            if (earlier.matches(log_[i])) {
                seen = true;
            } else if (later.matches(log_[i])) {
                if (not seen) {
                    return no(to_string(log_[i]) + " without " + text(earlier) + " before it");
                }
                seen = false;
            }
        }
        return {};
    }

    [[nodiscard]] std::size_t count(access_pattern of) const noexcept {
        std::size_t n = 0;
        for (std::size_t i = 0; i < log_.size(); ++i) {
            n += of.matches(log_[i]) ? 1u : 0u;
        }
        return n;
    }

private:
    [[nodiscard]] static std::string text(access_pattern const& p) {
        std::string const line = to_string(access{0, p.offset, p.value, p.kind}).substr(4);
        return p.mask == 0 ? line.substr(0, line.find(" 0x")) : line;
    }

    [[nodiscard]] verdict no(std::string const& why) const {
        std::string all = why + "\nlog:";
        for (std::size_t i = 0; i < log_.size(); ++i) {
            all += "\n  " + to_string(log_[i]);
        }
        return verdict(std::move(all));
    }

    access_log const& log_;
};

} // namespace doorbell::testing
