// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "bad_input.hpp"
#include "line_reader.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace replay {

/// A file that is read from its beginning to its end; a pipe will do.
class input_file {
public:
    /// Throws `bad_input` when it cannot be read.
    explicit input_file(std::string const& path) : descriptor_{::open(path.c_str(), O_RDONLY | O_CLOEXEC)} {
        if (descriptor_ < 0) {
            throw bad_input{0, std::string{"cannot be opened: "} + std::strerror(errno)};
        }
        struct stat about{};
        if (::fstat(descriptor_, &about) == 0) {
            if (S_ISDIR(about.st_mode)) {
                ::close(descriptor_);
                throw bad_input{0, "is a directory, not a recording"};
            }
            size_ = S_ISREG(about.st_mode) ? static_cast<std::uint64_t>(about.st_size) : 0;
        }
    }

    input_file(input_file const&) = delete;
    input_file& operator=(input_file const&) = delete;

    ~input_file() { ::close(descriptor_); }

    /// Bytes; 0 when that is not known.
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

    /// Reads on. Throws `bad_input`.
    [[nodiscard]] std::size_t read(std::span<char> to) const {
        for (;;) {
            auto const got = ::read(descriptor_, to.data(), to.size());
            if (got >= 0) {
                return static_cast<std::size_t>(got);
            }
            if (errno != EINTR) {
                throw bad_input{0, std::string{"cannot be read: "} + std::strerror(errno)};
            }
        }
    }

private:
    int descriptor_;
    std::uint64_t size_ = 0;
};

} // namespace replay
