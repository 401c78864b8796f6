// SPDX-License-Identifier: BSL-1.0
#include <doorbell/timeout/verdict.hpp>

#include <doorbell/core/tag_set.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

namespace {

using namespace doorbell;

struct patient {
    timeout_verdict<std::uint32_t> timed_out(tag which) noexcept {
        return {which.index == 0 ? timeout_action::extend : timeout_action::reset, 7};
    }
};

static_assert(judges_timeouts<patient, std::uint32_t>);
static_assert(not judges_timeouts<patient, std::uint64_t>);

} // namespace

TEST_CASE("Each judge says what its name says", "[inv:X4]") {
    patient driver;
    CHECK(abort_then_reset::judge<std::uint32_t>(driver, tag{0}).action == timeout_action::abort);
    CHECK(quarantine_until_reset::judge<std::uint32_t>(driver, tag{0}).action == timeout_action::reset);
    CHECK(ask_driver::judge<std::uint32_t>(driver, tag{0}).action == timeout_action::extend);
    CHECK(ask_driver::judge<std::uint32_t>(driver, tag{0}).more == 7);
    CHECK(ask_driver::judge<std::uint32_t>(driver, tag{1}).action == timeout_action::reset);
}

TEST_CASE("An expiry needs a reset when something is stuck", "[inv:X4]") {
    expiry<tag_set<4>> all{};
    CHECK_FALSE(all.needs_reset());
    all.ended.insert(tag{1});
    CHECK_FALSE(all.needs_reset());
    all.stuck.insert(tag{2});
    CHECK(all.needs_reset());
}
