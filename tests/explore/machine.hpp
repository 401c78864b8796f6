// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doorbell/controllers/ufshci/offsets.hpp>
#include <doorbell/core/outcome.hpp>
#include <doorbell/testing/explore.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

namespace rig {

namespace db = doorbell;
namespace explore = doorbell::testing::explore;

/// A controller of a few slots, small enough to be explored: causes and their enable bits, the doorbell, host enable,
/// and the status that it writes for each slot. Every access of a slot's device is a step of its own, so each slot
/// finishes at any time.
class machine {
public:
    static constexpr unsigned most_slots = 4;

    machine(explore::schedule& s, unsigned slots)
        : slots_{slots}
        , is_{s.thing("IS")}
        , ie_{s.thing("IE")}
        , doorbell_{s.thing("UTRLDBR")}
        , hce_{s.thing("HCE")}
        , cap_{s.thing("CAP")}
        , chip_{s.thing("interrupt chip")}
        , callbacks_{s.thing("callbacks")} {
        for (unsigned i = 0; i < slots; ++i) {
            answers_[i] = s.thing("response " + std::to_string(i));
        }
    }

    machine(machine const&) = delete;
    machine& operator=(machine const&) = delete;

    // The driver's side.

    [[nodiscard]] std::uint32_t load(std::size_t offset) const noexcept {
        explore::require(not stopped, "a stopped core reads no register");
        switch (offset) {
        case db::ufs::offset::cap:
            return slots_ - 1;
        case db::ufs::offset::is:
            return causes;
        case db::ufs::offset::ie:
            return enabled;
        case db::ufs::offset::utrldbr:
            return owned;
        case db::ufs::offset::hce:
            return running ? 1 : 0;
        default:
            return 0;
        }
    }

    void store(std::size_t offset, std::uint32_t value) noexcept {
        explore::require(not stopped, "a stopped core writes no register");
        switch (offset) {
        case db::ufs::offset::is:
            causes &= ~value;
            moved();
            break;
        case db::ufs::offset::ie:
            enabled = value;
            moved();
            break;
        case db::ufs::offset::utrldbr:
            explore::require(running, "nothing is rung while the list does not run");
            explore::require((owned & value) == 0, "a slot that hardware owns is not rung again");
            owned |= value;
            ended &= ~value;
            giving_up &= ~value;
            break;
        case db::ufs::offset::utrlclr:
            explore::require(running, "no slot is cleared while the list does not run");
            giving_up |= ~value & ((1U << slots_) - 1);
            break;
        case db::ufs::offset::utrlrsr:
        case db::ufs::offset::hce:
            running = (value & 1) != 0;
            owned = running ? owned : 0;
            break;
        default:
            break;
        }
    }

    void before_doorbell() const noexcept {}

    void after_done() const noexcept {}

    void before_unlock() const noexcept {}

    // Which register is which object.

    [[nodiscard]] explore::object name(std::size_t offset) const noexcept {
        switch (offset) {
        case db::ufs::offset::is:
            return is_;
        case db::ufs::offset::ie:
            return ie_;
        case db::ufs::offset::utrldbr:
        case db::ufs::offset::utrlclr:
            return doorbell_;
        case db::ufs::offset::utrlrsr:
        case db::ufs::offset::hce:
            return hce_;
        default:
            return cap_;
        }
    }

    [[nodiscard]] explore::footprint read_of(std::size_t offset) const noexcept {
        return {name(offset), explore::mode::read};
    }

    [[nodiscard]] explore::footprint write_of(std::size_t offset) const noexcept {
        explore::footprint touches{name(offset), explore::mode::write};
        if (offset == db::ufs::offset::hce or offset == db::ufs::offset::utrlrsr) {
            touches.add(doorbell_, explore::mode::write); // stopping drops what is in flight
        }
        if (offset == db::ufs::offset::ie and edge) {
            touches.add(is_, explore::mode::write); // the pulse
        }
        return touches;
    }

    /// The interrupt line: a level, or a pulse that the interrupt chip keeps until the handler is entered.
    [[nodiscard]] explore::line line() const {
        explore::footprint touches{is_, edge ? explore::mode::write : explore::mode::read};
        touches.add(ie_, explore::mode::read);
        touches.add(chip_, explore::mode::read);
        return {touches, [this] {
                    bool const high = edge ? pulse : (causes & enabled) != 0 and ignored != changes;
                    return high and not line_masked;
                }};
    }

    /// The handler is being entered.
    void take_pulse() noexcept { pulse = false; }

    /// The interrupt chip's mask of this line.
    void mask_line(bool on) noexcept {
        explore::point(on ? "mask line" : "unmask line", chip_, {chip_, explore::mode::write});
        explore::require(line_masked != on, "the line is masked and unmasked in turn");
        line_masked = on;
        masks += on ? 1 : 0;
    }

    /// An entry that began at `seen` found nothing of its own. The level would raise it again at once, any number of
    /// times until somebody moves the line: entered once is enough to see what such an entry does.
    void ignore(unsigned seen) noexcept { ignored = seen; }

    // The device's side.

    /// Declares the device that serves one slot: whenever it is rung, it answers, gives the slot back, raises the
    /// cause.
    void serve(explore::schedule& s, unsigned slot) {
        s.service("device " + std::to_string(slot), [this, slot] {
            std::uint32_t const bit = 1U << slot;
            for (;;) {
                explore::footprint done{doorbell_, explore::mode::write};
                done.add(hce_, explore::mode::read);
                done.add(answers_[slot], explore::mode::write);
                explore::wait_until(
                    "finish", answers_[slot], done, [this, bit] { return running and (owned & ~ended & bit) != 0; });
                status[slot] = late ? db::outcome::not_written : db::outcome::success;
                owned &= ~bit;
                ++finished;
                explore::point("raise", is_, {is_, explore::mode::write}, 1);
                causes |= 1 | (slot == 1 ? with_tag_1 : 0);
                moved();
                if (late) {
                    explore::point("answer", answers_[slot], {answers_[slot], explore::mode::write});
                    status[slot] = db::outcome::success;
                    ++answered;
                }
            }
        });
    }

    /// Declares what carries out slot clears: a while after they are written.
    void clear_slots(explore::schedule& s) {
        s.service("clear", [this] {
            for (;;) {
                explore::wait_until("give up", doorbell_, {doorbell_, explore::mode::write}, [this] {
                    return (giving_up & owned) != 0;
                });
                owned &= ~giving_up;
                giving_up = 0;
            }
        });
    }

    /// An abort task for one request: the device stops working on it. What it has finished stays finished.
    void end(unsigned slot) noexcept {
        explore::footprint touches{answers_[slot], explore::mode::write};
        touches.add(doorbell_, explore::mode::write);
        explore::point("end", answers_[slot], touches);
        ended |= 1U << slot;
    }

    /// Until no slot clear is pending.
    void await_clear() const {
        explore::wait_until("pause", doorbell_, {doorbell_, explore::mode::read}, [this] {
            return (giving_up & owned) == 0 or not running;
        });
    }

    /// The device raises other causes, once.
    void raise(explore::schedule& s, std::uint32_t which) {
        s.context("errors", [this, which] {
            explore::point("raise", is_, {is_, explore::mode::write}, which);
            causes |= which;
            moved();
        });
    }

    [[nodiscard]] explore::object everything() const noexcept { return doorbell_; }

    /// The driver's callbacks, where a scenario demands that they do not overlap.
    [[nodiscard]] explore::object callbacks() const noexcept { return callbacks_; }

    [[nodiscard]] explore::footprint any_answer() const noexcept {
        explore::footprint touches{};
        for (unsigned i = 0; i < slots_; ++i) {
            touches.add(answers_[i], explore::mode::read);
        }
        return touches;
    }

    /// What hardware wrote for a tag; reading it is a step.
    [[nodiscard]] db::outcome answer(unsigned slot) const noexcept {
        explore::point("response", answers_[slot], {answers_[slot], explore::mode::read});
        explore::require((owned >> slot & 1U) == 0, "nobody is taken for done whom hardware has");
        return status[slot];
    }

    std::uint32_t causes = 0;
    std::uint32_t enabled = 0;
    std::uint32_t owned = 0;
    unsigned changes = 1; ///< of the line's registers
    unsigned ignored = 0;
    std::uint32_t ended = 0;     ///< the device does not work on these any more
    std::uint32_t giving_up = 0; ///< slots to be cleared
    bool running = true;
    bool edge = false;
    bool pulse = false;
    bool line_masked = false;
    unsigned masks = 0;
    std::uint32_t with_tag_1 = 0; ///< causes that are raised together with the completion of tag 1
    bool late = false;            ///< the status lands after the interrupt
    bool stopped = false;         ///< the driver's core touches no register any more
    unsigned finished = 0;
    unsigned answered = 0; ///< late ones
    std::array<db::outcome, most_slots> status{};

private:
    void moved() noexcept {
        ++changes;
        bool const now = (causes & enabled) != 0;
        pulse = pulse or (edge and now and not summed_);
        summed_ = now;
    }

    unsigned slots_;
    bool summed_ = false;
    explore::object is_, ie_, doorbell_, hce_, cap_, chip_, callbacks_;
    std::array<explore::object, most_slots> answers_{};
};

/// Handles on a machine: its registers, and what they are called.
struct machine_bank {
    machine* hardware;

    [[nodiscard]] std::uint32_t load(std::size_t offset) const noexcept { return hardware->load(offset); }

    void store(std::size_t offset, std::uint32_t value) const noexcept { hardware->store(offset, value); }

    void before_doorbell() const noexcept {}

    void after_done() const noexcept {}

    void before_unlock() const noexcept {}
};

struct machine_map {
    machine* hardware;

    [[nodiscard]] explore::object name(std::size_t offset) const noexcept { return hardware->name(offset); }

    [[nodiscard]] explore::footprint load(std::size_t offset) const noexcept { return hardware->read_of(offset); }

    [[nodiscard]] explore::footprint store(std::size_t offset) const noexcept { return hardware->write_of(offset); }
};

using bank = explore::explored_bank<machine_bank, machine_map>;

} // namespace rig
