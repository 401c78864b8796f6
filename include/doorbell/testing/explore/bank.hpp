// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../registers/concepts.hpp"
#include "../hosted.hpp"
#include "points.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace doorbell::testing::explore {

/// Which objects an access to a register touches, and which of them the script names.
template <class M>
concept register_map = requires(M const& map, std::size_t offset) {
    { map.name(offset) } -> std::same_as<object>;
    { map.load(offset) } -> std::same_as<footprint>;
    { map.store(offset) } -> std::same_as<footprint>;
};

/// The device is one object and every access may change it: right for any model, and the slowest to explore.
class whole_device {
public:
    explicit whole_device(schedule& one, std::string name = "device") : what_{one.thing(std::move(name))} {}

    [[nodiscard]] object name(std::size_t) const noexcept { return what_; }

    [[nodiscard]] footprint load(std::size_t) const noexcept { return {what_, mode::write}; }

    [[nodiscard]] footprint store(std::size_t) const noexcept { return {what_, mode::write}; }

    [[nodiscard]] object what() const noexcept { return what_; }

private:
    object what_;
};

static_assert(register_map<whole_device>);

/// A bank whose accesses are switch points.
template <register_bank Bank, register_map Map>
class explored_bank {
public:
    explored_bank(Bank bank, Map map) : bank_{std::move(bank)}, map_{std::move(map)} {}

    [[nodiscard]] std::uint32_t load(std::size_t offset) noexcept {
        point("load", map_.name(offset), map_.load(offset));
        std::uint32_t const value = bank_.load(offset);
        if (schedule* const one = schedule::here()) {
            one->saw(value);
        }
        return value;
    }

    void store(std::size_t offset, std::uint32_t value) noexcept {
        point("store", map_.name(offset), map_.store(offset), value);
        bank_.store(offset, value);
    }

    void before_doorbell() noexcept { bank_.before_doorbell(); }

    void after_done() noexcept { bank_.after_done(); }

    void before_unlock() noexcept { bank_.before_unlock(); }

private:
    Bank bank_;
    Map map_;
};

} // namespace doorbell::testing::explore
