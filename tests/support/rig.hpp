// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "journal.hpp"
#include "small_device.hpp"

#include <doorbell/core/statistics.hpp>
#include <doorbell/host.hpp>
#include <doorbell/testing/checking_lock.hpp>
#include <doorbell/testing/manual_clock.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace support {

namespace db = doorbell;

using watch_type = db::testing::lock_watch;
using user = db::testing::lock_user;

/// A driver that writes down what it is asked, answers what the test says, and checks that no lock is held when it is
/// called back.
struct plain_driver {
    journal* log = nullptr;
    watch_type* watch = nullptr;
    db::outcome responses[32]{};
    unsigned ended[32]{};          ///< callbacks per tag
    unsigned ended_by_reset = 0;   ///< those with outcome::reset
    unsigned called_with_lock = 0; ///< callbacks that found the lock held
    std::function<void(db::tag)> on_completed{};
    std::function<void()> on_handler{};
    std::function<void()> on_synchronize{};

    db::outcome response(db::tag t) noexcept {
        note("response " + std::to_string(t.index));
        return responses[t.index];
    }

    void completed(db::claimed<db::any_context> won, db::outcome o) noexcept {
        note("completed " + std::to_string(won.index()) + " " + hex(static_cast<std::uint32_t>(o)));
        ++ended[won.index()];
        ended_by_reset += o == db::outcome::reset ? 1U : 0U;
        if (on_completed) {
            on_completed(won.get());
        }
    }

    void urgent(db::raised<db::any_context> causes) noexcept { handler("urgent", causes.bits()); }

    void deferred(db::raised<db::any_context> causes) noexcept { handler("deferred", causes.bits()); }

    void sleeping(db::raised<db::thread_context> causes) noexcept { handler("sleeping", causes.bits()); }

    void synchronize() noexcept {
        note("synchronize");
        if (on_synchronize) {
            on_synchronize();
        }
    }

protected:
    void note(std::string line) noexcept {
        called_with_lock += watch->held() ? 1U : 0U;
        log->add(std::move(line));
    }

private:
    void handler(char const* name, std::uint32_t causes) noexcept {
        note(std::string{name} + " " + hex(causes));
        if (on_handler) {
            on_handler();
        }
    }
};

/// The same with the optional last touch before the ring.
struct preparing_driver : plain_driver {
    void prepare(db::tag t) noexcept { log->add("prepare " + std::to_string(t.index)); }
};

/// Writes every event down.
class event_recorder {
public:
    event_recorder() noexcept = default;

    explicit event_recorder(journal& log) noexcept : log_{&log} {}

    template <class Tags>
    void note(db::events::submit<Tags> const& e) noexcept {
        add("submit " + hex(e.tags.raw()));
    }

    template <class Tags>
    void note(db::events::ring<Tags> const& e) noexcept {
        add("ring " + hex(e.tags.raw()));
    }

    template <class Tags>
    void note(db::events::claim<Tags> const& e) noexcept {
        add("claim " + hex(e.tags.raw()));
    }

    template <class Tags>
    void note(db::events::unknown<Tags> const& e) noexcept {
        add("unknown " + hex(e.tags.raw()));
    }

    void note(db::events::entry const& e) noexcept { add("entry " + hex(e.causes)); }

    void note(db::events::lag const& e) noexcept { add("lag " + std::to_string(e.which.index)); }

    void note(db::events::callback const& e) noexcept {
        add("callback " + std::to_string(e.which.index) + " " + hex(static_cast<std::uint32_t>(e.result)));
    }

    void note(db::events::wake const&) noexcept { add("wake"); }

    void note(db::events::exit const& e) noexcept {
        add(std::string{"exit"} + (e.result.handled() ? " handled" : "") + (e.result.wake_thread() ? " wake" : "") +
            (e.result.controller_gone() ? " gone" : ""));
    }

    void note(db::events::unhandled_cause const& e) noexcept { add("unhandled " + hex(e.causes)); }

    void note(db::events::spurious const&) noexcept { add("spurious"); }

    void note(db::events::gone const&) noexcept { add("gone"); }

    void note(db::events::refused const& e) noexcept { add("refused " + std::to_string(static_cast<unsigned>(e.why))); }

private:
    void add(std::string const& line) noexcept { log_->add("event " + line); }

    journal* log_ = nullptr;
};

static_assert(db::observer<event_recorder>);

/// A DMA policy that writes down.
class recording_dma {
public:
    explicit recording_dma(journal& log) noexcept : log_{&log} {}

    void for_device(db::tag t) noexcept { log_->add("for_device " + std::to_string(t.index)); }

    void for_cpu(db::tag t) noexcept { log_->add("for_cpu " + std::to_string(t.index)); }

private:
    journal* log_;
};

using links = db::handlers<
    db::urgent<db::ufshci::uic, &plain_driver::urgent>, db::deferred<db::ufshci::errors, &plain_driver::sleeping>>;

/// What a core needs around it. Locks, registers, callbacks and events share one journal.
template <class Driver>
struct surroundings {
    surroundings() {
        driver.log = &log;
        driver.watch = &watch;
    }

    surroundings(surroundings const&) = delete;
    surroundings& operator=(surroundings const&) = delete;

    journal log{};
    small_device hw{log};
    Driver driver{};
    watch_type watch{
        {.self = &log,
         .acquired = [](void* to) { static_cast<journal*>(to)->add("lock"); },
         .released = [](void* to) { static_cast<journal*>(to)->add("unlock"); },
         .failed = nullptr}};
    db::testing::manual_time<> time{1000};
};

/// A started core of a given budget and options in its surroundings. Each test ends with the check that the lock was
/// used rightly and no callback ran under it.
template <class Budget = db::inline_all, class Driver = plain_driver, class Observer = db::statistics, class... Options>
class rig : public surroundings<Driver> {
public:
    using host_type = db::host<
        db::ufshci, Driver, small_bank, db::testing::manual_clock<>, Budget, db::testing::checking_lock,
        db::observed_by<Observer>, Options...>;
    using tags = typename host_type::tags;

    explicit rig(Observer observer = {})
        requires std::constructible_from<
            host_type, Driver&, small_bank, db::testing::manual_clock<>, db::testing::checking_lock, Observer>
        : core{this->driver, small_bank{this->hw}, this->time, this->watch, observer} {}

    ~rig() {
        CHECK(this->watch.errors() == 0);
        CHECK_FALSE(this->watch.held());
        CHECK(this->driver.called_with_lock == 0);
    }

    /// Opens the core and forgets that it did.
    rig& started() {
        REQUIRE(core.start() == db::start_status::started);
        this->log.forget();
        return *this;
    }

    /// Rings these slots and forgets that it did.
    void in_flight(std::uint32_t slots) {
        REQUIRE(core.submit(tags{slots}));
        this->log.forget();
    }

    db::irq_result irq() {
        user const before = this->watch.run_as(user::hard_handler);
        db::irq_result const result = core.on_hard_irq();
        this->watch.run_as(before);
        return result;
    }

    host_type core;
};

} // namespace support
