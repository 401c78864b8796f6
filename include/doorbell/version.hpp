// SPDX-License-Identifier: BSL-1.0
#pragma once

/// The version as one number for the preprocessor: major * 10'000 + minor * 100 + patch. The library's only macro.
#define DOORBELL_VERSION 100

namespace doorbell {

/// A version in parts, comparable member by member.
struct version_number {
    unsigned major_part;
    unsigned minor_part;
    unsigned patch_part;
    friend constexpr bool operator==(version_number, version_number) noexcept = default;
};

/// The version of the headers in use.
inline constexpr version_number version{
    DOORBELL_VERSION / 10'000, DOORBELL_VERSION / 100 % 100, DOORBELL_VERSION % 100};

} // namespace doorbell
