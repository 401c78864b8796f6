// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tag_set.hpp"

namespace doorbell {

namespace detail {

/// Walks the set bits of several words, empty words skipped whole. Refers to the words, which must outlive it; a change
/// to the word that is being walked is not seen, one to a later word is.
class wide_bit_iterator {
public:
    using value_type = tag;
    using difference_type = std::ptrdiff_t;

    constexpr wide_bit_iterator() noexcept = default;

    constexpr wide_bit_iterator(std::uint64_t const* words, std::size_t count) noexcept
        : words_{words}, count_{count}, rest_{words[0]} {
        skip_empty();
    }

    [[nodiscard]] constexpr tag operator*() const noexcept {
        if (rest_ == 0) {
            __builtin_unreachable();
        }
        return {static_cast<unsigned>(index_ * 64) + static_cast<unsigned>(std::countr_zero(rest_))};
    }

    constexpr wide_bit_iterator& operator++() noexcept {
        rest_ &= rest_ - 1;
        skip_empty();
        return *this;
    }

    constexpr wide_bit_iterator operator++(int) noexcept {
        wide_bit_iterator const before = *this;
        ++*this;
        return before;
    }

    // Only the end has nothing left, in any word: so this compares like positions without a count of words in the end.
    friend constexpr bool operator==(wide_bit_iterator const& a, wide_bit_iterator const& b) noexcept {
        return a.rest_ == b.rest_ and (a.rest_ == 0 or a.index_ == b.index_);
    }

private:
    constexpr void skip_empty() noexcept {
        while (rest_ == 0 and index_ + 1 < count_) {
            rest_ = words_[++index_];
        }
    }

    std::uint64_t const* words_ = nullptr;
    std::size_t count_ = 0;
    std::size_t index_ = 0;
    std::uint64_t rest_ = 0;
};

} // namespace detail

/// A set of the tags 0 to N-1, N above 64, in as many 64-bit words as it takes. The interface is that of the one-word
/// set, apart from raw(i). Any context, no lock of its own, no errors. Set algebra costs one operation for each word;
/// a walk one step for each tag in the set and one for each empty word.
template <std::size_t N>
    requires(N > 64)
class tag_set<N> {
public:
    using word = std::uint64_t;
    using iterator = detail::wide_bit_iterator;
    using const_iterator = iterator;
    using value_type = tag;

    static constexpr std::size_t capacity = N;
    /// The number of words.
    static constexpr std::size_t words = (N + 63) / 64;

    constexpr tag_set() noexcept = default;

    constexpr explicit tag_set(tag t) noexcept { insert(t); }

    [[nodiscard]] static constexpr tag_set all() noexcept { return ~tag_set{}; }

    /// Word i of the set: bit n for tag 64 * i + n.
    [[nodiscard]] constexpr word raw(std::size_t i) const noexcept { return words_[i]; }

    /// Replaces word i; bits at or above N are dropped.
    constexpr void set_raw(std::size_t i, word bits) noexcept { words_[i] = i + 1 == words ? bits & last_mask : bits; }

    [[nodiscard]] constexpr bool empty() const noexcept {
        word any = 0;
        for (word const w : words_) {
            any |= w;
        }
        return any == 0;
    }

    [[nodiscard]] constexpr std::size_t size() const noexcept {
        std::size_t count = 0;
        for (word const w : words_) {
            count += static_cast<std::size_t>(std::popcount(w));
        }
        return count;
    }

    [[nodiscard]] constexpr bool single() const noexcept {
        iterator i = begin();
        if (i == end()) {
            return false;
        }
        ++i;
        return i == end();
    }

    [[nodiscard]] constexpr bool contains(tag t) const noexcept {
        return ((words_[t.index / 64] >> (t.index % 64)) & 1U) != 0;
    }

    [[nodiscard]] constexpr bool subset_of(tag_set const& other) const noexcept { return (*this - other).empty(); }

    [[nodiscard]] constexpr bool intersects(tag_set const& other) const noexcept { return not(*this & other).empty(); }

    /// The lowest tag. The set must not be empty.
    [[nodiscard]] constexpr tag front() const noexcept { return *begin(); }

    constexpr void pop_front() noexcept {
        for (word& w : words_) {
            if (w != 0) {
                w &= w - 1;
                return;
            }
        }
    }

    constexpr void insert(tag t) noexcept { words_[t.index / 64] |= bit(t); }

    constexpr void erase(tag t) noexcept { words_[t.index / 64] &= ~bit(t); }

    /// The lowest tag that is not in the set; tag{N} when all are.
    [[nodiscard]] constexpr tag first_clear() const noexcept {
        unsigned index = 0;
        for (word const w : words_) {
            unsigned const ones = static_cast<unsigned>(std::countr_one(w));
            index += ones;
            if (ones != 64) {
                break;
            }
        }
        return {index};
    }

    constexpr tag_set& operator|=(tag_set const& other) noexcept {
        for (std::size_t i = 0; i != words; ++i) {
            words_[i] |= other.words_[i];
        }
        return *this;
    }

    constexpr tag_set& operator&=(tag_set const& other) noexcept {
        for (std::size_t i = 0; i != words; ++i) {
            words_[i] &= other.words_[i];
        }
        return *this;
    }

    constexpr tag_set& operator-=(tag_set const& other) noexcept {
        for (std::size_t i = 0; i != words; ++i) {
            words_[i] &= ~other.words_[i];
        }
        return *this;
    }

    constexpr tag_set& operator^=(tag_set const& other) noexcept {
        for (std::size_t i = 0; i != words; ++i) {
            words_[i] ^= other.words_[i];
        }
        return *this;
    }

    [[nodiscard]] friend constexpr tag_set operator|(tag_set a, tag_set const& b) noexcept { return a |= b; }

    [[nodiscard]] friend constexpr tag_set operator&(tag_set a, tag_set const& b) noexcept { return a &= b; }

    [[nodiscard]] friend constexpr tag_set operator-(tag_set a, tag_set const& b) noexcept { return a -= b; }

    [[nodiscard]] friend constexpr tag_set operator^(tag_set a, tag_set const& b) noexcept { return a ^= b; }

    /// The tags below N that are not in the set.
    [[nodiscard]] friend constexpr tag_set operator~(tag_set a) noexcept {
        for (std::size_t i = 0; i != words; ++i) {
            a.set_raw(i, ~a.words_[i]);
        }
        return a;
    }

    friend constexpr bool operator==(tag_set const&, tag_set const&) noexcept = default;

    /// Tags in ascending order, by value. The set must outlive the walk; walk a copy where it changes meanwhile.
    [[nodiscard]] constexpr iterator begin() const noexcept { return {words_, words}; }

    [[nodiscard]] constexpr iterator end() const noexcept { return {}; }

private:
    static constexpr word last_mask = std::numeric_limits<word>::max() >> (words * 64 - N);

    [[nodiscard]] static constexpr word bit(tag t) noexcept { return word{1} << (t.index % 64); }

    word words_[words]{};
};

} // namespace doorbell
