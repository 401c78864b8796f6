// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"
#include "hexadecimal.hpp"
#include "operation.hpp"
#include "watched.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace doorbell::testing::explore::detail {

/// The shared objects of one schedule and what the script calls them. Words of watched memory are objects too.
class names {
public:
    [[nodiscard]] object add(std::string name) {
        known_.push_back(std::move(name));
        return object{static_cast<std::uint32_t>(known_.size() - 1)};
    }

    void watch(std::string name, void const* begin, std::size_t bytes, access_rule rule) {
        auto const from = reinterpret_cast<std::uintptr_t>(begin);
        regions_.push_back({std::move(name), from, from + bytes, words_, rule});
        words_ += static_cast<std::uint32_t>(bytes / word + 2);
    }

    struct watched_word {
        object what;
        access_rule rule;
    };

    /// The word of watched memory at an address.
    [[nodiscard]] std::optional<watched_word> at(void const* address) const noexcept {
        auto const place = reinterpret_cast<std::uintptr_t>(address);
        for (region const& each : regions_) {
            if (place >= each.begin and place < each.end) {
                auto const index = static_cast<std::uint32_t>((place - each.begin) / word);
                return watched_word{object{first_word + each.first + index}, each.rule};
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] std::string of(object what) const {
        if (what.number < known_.size()) {
            return known_[what.number];
        }
        for (region const& each : regions_) {
            std::uint32_t const index = what.number - first_word - each.first;
            if (what.number >= first_word + each.first and index <= (each.end - each.begin) / word) {
                return each.name + "+" + hexadecimal(index * word);
            }
        }
        return "?";
    }

private:
    static constexpr std::size_t word = 4;
    static constexpr std::uint32_t first_word = first_watched_word;

    struct region {
        std::string name;
        std::uintptr_t begin;
        std::uintptr_t end;
        std::uint32_t first;
        access_rule rule;
    };

    std::vector<std::string> known_{};
    std::vector<region> regions_{};
    std::uint32_t words_ = 0;
};

} // namespace doorbell::testing::explore::detail
