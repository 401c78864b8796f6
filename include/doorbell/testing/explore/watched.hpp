// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"

#include <cstdint>
#include <set>

namespace doorbell::testing::explore {

/// What is asked of the contexts that access watched memory.
enum class access_rule : std::uint8_t {
    anybody,
    behind_lock, ///< a plain word that two contexts use is used with a lock held; atomic accesses need none
};

namespace detail {

/// The memory whose accesses are switch points: plain words, which the hooks look at for every access of the program.
struct watched_memory {
    static constexpr unsigned room = 8;

    std::uintptr_t begin[room];
    std::uintptr_t end[room];
    unsigned count;
    // All of it lies in here: most accesses of a program are told by one comparison.
    std::uintptr_t low;
    std::uintptr_t span;

    void add(void const* from, std::uintptr_t bytes) noexcept {
        begin[count] = reinterpret_cast<std::uintptr_t>(from);
        end[count] = begin[count] + bytes;
        std::uintptr_t const high = count == 0 or end[count] > low + span ? end[count] : low + span;
        low = count == 0 or begin[count] < low ? begin[count] : low;
        span = high - low;
        ++count;
    }

    void clear() noexcept {
        count = 0;
        span = 0;
    }
};

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): the compiler's calls bring no object along
inline constinit thread_local watched_memory watched{};

/// Watched words are objects with numbers from here on.
inline constexpr std::uint32_t first_watched_word = 0x8000'0000;

/// Who has used a watched word in this schedule. A second context finds out whether the first one needed a lock.
struct word_users {
    void const* first = nullptr;
    void const* careless = nullptr; ///< used it without a lock
    bool shared = false;

    /// The use that was wrong, if this one completes a pair: its context.
    [[nodiscard]] void const* add(void const* who, bool guarded) noexcept {
        first = first == nullptr ? who : first;
        shared = shared or first != who;
        careless = guarded or careless != nullptr ? careless : who;
        return shared ? careless : nullptr;
    }
};

/// The watched words that contexts write: only those are switch points, the others are the same for everybody. They are
/// found out on the way; whenever one is new the search begins again.
struct written_words {
    std::set<std::uint32_t> numbers{};
    bool grew = false;

    /// Whether an access to this word is a switch point.
    [[nodiscard]] bool matters(std::uint32_t number, bool writes) {
        if (writes and numbers.insert(number).second) {
            grew = true;
        }
        return numbers.contains(number);
    }
};

} // namespace detail

} // namespace doorbell::testing::explore
