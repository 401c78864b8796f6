// SPDX-License-Identifier: BSL-1.0
#include <doorbell/core/outcome.hpp>

#include <catch2/catch_test_macros.hpp>

using doorbell::from_hardware;
using doorbell::is_final;
using doorbell::outcome;

TEST_CASE("only a response that is not written yet is no end") {
    STATIC_CHECK(is_final(outcome::success));
    STATIC_CHECK(is_final(outcome{0x06}));
    STATIC_CHECK(is_final(outcome{0xFF}));
    STATIC_CHECK(is_final(outcome::aborted));
    STATIC_CHECK(is_final(outcome::controller_gone));
    STATIC_CHECK_FALSE(is_final(outcome::not_written));
    STATIC_CHECK(outcome::not_written == outcome{0x0F});
}

TEST_CASE("verdicts of the library lie where no status byte of a controller can") {
    STATIC_CHECK(from_hardware(outcome::success));
    STATIC_CHECK(from_hardware(outcome{0x05}));
    STATIC_CHECK(from_hardware(outcome{0xFF}));
    STATIC_CHECK_FALSE(from_hardware(outcome::not_written));
    STATIC_CHECK_FALSE(from_hardware(outcome::aborted));
    STATIC_CHECK_FALSE(from_hardware(outcome::timed_out));
    STATIC_CHECK_FALSE(from_hardware(outcome::reset));
    STATIC_CHECK_FALSE(from_hardware(outcome::controller_gone));
}
