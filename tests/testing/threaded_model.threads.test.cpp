// SPDX-License-Identifier: BSL-1.0
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <doorbell/testing/threaded_model.hpp>
#include <mutex>
#include <thread>

namespace at = doorbell::ufs::offset;
namespace cause = doorbell::ufs::cause;
using namespace doorbell::testing;
using namespace std::chrono_literals;

TEST_CASE("The device runs in its own thread while a driver submits and a handler completes: every request once") {
    constexpr unsigned wanted = 3000;
    threaded_model model{ufshci_knobs{
        .latency = latency_kind::uniform,
        .latency_ns = 1'000,
        .latency_max_ns = 90'000,
        .parallel = 8,
        .log_entries = 0}};
    model.with([](ufshci_model& m) { m.bring_up(); });
    threaded_bank const bank{model};
    bank.store(at::ie, cause::utrcs);

    std::mutex lock; // the driver's: outstanding and doorbell go together
    std::uint32_t outstanding = 0;
    std::atomic<unsigned> completed = 0, issued = 0;
    std::atomic<bool> given_up = false;

    std::thread handler([&] {
        while (completed < wanted) {
            if (not model.wait_for_interrupt(60s)) {
                given_up = true;
                break;
            }
            bank.store(at::is, bank.load(at::is));
            std::lock_guard const held(lock);
            std::uint32_t const done = outstanding & ~bank.load(at::utrldbr);
            outstanding &= ~done;
            completed += static_cast<unsigned>(std::popcount(done));
        }
    });
    std::thread submitter([&] {
        while (issued < wanted and not given_up) {
            std::unique_lock held(lock);
            std::uint32_t const free = ~outstanding;
            if (free == 0) {
                held.unlock(); // the handler needs it, and has perhaps no core of its own
                std::this_thread::yield();
                continue;
            }
            unsigned const slot = static_cast<unsigned>(std::countr_zero(free));
            model.with([slot](ufshci_model& m) { m.prepare(slot); });
            outstanding |= 1u << slot;
            bank.before_doorbell();
            bank.store(at::utrldbr, 1u << slot);
            ++issued;
        }
    });
    submitter.join();
    handler.join();
    CHECK(completed == wanted);
    CHECK(outstanding == 0);
    model.with([&](ufshci_model& m) {
        CHECK(m.finished() == wanted);
        CHECK(m.errors().empty());
    });
}

TEST_CASE("Waiting for an interrupt ends when none comes") {
    threaded_model model;
    CHECK_FALSE(model.wait_for_interrupt(1ms));
}
