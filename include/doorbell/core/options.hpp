// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace doorbell {

/// An optional policy: a type that says by its member type `family` which choice it makes. At most one per family is
/// given; the order does not matter.
template <class O>
concept option = requires { typename O::family; };

/// Option O makes one of these choices.
template <option O, class... Families>
inline constexpr bool of_family = (std::same_as<typename O::family, Families> or ...);

namespace detail {

template <class Family, class Default, class... Os>
struct pick_option {
    using type = Default;
};

template <class Family, class Default, class O, class... Os>
struct pick_option<Family, Default, O, Os...>
    : std::conditional_t<of_family<O, Family>, std::type_identity<O>, pick_option<Family, Default, Os...>> {};

template <class O, class... Os>
inline constexpr std::size_t options_like = (std::size_t{0} + ... + std::size_t{of_family<Os, typename O::family>});

} // namespace detail

/// The options that a user chose. Compile time only.
template <option... Os>
struct options {
    static_assert(
        ((detail::options_like<Os, Os...> == 1) and ...), "doorbell: two options of the same family; keep one of them");

    /// The option of this family, or the default when none was chosen.
    template <class Family, class Default>
    using get = typename detail::pick_option<Family, Default, Os...>::type;
};

} // namespace doorbell
