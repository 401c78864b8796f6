// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"

#include <cstddef>
#include <cstdint>

namespace doorbell::testing::explore {

/// Something that contexts share: a register, a lock, a word, a processor core. A number that a schedule gave out.
struct object {
    std::uint32_t number = 0;
    friend constexpr bool operator==(object, object) noexcept = default;
};

/// How an operation uses an object. A release ends an exclusion (unlock, end of a handler, unmask): it comes before
/// what it lets go on, but nobody could have run in its place, so there is no other order to try.
enum class mode : std::uint8_t { read, write, release };

/// Names nothing.
inline constexpr object nothing{0xFFFF'FFFF};

/// One object that a step touches, and how.
struct touch {
    object what{};
    mode how = mode::read;
    friend constexpr bool operator==(touch const&, touch const&) noexcept = default;
};

/// Everything that one operation touches: what it reads or writes, and what decides whether it may run at all. Two
/// operations whose footprints are apart may change places without anybody noticing; the reduction rests on that, so a
/// footprint that says too little hides orders, and one that says too much costs only time.
class footprint {
public:
    static constexpr std::size_t room = 8;

    constexpr footprint() noexcept = default;

    constexpr footprint(object what, mode how) noexcept { add(what, how); }

    /// Beyond `room` objects the operation touches everything.
    constexpr void add(object what, mode how) noexcept {
        if (count_ == room) {
            everything_ = true;
            return;
        }
        touches_[count_] = {what, how};
        ++count_;
    }

    constexpr void add(footprint const& other) noexcept {
        for (std::size_t i = 0; i < other.count_; ++i) {
            add(other.touches_[i].what, other.touches_[i].how);
        }
        everything_ = everything_ or other.everything_;
    }

    friend constexpr bool operator==(footprint const&, footprint const&) noexcept = default;

    [[nodiscard, gnu::always_inline]] constexpr bool empty() const noexcept { return count_ == 0 and not everything_; }

    /// One of the two writes or releases what the other one touches: their order matters.
    [[nodiscard, gnu::always_inline]] friend constexpr bool dependent(footprint const& a, footprint const& b) noexcept {
        return meet<false>(a, b);
    }

    /// As `dependent`, for operations that could have run in the other order: `first` does not merely let `second` go.
    [[nodiscard, gnu::always_inline]] friend constexpr bool
    racing(footprint const& first, footprint const& second) noexcept {
        return meet<true>(first, second);
    }

private:
    template <bool OnlyRaces>
    [[nodiscard, gnu::always_inline]] static constexpr bool meet(footprint const& a, footprint const& b) noexcept {
        if (a.everything_ or b.everything_) {
            return not a.empty() and not b.empty();
        }
        for (std::size_t i = 0; i < a.count_; ++i) {
            mode const x = a.touches_[i].how;
            for (std::size_t j = 0; j < b.count_; ++j) {
                mode const y = b.touches_[j].how;
                bool const clash = OnlyRaces ? x != mode::release and (x == mode::write or y != mode::read)
                                             : x != mode::read or y != mode::read;
                if (clash and a.touches_[i].what.number == b.touches_[j].what.number) {
                    return true;
                }
            }
        }
        return false;
    }

    touch touches_[room]{};
    std::size_t count_ = 0;
    bool everything_ = false;
};

/// When an operation may run: `test(self)` is asked at every state and must have no effect. Without a test: always.
struct condition {
    bool (*test)(void const* self) = nullptr;
    void const* self = nullptr;

    [[nodiscard]] bool holds() const { return test == nullptr or test(self); }
};

/// What a context is about to do: the next step of it. `verb` must outlive the schedule (a literal does).
struct operation {
    char const* verb = "";
    object what = nothing; ///< the object that the script names
    footprint touches{};   ///< all that it depends on
    std::uint64_t value = 0;
    bool has_value = false;
    condition when{};
    std::uint64_t takes = 1; ///< virtual time
};

} // namespace doorbell::testing::explore
