// SPDX-License-Identifier: BSL-1.0
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <doorbell/testing/ufshci_model.hpp>
#include <string>

using namespace doorbell::testing;

namespace {

std::string refusal(ufshci_knobs const& k) {
    char const* const sentence = impossible(k);
    return sentence == nullptr ? "possible" : sentence;
}

} // namespace

TEST_CASE("An impossible combination of knobs is refused with one sentence that names it") {
    CHECK(refusal({}) == "possible");
    CHECK(refusal({.nutrs = 0}).starts_with("doorbell: nutrs"));
    CHECK(refusal({.nutrs = 33}).starts_with("doorbell: nutrs"));
    CHECK(refusal({.nutmrs = 9}).starts_with("doorbell: nutmrs"));
    CHECK(refusal({.queues = 33}).starts_with("doorbell: queues"));
    CHECK(refusal({.queue_depth = 65}).starts_with("doorbell: queue_depth"));
    CHECK(refusal({.line = line_kind::edge, .line_lag = 1}).starts_with("doorbell: line_lag"));
    CHECK(refusal({.pulse_on_enable = true}).starts_with("doorbell: pulse_on_enable"));
    CHECK(refusal({.ocs_lag = 1, .ocs_stuck = true}).starts_with("doorbell: ocs_stuck"));
    CHECK(refusal({.clear_latency = 1, .clear_never = true}).starts_with("doorbell: clear_never"));
    CHECK(refusal({.weak_bus = true}).starts_with("doorbell: weak_bus"));
    CHECK(refusal({.gone_after = 1, .clock_off_after = 1}).starts_with("doorbell: gone_after"));
    CHECK(refusal({.memory_bytes = 0}).starts_with("doorbell: memory_needs_barriers"));
    CHECK(refusal({.memory_bytes = 100}).starts_with("doorbell: memory_bytes"));
    CHECK(refusal({.memory_needs_barriers = true, .dma_needs_sync = true}).starts_with("doorbell: memory_needs"));
    CHECK(refusal({.latency = latency_kind::uniform, .latency_ns = 2, .latency_max_ns = 1})
              .starts_with("doorbell: latency_max_ns"));
    CHECK(refusal({.latency = latency_kind::list}).starts_with("doorbell: latency list"));
    CHECK(refusal({.parallel = 0}).starts_with("doorbell: parallel"));
}

TEST_CASE("A model is not made from impossible knobs") {
    CHECK_THROWS_WITH(ufshci_model({.nutrs = 0}), impossible({.nutrs = 0}));
}

TEST_CASE("The preset of QEMU 10 is possible in both modes") {
    CHECK(refusal(qemu_10()) == "possible");
    CHECK(refusal(qemu_10(2)) == "possible");
    CHECK(ufshci_model(qemu_10()).peek(0) == 0x0107021F);
    CHECK(ufshci_model(qemu_10(2)).peek(0) == 0x4107021F);
    CHECK(ufshci_model(qemu_10(2)).peek(4) == 0x00020201);
}
