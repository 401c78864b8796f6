// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doorbell/controllers/ahci.hpp>
#include <doorbell/core/statistics.hpp>
#include <doorbell/host.hpp>
#include <doorbell/testing/ahci_model.hpp>
#include <doorbell/testing/checking_lock.hpp>
#include <doorbell/testing/manual_clock.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace support::ahci {

namespace db = doorbell;
namespace kit = doorbell::testing;
namespace px = doorbell::sata::px;
namespace hba = doorbell::sata::hba;
namespace cause = doorbell::sata::cause;

using tags = db::tag_set<32>;

/// A driver of one disk: what it was told, and how often each request was ended.
struct disk {
    db::sata::port* port = nullptr;
    kit::lock_watch* watch = nullptr;
    tags plain{};     ///< requests that are no queued commands
    tags unwritten{}; ///< responses that are not there yet
    unsigned ended[32]{};
    db::outcome last[32]{};
    std::vector<unsigned> order{};
    std::uint32_t link = 0, errors = 0; ///< causes its handlers were told
    unsigned called_with_lock = 0;
    unsigned asked_to_end = 0;
    std::function<void(db::tag)> on_completed{};

    void prepare(db::tag t) noexcept {
        if (plain.contains(t)) {
            port->unqueued(t);
        }
    }

    db::outcome response(db::tag t) const noexcept {
        return unwritten.contains(t) ? db::outcome::not_written : db::outcome::success;
    }

    void completed(db::claimed<db::any_context> won, db::outcome o) noexcept {
        called_with_lock += watch->held() ? 1U : 0U;
        ++ended[won.index()];
        last[won.index()] = o;
        order.push_back(won.index());
        if (on_completed) {
            on_completed(won.get());
        }
    }

    void link_changed(db::raised<db::any_context> causes) noexcept { link |= causes.bits(); }

    void failed(db::raised<db::thread_context> causes) noexcept { errors |= causes.bits(); }

    void synchronize() noexcept {}

    void arm_timer(db::deadline<std::uint64_t>) noexcept {}

    bool end_on_device(db::tag) noexcept {
        ++asked_to_end;
        return true;
    }

    /// The requests that ended once and with this outcome.
    [[nodiscard]] tags once(db::outcome o) const noexcept {
        tags all{};
        for (unsigned n = 0; n < 32; ++n) {
            if (ended[n] == 1 and last[n] == o) {
                all.insert(db::tag{n});
            }
        }
        return all;
    }
};

using handlers =
    db::handlers<db::urgent<db::ahci::link, &disk::link_changed>, db::deferred<db::ahci::errors, &disk::failed>>;

/// The core of one port over the model, started.
template <class Budget = db::inline_all, class... Options>
class rig {
public:
    using bank_type = db::sata::port_bank<kit::ahci_bank>;
    using host_type = db::host<
        db::ahci, disk, bank_type, kit::manual_clock<>, Budget, kit::checking_lock, handlers,
        db::observed_by<db::statistics>, Options...>;

    explicit rig(kit::ahci_knobs knobs = {}, unsigned number = 0)
        : model{logged(knobs)}, port{number}, core{driver, bank_type{kit::ahci_bank{model}, port}, time, watch} {
        driver.port = &port;
        driver.watch = &watch;
        model.bring_up();
        REQUIRE(core.start() == db::start_status::started);
        model.log().clear();
    }

    rig(rig const&) = delete;
    rig& operator=(rig const&) = delete;

    ~rig() {
        CHECK(watch.errors() == 0);
        CHECK(driver.called_with_lock == 0);
        CHECK(model.errors().empty());
    }

    db::irq_result irq() {
        auto const before = watch.run_as(kit::lock_user::hard_handler);
        db::irq_result const result = core.on_hard_irq();
        watch.run_as(before);
        return result;
    }

    /// Enters the handler while the line is up, and the thread when it was woken. Returns the entries.
    unsigned serve() {
        unsigned entries = 0;
        for (; model.line() and entries < 10; ++entries) {
            if (irq().wake_thread()) {
                while (core.on_thread().again()) {
                }
            }
        }
        CHECK_FALSE(model.line());
        return entries;
    }

    template <class Register>
    [[nodiscard]] std::uint32_t word() const {
        return model.port(port.number()).load(Register::offset).value_or(0);
    }

    /// The register accesses and doorbell barriers since the last call.
    std::vector<kit::access> accesses() {
        std::vector<kit::access> all;
        for (std::size_t n = 0; n < model.log().size(); ++n) {
            kit::access const& each = model.log()[n];
            if (each.kind == kit::access_kind::read or each.kind == kit::access_kind::write or
                each.kind == kit::access_kind::before_doorbell) {
                all.push_back(each);
            }
        }
        model.log().clear();
        return all;
    }

    kit::ahci_model model;
    db::sata::port port;
    disk driver{};
    kit::lock_watch watch{};
    kit::manual_time<> time{1000};
    host_type core;

private:
    static kit::ahci_knobs logged(kit::ahci_knobs knobs) {
        knobs.log_entries = 256;
        return knobs;
    }
};

template <class Register>
[[nodiscard]] inline kit::access reads(std::uint32_t value, unsigned port = 0) {
    return {0, static_cast<std::uint32_t>(kit::ahci_model::offset_of<Register>(port)), value, kit::access_kind::read};
}

template <class Register>
[[nodiscard]] inline kit::access writes(std::uint32_t value, unsigned port = 0) {
    return {0, static_cast<std::uint32_t>(kit::ahci_model::offset_of<Register>(port)), value, kit::access_kind::write};
}

[[nodiscard]] inline kit::access writes_sum(std::uint32_t value) {
    return {0, static_cast<std::uint32_t>(hba::is::offset), value, kit::access_kind::write};
}

[[nodiscard]] inline kit::access barrier() {
    return {0, 0, 0, kit::access_kind::before_doorbell};
}

using accesses = std::vector<kit::access>;

} // namespace support::ahci
