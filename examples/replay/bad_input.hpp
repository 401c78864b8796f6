// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace replay {

/// What is wrong with a recording and in which line of it. Line 0 stands for the file as a whole.
class bad_input : public std::runtime_error {
public:
    bad_input(std::uint64_t line, std::string const& what) : std::runtime_error{what}, line_{line} {}

    [[nodiscard]] std::uint64_t line() const noexcept { return line_; }

private:
    std::uint64_t line_;
};

/// A line that ends before it makes sense. As the last line of a recording it was cut, and that is no fault.
class malformed_line : public bad_input {
public:
    using bad_input::bad_input;
};

} // namespace replay
