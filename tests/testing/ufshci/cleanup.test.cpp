// SPDX-License-Identifier: BSL-1.0
#include "queue_fixture.hpp"

namespace at = doorbell::ufs::offset;
namespace ocs = doorbell::ufs::ocs;
using namespace doorbell::testing;

namespace {

std::uint32_t status(queue_model& m) {
    return m.load(m.sqd_at(0, at::sqrts));
}

} // namespace

TEST_CASE("Clean-up takes a command out of the device: stop, name it, clean up, start") {
    queue_model m;
    m.submit(0, 3);
    m.submit(0, 4);
    m.store(m.sqd_at(0, at::sqrtc), 1);
    CHECK(status(m) == 1);
    m.store(m.sqd_at(0, at::sqcti), 0x104);
    m.store(m.sqd_at(0, at::sqrtc), 3);
    CHECK(status(m) == 3);
    m.store(m.sqd_at(0, at::sqrtc), 0);
    CHECK(status(m) == 0);
    CHECK(m.cqtp(0) == 32);
    CHECK(m.entry(0, 0)[16] == ocs::aborted);
    CHECK(m.entry(0, 0)[20] == 4);
    CHECK(m.finish_tagged(0, 3));
    CHECK_FALSE(m.finish_tagged(0, 4));
}

TEST_CASE("A stopped queue hands nothing over; clean-up finds a command that still lies in the ring") {
    queue_model m;
    m.store(m.sqd_at(0, at::sqrtc), 1);
    m.submit(0, 5);
    m.submit(0, 6);
    CHECK(m.requests() == 0);
    m.store(m.sqd_at(0, at::sqcti), 5);
    m.store(m.sqd_at(0, at::sqrtc), 3);
    CHECK(status(m) == 3);
    m.store(m.sqd_at(0, at::sqrtc), 0);
    CHECK(m.requests() == 1);
    CHECK(m.finish_tagged(0, 6));
    CHECK(m.cqtp(0) == 64);
    CHECK(m.entry(0, 0)[16] == ocs::aborted);
}

TEST_CASE("A command that is not there gives a result that is not success") {
    queue_model m;
    m.store(m.sqd_at(0, at::sqrtc), 1);
    m.store(m.sqd_at(0, at::sqcti), 9);
    m.store(m.sqd_at(0, at::sqrtc), 3);
    CHECK(status(m) == 0x13);
}

TEST_CASE("Clean-up of a running queue is an error of the driver") {
    queue_model m;
    m.submit(0, 3);
    m.store(m.sqd_at(0, at::sqrtc), 2);
    CHECK(m.errors().count(driver_error::queue_running) == 1);
    m.errors().clear();
    CHECK(m.requests() == 1);
}

TEST_CASE("Stop and clean-up take their time, or never end") {
    queue_model m{ufshci_knobs{.stop_latency = 10, .cleanup_latency = 20}};
    m.submit(0, 3);
    m.store(m.sqd_at(0, at::sqrtc), 1);
    CHECK(status(m) == 0);
    m.advance(10);
    CHECK(status(m) == 1);
    m.store(m.sqd_at(0, at::sqcti), 3);
    m.store(m.sqd_at(0, at::sqrtc), 3);
    m.advance(19);
    CHECK(status(m) == 1);
    m.advance(1);
    CHECK(status(m) == 3);
    queue_model never{ufshci_knobs{.cleanup_never = true}};
    never.store(never.sqd_at(0, at::sqrtc), 1);
    never.store(never.sqd_at(0, at::sqrtc), 3);
    never.advance(1'000'000'000);
    CHECK(status(never) == 1);
}
