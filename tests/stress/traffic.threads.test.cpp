// SPDX-License-Identifier: BSL-1.0
#include "device.hpp"

#include <doorbell/host.hpp>

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <concepts>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <sched.h>
#include <semaphore.h>

// A device, two submitters and the thread of the core run at the same time, with the real instructions of this machine:
// what the explorer assumes, one order of all accesses, nobody promises here.
namespace {

namespace db = doorbell;
using namespace std::chrono_literals;

/// How many requests; the full set asks for ten times as many.
std::uint64_t wanted() {
    char const* const text =
        std::getenv("DOORBELL_STRESS_REQUESTS"); // NOLINT(concurrency-mt-unsafe): before any thread
    return text == nullptr ? 1'000'000 : std::strtoull(text, nullptr, 10);
}

/// Two threads of three have no core of their own here: a lock that only spins waits for the holder's next time slice.
class yielding_spin {
public:
    void acquire() noexcept {
        while (held_.exchange(true, std::memory_order_acquire)) {
            ::sched_yield();
        }
        if (++sections_ % 8 == 0) {
            ::sched_yield(); // sections are short: without this an interrupt hardly ever comes in one
        }
    }

    void release() noexcept { held_.store(false, std::memory_order_release); }

private:
    std::atomic<bool> held_{false};
    unsigned sections_ = 0; // guarded by itself
};

/// For hard handlers that are threads.
class thread_lock {
public:
    struct token {};

    static constexpr db::lock_traits traits{.may_sleep = false, .masks_interrupts = true, .excludes_cores = true};

    [[nodiscard]] token acquire() const noexcept {
        spin_->acquire();
        return {};
    }

    void release(token) const noexcept { spin_->release(); }

    explicit thread_lock(yielding_spin& spin) noexcept : spin_{&spin} {}

private:
    yielding_spin* spin_;
};

static_assert(db::lock_policy<thread_lock>);

constexpr int interrupt_signal = SIGUSR1;

/// For hard handlers that are signal handlers: the signal is this core's interrupt.
class signal_lock {
public:
    using token = bool;

    static constexpr db::lock_traits traits{.may_sleep = false, .masks_interrupts = true, .excludes_cores = true};

    [[nodiscard]] token acquire() const noexcept {
        sigset_t interrupt;
        sigset_t before;
        ::sigemptyset(&interrupt);
        ::sigaddset(&interrupt, interrupt_signal);
        ::pthread_sigmask(SIG_BLOCK, &interrupt, &before);
        spin_->acquire();
        return ::sigismember(&before, interrupt_signal) == 1;
    }

    void release(token was_masked) const noexcept {
        spin_->release();
        if (not was_masked) {
            sigset_t interrupt;
            ::sigemptyset(&interrupt);
            ::sigaddset(&interrupt, interrupt_signal);
            ::pthread_sigmask(SIG_UNBLOCK, &interrupt, nullptr);
        }
    }

    explicit signal_lock(yielding_spin& spin) noexcept : spin_{&spin} {}

private:
    yielding_spin* spin_;
};

static_assert(db::lock_policy<signal_lock>);

/// The driver: knows for each request how often it completed, and whether the device's answer had arrived.
struct driver {
    stress::device& device;
    std::vector<std::atomic<std::uint8_t>> completions;
    std::array<std::atomic<bool>, 32> is_free{};
    std::atomic<std::uint64_t> completed_count{0};
    std::atomic<std::uint64_t> wrong_answers{0};
    std::atomic<unsigned> handlers_running{0};
    std::atomic<std::uint64_t> extended{0};
    ::sem_t half{};

    driver(stress::device& of, std::uint64_t requests) : device{of}, completions(requests) {
        for (auto& each : is_free) {
            each = true;
        }
    }

    [[nodiscard]] db::outcome response(db::tag t) const noexcept { return device.descriptors[t.index].status; }

    void completed(db::claimed<db::any_context> won, db::outcome) noexcept {
        stress::descriptor const& each = device.descriptors[won.index()];
        if (each.answer != stress::answer_to(each.request)) {
            wrong_answers.fetch_add(1, std::memory_order_relaxed);
        }
        completions[each.request].fetch_add(1, std::memory_order_relaxed);
        completed_count.fetch_add(1, std::memory_order_release);
        is_free[won.index()].store(true, std::memory_order_release);
    }

    void schedule_giveback() noexcept { ::sem_post(&half); }

    void arm_timer(db::deadline<std::uint32_t>) const noexcept {} // it fires all the time

    [[nodiscard]] db::timeout_verdict<std::uint32_t> timed_out(db::tag) noexcept {
        extended.fetch_add(1, std::memory_order_relaxed);
        return {.action = db::timeout_action::extend, .more = 0};
    }

    void synchronize() const noexcept {
        while (handlers_running.load(std::memory_order_acquire) != 0) {
            ::sched_yield();
        }
    }
};

/// Nobody reads it: the budget counts.
struct no_clock {
    using rep = std::uint32_t;

    [[nodiscard]] static rep now() noexcept { return 0; }
};

static_assert(db::time_source<no_clock>);

/// Waits until `done`, but not for ever: a lost request must end the test. False when `progress` stood still for long.
template <std::predicate Done, std::invocable Progress>
bool wait_for(Done done, Progress progress) {
    auto last = progress();
    auto end = std::chrono::steady_clock::now() + 20s;
    while (not done()) {
        std::this_thread::sleep_for(1ms);
        if (auto const now = progress(); now != last) {
            last = now;
            end = std::chrono::steady_clock::now() + 20s;
        } else if (std::chrono::steady_clock::now() > end) {
            return false;
        }
    }
    return true;
}

template <class Lock, class... Options>
using core = db::host<db::ufshci, driver, stress::bank, no_clock, db::count_budget<3>, Lock, Options...>;

struct result {
    bool all_came = false;
    std::uint64_t submitted = 0;
    std::uint64_t refused = 0;
    std::uint64_t interrupts = 0;
    std::uint64_t thread_runs = 0;
};

/// The traffic. `deliver(handler)` is called by the device thread while the line is up and no handler runs; it makes
/// somebody call `handler()` once, which ends with `handlers_running` back at 0.
template <class Lock, class... Options>
class traffic {
    using core_type = core<Lock, Options...>;
    static constexpr bool gives_back_later = requires(core_type& c) { c.run_bottom_half(); };
    static constexpr bool has_deadlines = requires(core_type& c) { c.tick(0U); };

public:
    explicit traffic(std::uint64_t requests)
        : requests_{requests}
        , driver_{device_, requests}
        , core_{driver_, stress::bank{&device_}, no_clock{}, Lock{spin_}} {
        ::sem_init(&wake_, 0, 0);
        ::sem_init(&driver_.half, 0, 0);
    }

    traffic(traffic const&) = delete;
    traffic& operator=(traffic const&) = delete;

    ~traffic() {
        ::sem_destroy(&driver_.half);
        ::sem_destroy(&wake_);
    }

    /// One entry of the hard handler, whoever calls it.
    void interrupt() noexcept {
        interrupts_.fetch_add(1, std::memory_order_relaxed);
        if (core_.on_hard_irq().wake_thread()) {
            ::sem_post(&wake_);
        }
        driver_.handlers_running.store(0, std::memory_order_release);
    }

    template <class Deliver>
    result run(Deliver deliver) {
        result r{};
        REQUIRE(core_.start() == db::start_status::started);

        std::thread handler{[this, &r] {
            while (not stop_.load(std::memory_order_acquire)) {
                if (::sem_wait(&wake_) != 0) {
                    continue; // the interrupt came here
                }
                do {
                    ++r.thread_runs;
                } while (core_.on_thread().again());
            }
        }};

        std::thread bottom_half{[&] {
            if constexpr (gives_back_later) {
                while (not stop_.load(std::memory_order_acquire)) {
                    if (::sem_wait(&driver_.half) == 0) {
                        while (core_.run_bottom_half().again()) {
                        }
                    }
                }
            }
        }};
        std::thread timer{[&] {
            if constexpr (has_deadlines) {
                for (std::uint32_t now = 0; not stop_.load(std::memory_order_acquire); now += 7) {
                    core_.tick(now);
                    static_cast<void>(core_.expire(now));
                    ::sched_yield();
                }
            }
        }};
        std::array<std::uint64_t, 2> submitted{};
        std::array<std::uint64_t, 2> refused{};
        std::array<std::thread, 2> submitters{};
        for (unsigned who = 0; who < 2; ++who) {
            submitters[who] =
                std::thread{[this, who, &submitted, &refused] { submit_half(who, submitted[who], refused[who]); }};
        }

        // The device and the interrupt chip.
        std::thread device{[&] {
            std::minstd_rand random{7};
            while (not stop_.load(std::memory_order_acquire)) {
                bool const worked = device_.finish_some(static_cast<std::uint32_t>(random() >> 8));
                unsigned nobody = 0;
                if (device_.line() and
                    driver_.handlers_running.compare_exchange_strong(nobody, 1, std::memory_order_acq_rel)) {
                    deliver(submitters[random() >> 8 & 1].native_handle());
                } else if (not worked) {
                    ::sched_yield();
                }
            }
        }};

        auto const completed = [this] { return driver_.completed_count.load(std::memory_order_acquire); };
        r.all_came = wait_for([&] { return completed() >= requests_ or given_up_.load(); }, completed);
        // Nothing is in flight; whoever would complete twice still has the time to do it.
        CHECK(wait_for([this] { return not device_.line() and driver_.handlers_running.load() == 0; }, completed));
        given_up_.store(true);
        stop_.store(true, std::memory_order_release);
        device.join();
        ::sem_post(&wake_);
        ::sem_post(&driver_.half);
        handler.join();
        bottom_half.join();
        timer.join();
        for (std::thread& each : submitters) {
            each.join();
        }
        driver_.synchronize();
        CHECK(core_.outstanding().empty());
        CHECK(core_.leftover().empty());
        CHECK(core_.stop().empty());
        for (unsigned who = 0; who < 2; ++who) {
            r.submitted += submitted[who];
            r.refused += refused[who];
        }
        r.interrupts = interrupts_.load();
        return r;
    }

    [[nodiscard]] driver const& seen() const noexcept { return driver_; }

private:
    /// One submitter owns half of the tags; it submits one request or a set, as many as are free. It lives until the
    /// end: an interrupt may still come to it.
    void submit_half(unsigned who, std::uint64_t& submitted, std::uint64_t& refused) {
        std::minstd_rand random{who + 1};
        std::uint64_t const first = requests_ / 2 * who;
        std::uint64_t const end = who == 0 ? requests_ / 2 : requests_;
        for (std::uint64_t next = first; next < end and not given_up_.load(std::memory_order_relaxed);) {
            std::uint32_t set = 0;
            std::uint64_t const most = 1 + (random() >> 8) % 16;
            for (unsigned slot = who * 16; slot < who * 16 + 16 and next < end; ++slot) {
                if (static_cast<std::uint64_t>(std::popcount(set)) == most) {
                    break;
                }
                if (driver_.is_free[slot].load(std::memory_order_acquire)) {
                    driver_.is_free[slot].store(false, std::memory_order_relaxed);
                    device_.descriptors[slot] = {.request = next++};
                    set |= 1U << slot;
                }
            }
            if (set == 0) {
                ::sched_yield();
                continue;
            }
            if (not core_.submit(typename core_type::tags{set})) {
                refused += static_cast<std::uint64_t>(std::popcount(set));
                given_up_.store(true);
                break;
            }
            submitted += static_cast<std::uint64_t>(std::popcount(set));
        }
        while (not stop_.load(std::memory_order_acquire)) {
            ::sched_yield();
        }
    }

    std::uint64_t requests_;
    stress::device device_{};
    yielding_spin spin_{};
    driver driver_;
    core_type core_;
    ::sem_t wake_{};
    std::atomic<bool> stop_{false};
    std::atomic<bool> given_up_{false};
    std::atomic<std::uint64_t> interrupts_{0};
};

void check(result const& r, driver const& seen, std::uint64_t requests) {
    CHECK(r.all_came);
    CHECK(r.refused == 0);
    CHECK(r.submitted == requests);
    CHECK(seen.wrong_answers == 0);
    std::uint64_t lost = 0;
    std::uint64_t doubled = 0;
    for (auto const& each : seen.completions) {
        lost += each == 0 ? 1U : 0U;
        doubled += each > 1 ? 1U : 0U;
    }
    CHECK(lost == 0);
    CHECK(doubled == 0);
    // Otherwise the test did not do what it is for.
    CHECK(r.interrupts > 0);
    CHECK(r.thread_runs > 0);
    std::printf(
        "%llu requests, %llu interrupts, %llu runs of the thread\n", static_cast<unsigned long long>(r.submitted),
        static_cast<unsigned long long>(r.interrupts), static_cast<unsigned long long>(r.thread_runs));
}

/// The traffic with a thread that is nothing but the hard handler.
template <class Traffic>
result with_handler_thread(Traffic& busy) {
    std::atomic<bool> end{false};
    ::sem_t pending{};
    ::sem_init(&pending, 0, 0);
    std::thread hard{[&] {
        for (;;) {
            while (::sem_wait(&pending) != 0) {
            }
            if (end.load()) {
                return;
            }
            busy.interrupt();
        }
    }};
    result const r = busy.run([&pending](auto) { ::sem_post(&pending); });
    end.store(true);
    ::sem_post(&pending);
    hard.join();
    ::sem_destroy(&pending);
    return r;
}

} // namespace

TEST_CASE("Each request completes once when the hard handler is a thread", "[inv:W1][inv:T4]") {
    traffic<thread_lock> busy{wanted()};
    check(with_handler_thread(busy), busy.seen(), wanted());
}

TEST_CASE(
    "Each request completes once when its callback waits and its time is over again and again", "[inv:X4][inv:G1]") {
    traffic<
        thread_lock, db::in_bottom_half<db::count_budget<5>>,
        db::uniform_timeouts<std::uint32_t, 20, 0, db::ask_driver>>
        busy{wanted() / 4};
    check(with_handler_thread(busy), busy.seen(), wanted() / 4);
    CHECK(busy.seen().extended > 0);
}

#if not defined(__SANITIZE_THREAD__) // which runs signal handlers late, where nothing is interrupted
namespace {

traffic<signal_lock>* interrupted = nullptr;

void on_signal(int) {
    interrupted->interrupt();
}

} // namespace

TEST_CASE("Each request completes once when the hard handler interrupts the submitters", "[inv:W1][inv:T9]") {
    std::uint64_t const requests = wanted();
    traffic<signal_lock> busy{requests};
    interrupted = &busy;
    struct sigaction action{};
    action.sa_handler = &on_signal;
    action.sa_flags = SA_RESTART;
    struct sigaction before{};
    REQUIRE(::sigaction(interrupt_signal, &action, &before) == 0);
    result const r = busy.run([](std::thread::native_handle_type core) { ::pthread_kill(core, interrupt_signal); });
    ::sigaction(interrupt_signal, &before, nullptr);
    interrupted = nullptr;
    check(r, busy.seen(), requests);
}
#endif
