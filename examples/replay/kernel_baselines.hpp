// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doorbell/controllers/ufshci/causes.hpp>
#include <doorbell/controllers/ufshci/offsets.hpp>
#include <doorbell/lock/concepts.hpp>
#include <doorbell/registers/concepts.hpp>

#include <bit>
#include <concepts>
#include <cstdint>

/// Three generations of one kernel's interrupt path for the single-doorbell UFS host controller, as plain loops with
/// the register accesses, the locking and the faults of the originals. They are what the library is measured beside.
namespace kernel_baselines {

/// What a handler tells the interrupt system. The values are bits, yet only these three mean something: a handler that
/// merges two of them by `or` gets 3, and the interrupt system takes that for none of them.
enum irq_return : unsigned { irq_none = 0, irq_handled = 1, irq_wake_thread = 2 };

/// Runs the upper layer's completion of the request in a slot.
template <class C>
concept completion = requires(C& complete, unsigned slot) {
    { complete(slot) } noexcept;
};

/// What all generations share: the outstanding mask, its lock, and how a request is handed in.
template <doorbell::register_bank Bank, doorbell::lock_policy Lock, completion Complete>
class transfer_list {
public:
    static constexpr unsigned slots = 32;

    transfer_list(Bank bank, Lock lock, Complete complete) noexcept : bank_{bank}, lock_{lock}, complete_{complete} {}

    /// With aggregation the counter is reset before completions are looked for.
    void use_aggregation(bool on) noexcept { aggregation_ = on; }

    void start(std::uint32_t causes) noexcept { bank_.store(at::ie, causes); }

    void submit(unsigned slot) noexcept {
        auto const held = lock_.acquire();
        outstanding_ |= std::uint32_t{1} << slot;
        bank_.before_doorbell();
        bank_.store(at::utrldbr, std::uint32_t{1} << slot);
        bank_.before_unlock();
        lock_.release(held);
    }

protected:
    struct at {
        static constexpr auto is = doorbell::ufs::offset::is;
        static constexpr auto ie = doorbell::ufs::offset::ie;
        static constexpr auto utrldbr = doorbell::ufs::offset::utrldbr;
        static constexpr auto utriacr = doorbell::ufs::offset::utriacr;
    };

    /// Rounds over the status register. Each reads the enable register and acknowledges everything that was read,
    /// before anybody has looked at what it stands for.
    template <class Transfers>
    [[nodiscard]] unsigned rounds(Transfers transfers) noexcept {
        unsigned result = irq_none;
        std::uint32_t status = bank_.load(at::is);
        for (unsigned round = 0; status != 0 and round < slots; ++round) {
            std::uint32_t const enabled = status & bank_.load(at::ie);
            bank_.store(at::is, status);
            if ((enabled & doorbell::ufs::cause::utrcs) != 0) {
                if (aggregation_) {
                    constexpr std::uint32_t enable_and_reset = 0x8001'0000;
                    bank_.store(at::utriacr, enable_and_reset);
                }
                result |= transfers();
            }
            if ((enabled & ~doorbell::ufs::cause::utrcs) != 0) {
                result |= irq_handled;
            }
            status = bank_.load(at::is);
        }
        return result;
    }

    /// Finished requests are taken out of the mask under the lock and completed without it.
    [[nodiscard]] unsigned complete_all() noexcept {
        auto const held = lock_.acquire();
        std::uint32_t const done = ~bank_.load(at::utrldbr) & outstanding_;
        outstanding_ &= ~done;
        bank_.before_unlock();
        lock_.release(held);
        bank_.after_done();
        for (std::uint32_t rest = done; rest != 0; rest &= rest - 1) {
            complete_(static_cast<unsigned>(std::countr_zero(rest)));
        }
        return done != 0 ? irq_handled : irq_none;
    }

    Bank bank_;
    Lock lock_;
    Complete complete_;
    std::uint32_t outstanding_ = 0;
    bool aggregation_ = false;
};

/// Everything in the hard handler (6.15 and before, 7.2 and after).
template <doorbell::register_bank Bank, doorbell::lock_policy Lock, completion Complete>
class hardirq : public transfer_list<Bank, Lock, Complete> {
public:
    using transfer_list<Bank, Lock, Complete>::transfer_list;

    [[nodiscard]] unsigned handler() noexcept {
        return this->rounds([this]() noexcept { return this->complete_all(); });
    }
};

/// Everything in the thread (6.16 to 7.1). The line is masked from the hard handler to the end of the thread.
template <doorbell::register_bank Bank, doorbell::lock_policy Lock, completion Complete>
class threaded : public transfer_list<Bank, Lock, Complete> {
public:
    using transfer_list<Bank, Lock, Complete>::transfer_list;

    [[nodiscard]] static unsigned handler() noexcept { return irq_wake_thread; }

    void thread() noexcept {
        static_cast<void>(this->rounds([this]() noexcept { return this->complete_all(); }));
    }
};

/// The hard handler up to a deadline, the thread for the rest (proposed in 2025, never merged). Time is counted in
/// ticks of the clock, so the deadline is the budget rounded up to a whole one; a deadline of 0 means none.
///
/// Its faults are kept: what the deadline leaves over stays in the mask while its cause is acknowledged, so the thread,
/// which looks at the status register, finds nothing to do; results of several rounds are merged by `or`; and
/// completions run with the lock held.
template <doorbell::register_bank Bank, doorbell::lock_policy Lock, completion Complete, class Clock>
    requires requires(Clock& clock) {
        { clock() } noexcept -> std::same_as<std::uint64_t>;
    }
class budgeted : public transfer_list<Bank, Lock, Complete> {
    using base = transfer_list<Bank, Lock, Complete>;

public:
    /// `clock` gives nanoseconds; `tick_ns` is how often the kernel's copy of it moves.
    budgeted(
        Bank bank, Lock lock, Complete complete, Clock clock, std::uint64_t budget_ns, std::uint64_t tick_ns) noexcept
        : base{bank, lock, complete}
        , clock_{clock}
        , tick_ns_{tick_ns}
        , budget_ticks_{(budget_ns + tick_ns - 1) / tick_ns} {}

    [[nodiscard]] unsigned handler() noexcept { return serve(ticks() + budget_ticks_); }

    void thread() noexcept { static_cast<void>(serve(0)); }

private:
    [[nodiscard]] std::uint64_t ticks() noexcept { return clock_() / tick_ns_; }

    [[nodiscard]] unsigned serve(std::uint64_t deadline) noexcept {
        return this->rounds([this, deadline]() noexcept { return complete_until(deadline); });
    }

    [[nodiscard]] unsigned complete_until(std::uint64_t deadline) noexcept {
        auto const held = this->lock_.acquire();
        std::uint32_t done = ~this->bank_.load(base::at::utrldbr) & this->outstanding_;
        this->bank_.after_done();
        unsigned result = done != 0 ? irq_handled : irq_none;
        while (done != 0) {
            auto const slot = static_cast<unsigned>(std::countr_zero(done));
            done &= done - 1;
            this->outstanding_ &= ~(std::uint32_t{1} << slot);
            this->complete_(slot);
            if (deadline != 0 and done != 0 and ticks() >= deadline) {
                result = irq_wake_thread;
                break;
            }
        }
        this->bank_.before_unlock();
        this->lock_.release(held);
        return result;
    }

    Clock clock_;
    std::uint64_t tick_ns_;
    std::uint64_t budget_ticks_;
};

} // namespace kernel_baselines
