// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doorbell/registers/concepts.hpp>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <vector>

/// A bank that answers every load with one word and writes down every access and barrier in order.
struct step {
    enum class kind : std::uint8_t { load, store, before_doorbell, after_done, before_unlock };

    kind what;
    std::size_t offset = 0;
    std::uint32_t value = 0;

    friend bool operator==(step const&, step const&) = default;

    friend std::ostream& operator<<(std::ostream& out, step const& s) {
        constexpr char const* names[] = {"load", "store", "before_doorbell", "after_done", "before_unlock"};
        return out << names[static_cast<unsigned>(s.what)] << " +" << std::hex << s.offset << " = " << s.value
                   << std::dec;
    }
};

class recording_bank {
public:
    explicit recording_bank(std::uint32_t answer = 0) : answer_{answer} {}

    std::uint32_t load(std::size_t offset) noexcept {
        steps.push_back({step::kind::load, offset, answer_});
        return answer_;
    }

    void store(std::size_t offset, std::uint32_t value) noexcept {
        steps.push_back({step::kind::store, offset, value});
    }

    void before_doorbell() noexcept { steps.push_back({step::kind::before_doorbell}); }

    void after_done() noexcept { steps.push_back({step::kind::after_done}); }

    void before_unlock() noexcept { steps.push_back({step::kind::before_unlock}); }

    std::vector<step> steps{};

private:
    std::uint32_t answer_;
};

static_assert(doorbell::register_bank<recording_bank>);
