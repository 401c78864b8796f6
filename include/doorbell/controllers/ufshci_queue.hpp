// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../core/tag_set.hpp"
#include "../dispatch/concepts.hpp"
#include "../registers/memory_bank.hpp"
#include "../registers/operations.hpp"
#include "ufshci/queue_bank.hpp"
#include "ufshci/queue_registers.hpp"
#include "ufshci/runtime_registers.hpp"

#include <cstddef>
#include <cstdint>

namespace doorbell {

/// Facts of one queue pair of the UFS host controller in multi-queue mode (UFSHCI 4.0): a core of its own serves each,
/// with its own lock, so that queues never wait for each other. Its cause register is CQIS. With a vector per queue
/// that vector calls the core; on the shared line the handler of IS.CQES calls the core of every queue, and a queue
/// that has nothing answers "not mine".
///
/// `TagOf` tells from a completion entry which tag it is of: a stateless functor of the driver, since it knows what its
/// command descriptors are. The driver's `prepare` writes the submission entry at `queue_state::next_submission`, and
/// its `response` answers `queue_state::response`: the status is copied when the entry is taken, so the ring may wrap.
/// At most `Stride` entries are taken per look [T4]; the head is written once per look that took any, and not
/// otherwise. With several queues: stop every core, then reset every core; the first reset disables the controller.
template <std::size_t Slots, class TagOf, bool CanCleanUp = true, unsigned Stride = Slots>
struct ufshci_queue {
    static_assert(
        Stride >= Slots, "doorbell: a look that cannot take every outstanding entry would strand the rest; "
                         "write a stride of at least the number of slots");

    /// The queue reports no errors of its own; those are causes of the controller.
    static constexpr std::uint32_t errors = 0;
    static constexpr std::uint32_t absent = 0xFFFF'FFFF;

    struct transfers {
        static constexpr std::size_t slots = Slots;
        static constexpr std::uint32_t cause = 1; ///< CQIS.TEPS
        using tags = tag_set<slots>;

        /// One read of CQTP, and one write of CQHP when there were entries.
        template <class Bank>
        [[nodiscard]] static tags busy(Bank& bank) noexcept {
            auto& queue = bank.queue();
            bool const cleaned = queue.stage() != ufs::queue_state<Slots>::cleanup::none and clean_up(bank);
            auto completion = bank.at(queue.place().cqd);
            std::uint32_t const tail = read<ufs::queue::cqtp>(completion);
            bank.after_done();
            std::uint32_t const before = queue.completion_head();
            tags const held = queue.template take<Stride>(tail, TagOf{});
            if (queue.completion_head() != before) {
                write<ufs::queue::cqhp>(completion, queue.completion_head());
            }
            if (cleaned) { // its entry, if there was to be one, has been taken
                queue.cleaned();
                return queue.held();
            }
            return held;
        }

        /// Begins the clean-up of one tag; later looks carry it on. A part without it (its run-time commands are
        /// broken) says so with `CanCleanUp`, and an abort there needs a reset. [T7]
        template <class Bank>
            requires CanCleanUp
        static void clear(Bank& bank, tags set) noexcept {
            bank.queue().begin_cleanup(set.front());
            auto submission = bank.at(bank.queue().place().sqd);
            write<ufs::queue::sqrtc>(submission, stop);
        }

        /// The barrier that makes the entries visible, then one write of SQTP.
        template <class Bank>
        static void ring(Bank& bank, tags set) noexcept {
            auto& queue = bank.queue();
            queue.rung(set);
            bank.before_doorbell();
            auto submission = bank.at(queue.place().sqd);
            write<ufs::queue::sqtp>(submission, queue.submission_tail());
        }

        template <class Bank>
        [[nodiscard]] static tags usable(Bank& bank) noexcept {
            std::uint32_t const depth = bank.queue().place().depth;
            tags all{};
            for (unsigned n = 0; n < Slots and n + 1 < depth; ++n) {
                all.insert(tag{n});
            }
            return all;
        }
    };

private:
    static constexpr std::uint32_t stop = 1;
    static constexpr std::uint32_t initiate = 2;

    /// One step of the clean-up; true when hardware says that it is finished, which one that is gone does not. [D4]
    template <class Bank>
    [[nodiscard]] static bool clean_up(Bank& bank) noexcept {
        using stage = typename ufs::queue_state<Slots>::cleanup;
        auto& queue = bank.queue();
        auto submission = bank.at(queue.place().sqd);
        std::uint32_t const status = read<ufs::queue::sqrts>(submission);
        if (status == absent) {
            return false;
        }
        if (queue.stage() == stage::stopping) {
            if ((status & 1U) != 0) {
                write<ufs::queue::sqcti>(submission, queue.cleanup_target());
                write<ufs::queue::sqrtc>(submission, stop | initiate);
                queue.stopped();
            }
            return false;
        }
        if ((status & 2U) == 0) {
            return false;
        }
        write<ufs::queue::sqrtc>(submission, 0);
        return true;
    }

public:
    template <class Bank>
    [[nodiscard]] static std::uint32_t status(Bank& bank) noexcept {
        auto interrupts = bank.at(bank.queue().place().cqis);
        return read<ufs::queue::cqis>(interrupts);
    }

    template <class Bank>
    static void acknowledge(Bank& bank, std::uint32_t causes) noexcept {
        auto interrupts = bank.at(bank.queue().place().cqis);
        doorbell::acknowledge<ufs::queue::cqis>(interrupts, causes);
    }

    template <class Bank>
    static void enable(Bank& bank, std::uint32_t causes) noexcept {
        auto interrupts = bank.at(bank.queue().place().cqis);
        write<ufs::queue::cqie>(interrupts, causes);
    }

    /// Looks at HCE at most this often while the controller stops.
    static constexpr unsigned halt_looks = 10'000;

    /// Stopping a submission queue ends nothing that was fetched, so the controller is disabled. Thread context.
    template <class Bank>
    [[nodiscard]] static bool halt(Bank& bank) noexcept {
        write<ufs::hce>(bank, 0);
        for (unsigned look = 0; look < halt_looks; ++look) {
            if ((read<ufs::hce>(bank) & 1U) == 0) {
                bank.queue().restart();
                return true;
            }
        }
        return false;
    }
};

namespace detail {

struct any_tag {
    constexpr tag operator()(ufs::completion_entry const& entry) const noexcept { return {entry.word[0]}; }
};

} // namespace detail

static_assert(controller<ufshci_queue<32, detail::any_tag>, ufs::queue_bank<memory_bank<0x2000>, 32>>);

} // namespace doorbell
