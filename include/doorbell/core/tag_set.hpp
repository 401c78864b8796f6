// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tag.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace doorbell {

namespace detail {

/// Walks the set bits of one word from the lowest up. Works on a copy, so the set may change meanwhile.
/// It names no iterator tag: std::ranges and range-v3 deduce a forward iterator from what it can do, and no header of
/// either is needed here.
template <class Word>
class bit_iterator {
public:
    using value_type = tag;
    using difference_type = std::ptrdiff_t;

    constexpr bit_iterator() noexcept = default;

    constexpr explicit bit_iterator(Word rest) noexcept : rest_{rest} {}

    [[nodiscard]] constexpr tag operator*() const noexcept {
        if (rest_ == 0) {
            __builtin_unreachable();
        }
        return {static_cast<unsigned>(std::countr_zero(rest_))};
    }

    constexpr bit_iterator& operator++() noexcept {
        rest_ &= rest_ - 1;
        return *this;
    }

    constexpr bit_iterator operator++(int) noexcept {
        bit_iterator const before = *this;
        ++*this;
        return before;
    }

    friend constexpr bool operator==(bit_iterator, bit_iterator) noexcept = default;

private:
    Word rest_ = 0;
};

} // namespace detail

/// A set of the tags 0 to N-1 in one word of 32 or 64 bits. For N above 64 include core/wide_tag_set.hpp.
///
/// Any context, no lock of its own (it is a value), no errors. Everything is a few word operations; a walk costs one
/// step for each tag that is in the set, whatever N is [B4]. A bit at or above N is never set. Members that take a tag
/// require tag.index < N.
template <std::size_t N>
class tag_set {
    static_assert(N >= 1, "doorbell: a tag set holds at least one tag; give tag_set the number of slots");
    static_assert(N <= 64, "doorbell: a tag_set of more than 64 tags needs #include <doorbell/core/wide_tag_set.hpp>");

public:
    // Never narrower than 32 bits: a smaller word is promoted to int in each operation, which costs and brings in
    // signs.
    using word = std::conditional_t<(N <= 32), std::uint32_t, std::uint64_t>;
    using iterator = detail::bit_iterator<word>;
    using const_iterator = iterator;
    using value_type = tag;

    /// The number of tags that fit.
    static constexpr std::size_t capacity = N;

    constexpr tag_set() noexcept = default;

    /// The tags whose bits are set; bits at or above N are dropped (free when N is 32 or 64).
    constexpr explicit tag_set(word bits) noexcept : bits_{bits & mask} {}

    /// The set of this one tag.
    constexpr explicit tag_set(tag t) noexcept : bits_{bit(t)} {}

    /// The set of all N tags.
    [[nodiscard]] static constexpr tag_set all() noexcept { return tag_set{mask}; }

    /// The set as a word, bit n for tag n.
    [[nodiscard]] constexpr word raw() const noexcept { return bits_; }

    [[nodiscard]] constexpr bool empty() const noexcept { return bits_ == 0; }

    /// How many tags are in the set. A processor without a population count calls its compiler's run-time library.
    [[nodiscard]] constexpr std::size_t size() const noexcept { return static_cast<std::size_t>(std::popcount(bits_)); }

    /// Exactly one tag is in the set.
    [[nodiscard]] constexpr bool single() const noexcept { return std::has_single_bit(bits_); }

    [[nodiscard]] constexpr bool contains(tag t) const noexcept { return ((bits_ >> t.index) & 1U) != 0; }

    /// Every tag of this set is also in the other.
    [[nodiscard]] constexpr bool subset_of(tag_set other) const noexcept { return (bits_ & ~other.bits_) == 0; }

    /// Some tag is in both sets.
    [[nodiscard]] constexpr bool intersects(tag_set other) const noexcept { return (bits_ & other.bits_) != 0; }

    /// The lowest tag. The set must not be empty; the compiler is told so and plans no case for zero.
    [[nodiscard]] constexpr tag front() const noexcept { return *begin(); }

    /// Takes out the lowest tag, if there is one.
    constexpr void pop_front() noexcept { bits_ &= bits_ - 1; }

    constexpr void insert(tag t) noexcept { bits_ |= bit(t); }

    constexpr void erase(tag t) noexcept { bits_ &= ~bit(t); }

    /// The lowest tag that is not in the set; tag{N} when all are.
    [[nodiscard]] constexpr tag first_clear() const noexcept { return {static_cast<unsigned>(std::countr_one(bits_))}; }

    constexpr tag_set& operator|=(tag_set other) noexcept {
        bits_ |= other.bits_;
        return *this;
    }

    constexpr tag_set& operator&=(tag_set other) noexcept {
        bits_ &= other.bits_;
        return *this;
    }

    constexpr tag_set& operator-=(tag_set other) noexcept {
        bits_ &= ~other.bits_;
        return *this;
    }

    constexpr tag_set& operator^=(tag_set other) noexcept {
        bits_ ^= other.bits_;
        return *this;
    }

    [[nodiscard]] friend constexpr tag_set operator|(tag_set a, tag_set b) noexcept { return a |= b; }

    [[nodiscard]] friend constexpr tag_set operator&(tag_set a, tag_set b) noexcept { return a &= b; }

    [[nodiscard]] friend constexpr tag_set operator-(tag_set a, tag_set b) noexcept { return a -= b; }

    [[nodiscard]] friend constexpr tag_set operator^(tag_set a, tag_set b) noexcept { return a ^= b; }

    /// The tags below N that are not in the set.
    [[nodiscard]] friend constexpr tag_set operator~(tag_set a) noexcept {
        return tag_set{static_cast<word>(~a.bits_)};
    }

    friend constexpr bool operator==(tag_set, tag_set) noexcept = default;

    /// Tags in ascending order, by value. The walk is over the set as it was at begin(). Project with a function: a
    /// pointer to tag's member would refer into the tag that was returned by value.
    [[nodiscard]] constexpr iterator begin() const noexcept { return iterator{bits_}; }

    [[nodiscard]] constexpr iterator end() const noexcept { return iterator{}; }

private:
    static constexpr word mask = std::numeric_limits<word>::max() >> (std::numeric_limits<word>::digits - N);

    // An unsigned one of the set's own width: shifting a signed 1 into bit 31 is undefined.
    [[nodiscard]] static constexpr word bit(tag t) noexcept { return word{1} << t.index; }

    word bits_ = 0;
};

} // namespace doorbell
