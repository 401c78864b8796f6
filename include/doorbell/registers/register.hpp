// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"

#include <limits>

namespace doorbell {

/// Bits Msb to Lsb of a 32-bit register, and what may be done to them [R1]. Compile time only, apart from get and put.
template <unsigned Msb, unsigned Lsb, class Access>
struct field {
    static_assert(Msb < 32, "doorbell: a field ends at bit 31; registers have 32 bits");
    static_assert(Lsb <= Msb, "doorbell: the most significant bit of a field comes first: field<Msb, Lsb, Access>");

    using access_kind = Access;

    /// The bits of the field in the register's word.
    static constexpr std::uint32_t mask = (std::numeric_limits<std::uint32_t>::max() >> (31U - Msb + Lsb)) << Lsb;

    /// The field's value out of the register's word.
    [[nodiscard]] static constexpr std::uint32_t get(std::uint32_t word) noexcept { return (word & mask) >> Lsb; }

    /// The register's word with this value in the field and zeros around it; bits that do not fit are dropped.
    [[nodiscard]] static constexpr std::uint32_t put(std::uint32_t value) noexcept { return (value << Lsb) & mask; }
};

namespace detail {

template <class Part, class Kind>
inline constexpr std::uint32_t part_bits = std::same_as<Part, Kind> ? std::numeric_limits<std::uint32_t>::max() : 0;

template <unsigned Msb, unsigned Lsb, class Access, class Kind>
inline constexpr std::uint32_t part_bits<field<Msb, Lsb, Access>, Kind> =
    std::same_as<Access, Kind> ? field<Msb, Lsb, Access>::mask : 0;

template <class Part>
inline constexpr std::uint32_t part_mask = std::numeric_limits<std::uint32_t>::max();

template <unsigned Msb, unsigned Lsb, class Access>
inline constexpr std::uint32_t part_mask<field<Msb, Lsb, Access>> = field<Msb, Lsb, Access>::mask;

template <class... Parts>
[[nodiscard]] constexpr bool disjoint() noexcept {
    std::uint32_t seen = 0;
    bool apart = true;
    ((apart = apart and (seen & part_mask<Parts>) == 0, seen |= part_mask<Parts>), ...);
    return apart;
}

} // namespace detail

/// A 32-bit register at a byte offset: reg32<Offset, Access> when all bits are alike, otherwise
/// reg32<Offset, field<Msb, Lsb, Access>...>. Bits that no field names are reserved: written as the caller gives them,
/// and written back as they were read by modify().
template <std::size_t Offset, class... Parts>
struct reg32 {
    static_assert(Offset % 4 == 0, "doorbell: the offset of a 32-bit register is a multiple of 4 bytes");
    static_assert(sizeof...(Parts) != 0, "doorbell: say what may be done to this register: reg32<Offset, Access>");
    static_assert(detail::disjoint<Parts...>(), "doorbell: two fields of this register claim the same bit");

    using value = std::uint32_t;

    static constexpr std::size_t offset = Offset;

    /// The bits with this access kind.
    template <class Kind>
    static constexpr std::uint32_t bits = (std::uint32_t{0} | ... | detail::part_bits<Parts, Kind>);
};

static_assert(register_description<reg32<0, access::read_write>>);
static_assert(register_description<reg32<0, field<31, 1, access::read_write>, field<0, 0, access::read_only>>>);

} // namespace doorbell
