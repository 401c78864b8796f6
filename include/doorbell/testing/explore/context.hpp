// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"
#include "fiber.hpp"
#include "operation.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace doorbell::testing::explore {

/// The processor core that a context runs on. Contexts of one core take turns at any step, but none goes on while a
/// hard handler runs there or while another one has its interrupts masked.
struct core {
    unsigned number = 0;
};

namespace detail {

/// Cores that contexts get when none is named: one for each.
inline constexpr unsigned first_own_core = 1'000;

/// One flow of control of a scenario.
struct context {
    context(std::string its_name, unsigned its_core, bool may_wait_at_end, std::function<void()> its_body)
        : name{std::move(its_name)}, body{std::move(its_body)}, core{its_core}, service{may_wait_at_end} {}

    context(context const&) = delete;
    context& operator=(context const&) = delete;

    std::string name;
    std::function<void()> body;
    unsigned core;
    bool service; ///< may be left waiting when all others are through
    bool is_handler = false;
    bool in_handler = false;
    std::unique_ptr<fiber> flow{};
    operation next{};
    unsigned masked = 0;       ///< how often it has masked its core's interrupts
    unsigned locks = 0;        ///< how many locks it holds
    std::uint64_t steps = 0;   ///< it has made
    std::uint64_t held = 0;    ///< time for which it could not make the next step
    std::uint64_t longest = 0; ///< time it was held up at one step

    [[nodiscard]] bool finished() const noexcept { return flow->finished(); }
};

/// Who keeps the others of a processor core from going on.
struct core_state {
    unsigned number = 0;
    object what{};
    bool shared = false;
    context* handler = nullptr;
    context* masker = nullptr;

    [[nodiscard]] bool lets(context const& who) const noexcept {
        bool const free = (handler == nullptr or handler == &who) and (masker == nullptr or masker == &who);
        return who.is_handler and not who.in_handler ? handler == nullptr and masker == nullptr : free;
    }
};

} // namespace detail

} // namespace doorbell::testing::explore
