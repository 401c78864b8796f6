// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "ufshci_model.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>

namespace doorbell::testing {

/// A model whose device side runs in a thread of its own: what falls due happens as fast as the thread gets to it, in
/// virtual time, while drivers access registers from any number of threads. For stress and for the thread sanitizer.
/// One mutex orders accesses, as the bus does; it is not held between accesses.
class threaded_model {
public:
    explicit threaded_model(ufshci_knobs const& knobs = {}) : model_(knobs), device_([this] { run(); }) {}

    threaded_model(threaded_model const&) = delete;
    threaded_model& operator=(threaded_model const&) = delete;

    ~threaded_model() {
        {
            std::lock_guard const lock(mutex_);
            stop_ = true;
        }
        changed_.notify_all();
        device_.join();
    }

    /// Runs `what(model)` with the device standing still, and gives back what it gives back. Any thread.
    template <typename What>
    decltype(auto) with(What&& what) { // NOLINT(cppcoreguidelines-missing-std-forward): called once, as it is

        struct wake {
            threaded_model& t;

            ~wake() { t.changed_.notify_all(); }
        } const after{*this};

        std::lock_guard const lock(mutex_);
        return static_cast<What&&>(what)(model_);
    }

    /// Waits until the interrupt output is up, or has pulsed (which takes one pulse), or `at_most` has passed (false).
    bool wait_for_interrupt(std::chrono::milliseconds at_most) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, at_most, [this] { return model_.line() or model_.take_pulse(); });
    }

private:
    void run() {
        std::unique_lock lock(mutex_);
        while (not stop_) {
            if (model_.next_due() == timer_table::never) {
                changed_.wait(lock);
                continue;
            }
            model_.advance_to(model_.next_due());
            changed_.notify_all();
            lock.unlock(); // others get the bus
            std::this_thread::yield();
            lock.lock();
        }
    }

    std::mutex mutex_{};
    std::condition_variable changed_{};
    ufshci_model model_;
    bool stop_ = false;
    std::thread device_; // last: starts when everything else is there
};

/// The register bank of drivers on a threaded model; any thread. The model must outlive it.
class threaded_bank {
public:
    explicit threaded_bank(threaded_model& model) noexcept : model_(&model) {}

    [[nodiscard]] std::uint32_t load(std::size_t offset) const noexcept {
        return model_->with([offset](ufshci_model& m) { return m.load(offset); });
    }

    void store(std::size_t offset, std::uint32_t value) const noexcept {
        model_->with([offset, value](ufshci_model& m) { m.store(offset, value); });
    }

    void before_doorbell() const noexcept {
        model_->with([](ufshci_model& m) { m.before_doorbell(); });
    }

    void after_done() const noexcept {
        model_->with([](ufshci_model& m) { m.after_done(); });
    }

    void before_unlock() const noexcept {
        model_->with([](ufshci_model& m) { m.before_unlock(); });
    }

private:
    threaded_model* model_;
};

static_assert(register_bank<threaded_bank>);

} // namespace doorbell::testing
