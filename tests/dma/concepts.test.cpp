// SPDX-License-Identifier: BSL-1.0
#include <doorbell/dma/concepts.hpp>

#include "../support/rig.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace support;
using db::tag;

/// A core whose memory is not coherent.
struct cached : surroundings<preparing_driver> {
    using host_type = db::host<
        db::ufshci, preparing_driver, small_bank, db::testing::manual_clock<>, db::inline_all,
        db::testing::checking_lock, db::dma_by<recording_dma>>;

    cached() { REQUIRE(core.start() == db::start_status::started); }

    host_type core{driver, small_bank{hw}, time, watch, {}, recording_dma{log}};
};

} // namespace

TEST_CASE("memory goes to the device after its last touch and before the barrier and the doorbell", "[inv:R5]") {
    cached r;
    r.log.forget();
    REQUIRE(r.core.submit(cached::host_type::tags{0b101}));
    CHECK(
        r.log.take({"prepare", "for_device", "barrier before_doorbell", "write"}) ==
        lines{"prepare 0", "for_device 0", "prepare 2", "for_device 2", "barrier before_doorbell", "write DBR 5"});
}

TEST_CASE(
    "memory comes back to the processor after the doorbell said done and before the response is read", "[inv:R5]") {
    cached r;
    REQUIRE(r.core.submit(cached::host_type::tags{0b101}));
    r.hw.finish(0b101);
    r.log.forget();
    static_cast<void>(r.core.on_hard_irq());
    CHECK(
        r.log.take({"read DBR", "barrier after_done", "for_cpu", "response"}) ==
        lines{"read DBR", "barrier after_done", "for_cpu 0", "response 0", "for_cpu 2", "response 2"});
}
