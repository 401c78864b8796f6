// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../registers/concepts.hpp"
#include "access_log.hpp"
#include "ahci/port_model.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <vector>

namespace doorbell::testing {

/// A SATA host bus adapter (AHCI 1.3.1) in virtual time, to test drivers against: up to four ports with a disk each,
/// the command list without its memory. The test moves time (`advance`), plays the disks (`port(n).finish` and the
/// like, through `at`, so that the line follows) and looks at the interrupt output (`line`, `take_pulse`); the driver
/// under test uses an `ahci_bank`. Programming errors are counted in `errors()`, accesses are in `log()`. One thread.
class ahci_model {
public:
    static constexpr std::size_t window = 0x1100;

    /// Throws std::invalid_argument with one sentence when the knobs contradict themselves.
    explicit ahci_model(ahci_knobs const& knobs = {}) : shared_(checked(knobs)), log_(knobs.log_entries) {
        for (unsigned n = 0; n < knobs.ports; ++n) {
            ports_.emplace_back(shared_, n);
        }
    }

    ahci_model(ahci_model const&) = delete;
    ahci_model& operator=(ahci_model const&) = delete;

    /// One 32-bit register read of the driver.
    [[nodiscard]] std::uint32_t load(std::size_t offset) noexcept {
        ++reads_[offset];
        std::uint32_t const value = gone_ ? ~0U : read_register(offset);
        note(access_kind::read, offset, value);
        return value;
    }

    /// One 32-bit register write of the driver.
    void store(std::size_t offset, std::uint32_t value) noexcept {
        ++writes_[offset];
        note(access_kind::write, offset, value);
        if (not gone_) {
            write_register(offset, value);
            settle();
        }
    }

    /// Barriers of the bank; noted in the log.
    void before_doorbell() noexcept { note(access_kind::before_doorbell, 0, 0); }

    void after_done() noexcept { note(access_kind::after_done, 0, 0); }

    void before_unlock() noexcept { note(access_kind::before_unlock, 0, 0); }

    /// Plays a disk or the hardware of a port: `play(port)`, then the line follows. Returns what it returned.
    template <class Play>
    auto at(unsigned port, Play play) {
        struct follow {
            ahci_model& model;

            ~follow() { model.settle(); }
        } const after{*this};

        return play(ports_[port]);
    }

    /// The commands of `slots` end, in ascending order. False: one of them was not being worked on.
    bool finish(std::uint32_t slots, unsigned port = 0) noexcept {
        bool all = true;
        for (std::uint32_t rest = slots; rest != 0; rest &= rest - 1) {
            unsigned const slot = static_cast<unsigned>(std::countr_zero(rest));
            note(access_kind::finish, port, slot);
            all = at(port, [slot](ahci_port_model& p) noexcept { return p.finish(slot); }) and all;
        }
        return all;
    }

    bool fail(unsigned slot, std::uint8_t error, unsigned port = 0) noexcept {
        return at(port, [slot, error](ahci_port_model& p) noexcept { return p.fail(slot, error); });
    }

    [[nodiscard]] ahci_port_model const& port(unsigned number = 0) const noexcept { return ports_[number]; }

    /// Interrupts on, every port receiving and started, from the hardware's side: no access is counted.
    void bring_up() noexcept {
        ghc_ |= sata::hba::ghc::interrupts::mask;
        for (ahci_port_model& each : ports_) {
            std::uint32_t const now = each.load(sata::px::cmd::offset).value_or(0);
            (void)each.store(sata::px::cmd::offset, now | sata::px::cmd::receive::mask | sata::px::cmd::start::mask);
        }
    }

    /// The interrupt output as a level.
    [[nodiscard]] bool line() const noexcept { return line_; }

    /// How often the line went up: what an edge, or a message, would have told.
    [[nodiscard]] std::uint64_t rises() const noexcept { return rises_; }

    /// Takes one waiting rise. False: there is none.
    [[nodiscard]] bool take_pulse() noexcept {
        bool const any = taken_ != rises_;
        taken_ += any ? 1U : 0U;
        return any;
    }

    /// The adapter is off the bus from now on: reads give all ones, writes go nowhere, nothing ends.
    void gone() noexcept { gone_ = true; }

    [[nodiscard]] std::uint64_t now() const noexcept { return shared_.now; }

    /// Virtual time of what comes next by itself; timer_table::never: nothing.
    [[nodiscard]] std::uint64_t next_due() const noexcept { return shared_.timers.next(); }

    /// Moves virtual time on by `ns`, and runs what falls due, in order.
    void advance(std::uint64_t ns) noexcept {
        std::uint64_t const when = shared_.now + ns;
        while (shared_.timers.next() <= when) {
            shared_.now = shared_.timers.next();
            unsigned const id = shared_.timers.take();
            if (not gone_) {
                ports_[id / ahci_port_model::timers].fire(id % ahci_port_model::timers);
                settle();
            }
        }
        shared_.now = when;
    }

    /// Accesses of the driver to one register, by its offset in the window.
    [[nodiscard]] std::uint64_t reads(std::size_t offset) const noexcept { return count(reads_, offset); }

    [[nodiscard]] std::uint64_t writes(std::size_t offset) const noexcept { return count(writes_, offset); }

    [[nodiscard]] ahci_errors& errors() noexcept { return shared_.errors; }

    [[nodiscard]] access_log& log() noexcept { return log_; }

    /// Where a register of a port is in the window.
    template <class Register>
    [[nodiscard]] static constexpr std::size_t offset_of(unsigned port = 0) noexcept {
        return sata::first_port + port * sata::port_stride + Register::offset;
    }

private:
    static ahci_knobs const& checked(ahci_knobs const& knobs) {
        if (knobs.ports < 1 or knobs.ports > 4) {
            throw std::invalid_argument("an AHCI model has 1 to 4 ports");
        }
        if (knobs.slots < 1 or knobs.slots > 32) {
            throw std::invalid_argument("a port has 1 to 32 command slots");
        }
        return knobs;
    }

    [[nodiscard]] static std::uint64_t count(std::map<std::size_t, std::uint64_t> const& all, std::size_t offset) {
        auto const found = all.find(offset);
        return found == all.end() ? 0 : found->second;
    }

    void note(access_kind kind, std::size_t offset, std::uint32_t value) noexcept {
        log_.note({shared_.now, static_cast<std::uint32_t>(offset), value, kind});
    }

    [[nodiscard]] std::uint32_t implemented() const noexcept { return (1U << ports_.size()) - 1; }

    /// The port whose block holds this offset; nobody: there is none.
    [[nodiscard]] ahci_port_model* port_at(std::size_t offset) noexcept {
        std::size_t const number = (offset - sata::first_port) / sata::port_stride;
        return offset >= sata::first_port and number < ports_.size() ? &ports_[number] : nullptr;
    }

    [[nodiscard]] std::uint32_t read_register(std::size_t offset) noexcept {
        using namespace sata::hba;
        if (offset % 4 != 0) {
            shared_.errors.add(ahci_error::misaligned);
            return 0;
        }
        switch (offset) {
        case cap::offset:
            return cap::ports::put(static_cast<std::uint32_t>(ports_.size()) - 1) |
                   cap::slots::put(shared_.knobs.slots - 1) | cap::clears_busy::put(shared_.knobs.clears_busy ? 1 : 0) |
                   cap::queued::put(1) | cap::wide::put(1);
        case ghc::offset:
            return ghc_;
        case is::offset:
            return is_;
        case pi::offset:
            return implemented();
        case vs::offset:
            return 0x10301;
        default:
            break;
        }
        if (ahci_port_model* const port = port_at(offset); port != nullptr) {
            if (auto const value = port->load((offset - sata::first_port) % sata::port_stride)) {
                return *value;
            }
        }
        shared_.errors.add(ahci_error::outside);
        return 0;
    }

    void write_register(std::size_t offset, std::uint32_t value) noexcept {
        using namespace sata::hba;
        if (offset % 4 != 0) {
            shared_.errors.add(ahci_error::misaligned);
            return;
        }
        switch (offset) {
        case ghc::offset:
            ghc_ = (value & ghc::interrupts::mask) | ghc::enable::mask;
            if ((value & ghc::reset::mask) != 0) {
                ghc_ = ghc::enable::mask;
                is_ = 0;
                for (ahci_port_model& each : ports_) {
                    each.power_on();
                }
            }
            return;
        case is::offset:
            is_ &= ~value;
            fell_ = true;
            return;
        case cap::offset:
        case pi::offset:
        case vs::offset:
            return;
        default:
            break;
        }
        ahci_port_model* const port = port_at(offset);
        if (port == nullptr or not port->store((offset - sata::first_port) % sata::port_stride, value)) {
            shared_.errors.add(ahci_error::outside);
        }
    }

    /// IS latches the ports that stand; the line is up while IS has a bit. A bit that was cleared and latches again at
    /// once is a new rise.
    void settle() noexcept {
        bool const was = line_ and (not fell_ or is_ != 0);
        fell_ = false;
        for (std::size_t n = 0; n < ports_.size(); ++n) {
            is_ |= ports_[n].standing() ? 1U << n : 0U;
        }
        line_ = is_ != 0 and (ghc_ & sata::hba::ghc::interrupts::mask) != 0;
        if (line_ != was) {
            rises_ += line_ ? 1U : 0U;
        }
    }

    ahci_clockwork shared_;
    access_log log_;
    std::vector<ahci_port_model> ports_{};
    std::map<std::size_t, std::uint64_t> reads_{}, writes_{};
    std::uint32_t ghc_ = sata::hba::ghc::enable::mask, is_ = 0;
    bool line_ = false, fell_ = false, gone_ = false;
    std::uint64_t rises_ = 0, taken_ = 0;
};

/// The register bank of a driver under test: a handle, as cheap to copy as a pointer. The model must outlive it.
class ahci_bank {
public:
    explicit constexpr ahci_bank(ahci_model& model) noexcept : model_(&model) {}

    [[nodiscard]] std::uint32_t load(std::size_t offset) const noexcept { return model_->load(offset); }

    void store(std::size_t offset, std::uint32_t value) const noexcept { model_->store(offset, value); }

    void before_doorbell() const noexcept { model_->before_doorbell(); }

    void after_done() const noexcept { model_->after_done(); }

    void before_unlock() const noexcept { model_->before_unlock(); }

private:
    ahci_model* model_;
};

static_assert(register_bank<ahci_bank>);

} // namespace doorbell::testing
