// SPDX-License-Identifier: BSL-1.0
#include "../strict_model.hpp"

namespace at = doorbell::ufs::offset;
namespace cause = doorbell::ufs::cause;
using namespace doorbell::testing;
using service = ufshci_model::service;

namespace {

/// A running model whose task list lies behind the transfer list.
struct with_tasks : running_model {
    explicit with_tasks(ufshci_knobs const& k = {}) : running_model(k) { store(at::utmrlba, 0x400); }

    void task(unsigned slot, std::uint8_t function, unsigned tag) {
        prepare_task(slot, function, tag);
        store(at::utmrldbr, 1u << slot);
    }
};

constexpr std::uint8_t abort_task = 0x01, query_task = 0x80, unit_reset = 0x08;

} // namespace

TEST_CASE("An abort ends the device's side of a request; its doorbell bit stands until the slot is cleared") {
    with_tasks m{ufshci_knobs{.latency = latency_kind::fixed, .latency_ns = 100}};
    m.store(at::utrldbr, 0x3);
    m.task(0, abort_task, 1);
    CHECK(m.load(at::is) == cause::utmrcs);
    CHECK(m.load(at::utmrldbr) == 0);
    CHECK(m.task_response(0) == service::complete);
    m.advance(1000);
    CHECK(m.load(at::utrldbr) == 0x2);
    CHECK(m.ocs(1) == doorbell::ufs::ocs::not_written);
    CHECK_FALSE(m.finish(1));
    m.store(at::utrlclr, ~0x2u);
    CHECK(m.load(at::utrldbr) == 0);
    m.prepare(1);
    m.store(at::utrldbr, 0x2);
    m.advance(100);
    CHECK(m.load(at::utrldbr) == 0);
}

TEST_CASE("A query tells whether the device still works on a request") {
    with_tasks m;
    m.store(at::utrldbr, 0x2);
    m.task(0, query_task, 1);
    CHECK(m.task_response(0) == service::succeeded);
    m.finish(1);
    m.task(1, query_task, 1);
    CHECK(m.task_response(1) == service::complete);
}

TEST_CASE("A unit reset ends all requests; an unknown function is refused") {
    with_tasks m;
    m.store(at::utrldbr, 0x5);
    m.task(7, unit_reset, 0);
    CHECK_FALSE(m.finish(0));
    CHECK_FALSE(m.finish(2));
    m.task(0, 0x33, 0);
    CHECK(m.task_response(0) == service::not_supported);
}

TEST_CASE("A task request takes its time, or waits for the test") {
    with_tasks slow{ufshci_knobs{.task_latency = 10}};
    slow.task(0, query_task, 0);
    CHECK(slow.load(at::utmrldbr) == 1);
    slow.advance(10);
    CHECK(slow.load(at::utmrldbr) == 0);
    with_tasks manual{ufshci_knobs{.task_manual = true}};
    manual.task(0, query_task, 0);
    manual.advance(1'000'000);
    CHECK(manual.load(at::utmrldbr) == 1);
    CHECK(manual.finish_task(0));
    CHECK_FALSE(manual.finish_task(0));
}

TEST_CASE("The task list is cleared and stopped like the transfer list") {
    with_tasks m{ufshci_knobs{.task_manual = true}};
    m.task(0, query_task, 0);
    m.task(1, query_task, 0);
    m.store(at::utmrlclr, ~0x1u);
    CHECK(m.load(at::utmrldbr) == 0x2);
    m.store(at::utmrlrsr, 0);
    CHECK(m.load(at::utmrldbr) == 0);
    CHECK(m.load(at::is) == 0);
}

TEST_CASE("Errors of the task list are found") {
    ufshci_model m{ufshci_knobs{.nutmrs = 2, .task_manual = true}};
    m.store(at::utmrldbr, 1);
    CHECK(m.errors().count(driver_error::ring_stopped) == 1);
    m.store(at::utmrlrsr, 1);
    CHECK(m.errors().count(driver_error::run_not_ready) == 1);
    m.bring_up();
    m.store(at::utmrlba, 0x400);
    m.store(at::utmrldbr, 1);
    CHECK(m.errors().count(driver_error::ring_dirty) == 1);
    m.store(at::utmrldbr, 1);
    CHECK(m.errors().count(driver_error::ring_busy) == 1);
    m.store(at::utmrldbr, 4);
    CHECK(m.errors().count(driver_error::ring_beyond) == 1);
    (void)m.load(at::utmrlclr);
    m.store(at::utmrlclr, 0);
    CHECK(m.errors().count(driver_error::clear_modified) == 1);
}

TEST_CASE("A host without a task list ignores it") {
    strict_model m{ufshci_knobs{.tasks_present = false}};
    m.store(at::utmrlrsr, 1);
    m.store(at::utmrldbr, 1);
    CHECK(m.load(at::utmrldbr) == 0);
    CHECK(m.load(at::utmrlrsr) == 0);
}
