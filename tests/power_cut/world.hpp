// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "oracle.hpp"

#include <doorbell/flush/coalescer.hpp>
#include <doorbell/flush/fixed_grace.hpp>
#include <doorbell/flush/learned_grace.hpp>
#include <doorbell/testing/storage_device.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace power_cut {

namespace db = doorbell;

/// The time of the world that lives at the moment: worlds are copied, so their clocks cannot point at them.
struct world_clock {
    using rep = std::uint64_t;
    static constexpr std::uint64_t resolution_ns = 1;

    [[nodiscard]] static rep now() noexcept { return current; }

    [[nodiscard]] static constexpr rep ticks(std::uint64_t ns) noexcept { return ns; }

    static inline rep current = 0;
};

/// What can happen. `a` is a stream or a domain, `b` a domain.
enum class kind : std::uint8_t {
    write,         ///< domain a: a write completes and is reported
    bad_write,     ///< domain a: a write fails
    through_write, ///< domain a: a write with force unit access
    flush,         ///< stream a asks for domain b
    barrier,       ///< the same, at once
    flush_all,     ///< stream a asks for all domains
    end_done,      ///< the flush of a ends as a success
    end_busy,      ///< it was not executed
    end_failed,    ///< it fails, and the device drops what it was to write back
    end_reset,     ///< unit attention: the device was reset, its cache is lost
    time_out,      ///< its time is over; the device drops what it was to write back
    late_done,     ///< it says "success" after that all the same
    reset_kept,    ///< the device is reset and keeps its cache, but for what a flush in flight was working on
    reset_lost,    ///< the device is reset and loses its cache
    timer,         ///< time passes until the next deadline
    mode_through,  ///< domain a: the cache is switched off
    mode_back,     ///< domain a: and on again
    suspend,
    power_cycle, ///< while suspended: the power is cut, and comes back
    resume,
    stop,
    hold,    ///< recovery begins
    release, ///< and ends
    stale,   ///< the answer to an older flush of a comes once more
};

inline constexpr std::array names{
    "write",      "bad_write", "through_write", "flush",     "barrier",    "flush_all",  "end_done", "end_busy",
    "end_failed", "end_reset", "time_out",      "late_done", "reset_kept", "reset_lost", "timer",    "mode_through",
    "mode_back",  "suspend",   "power_cycle",   "resume",    "stop",       "hold",       "release",  "stale"};

struct event {
    kind what;
    unsigned a = 0;
    unsigned b = 0;
};

[[nodiscard]] inline std::string text(event const& e) {
    return std::string{names[static_cast<std::size_t>(e.what)]} + "(" + std::to_string(e.a) + "," +
           std::to_string(e.b) + ")";
}

/// A device, its cache, its callers and a coalescer between them. The device is as bad as the standard allows: a flush
/// covers what was acknowledged before it was handed over and not one write more, and what fails is gone.
template <class Coalescer, unsigned Domains, unsigned Streams, std::size_t Events, bool CoversAll = false>
class world {
public:
    static constexpr unsigned domains = Domains;
    static constexpr unsigned streams = Streams;
    static constexpr std::uint64_t longest_flush = 20'000'000;
    static constexpr bool early = Coalescer::level::answers_early;

    template <class... Arguments>
    explicit world(Arguments... arguments) : coalescer_{arguments...} {
        for (unsigned s = 0; s < Streams; ++s) {
            (void)coalescer_.open(db::tag{s});
        }
    }

    /// Whether this can happen now.
    [[nodiscard]] bool enabled(event const& e) const {
        switch (e.what) {
        case kind::write:
        case kind::bad_write:
        case kind::through_write:
            return power_ != state::stopped and power_ != state::suspended;
        case kind::flush:
        case kind::barrier:
        case kind::flush_all:
            return power_ == state::running and waiting_ != (1U << riders) - 1;
        case kind::end_done:
        case kind::end_busy:
        case kind::end_failed:
        case kind::end_reset:
        case kind::time_out:
            return e.a < slots and flights_[e.a].there and not flights_[e.a].overdue;
        case kind::late_done:
            return e.a < slots and flights_[e.a].there and flights_[e.a].overdue;
        case kind::timer:
            return timed_ and when_ <= latest();
        case kind::mode_through:
            return power_ == state::running and not through_[e.a];
        case kind::mode_back:
            return power_ == state::running and through_[e.a];
        case kind::suspend:
            return power_ == state::running;
        case kind::power_cycle:
            return power_ == state::suspended and not cycled_;
        case kind::resume:
            return power_ == state::suspended;
        case kind::stop:
            return power_ != state::stopping and power_ != state::stopped;
        case kind::hold:
            return power_ == state::running and not held_;
        case kind::release:
            return held_;
        case kind::stale:
            return e.a < slots and old_[e.a].generation != 0;
        case kind::reset_kept:
        case kind::reset_lost:
            return power_ != state::suspended and power_ != state::stopped;
        }
        return false;
    }

    /// It happens, and after it the power could fail.
    void apply(event const& e) {
        world_clock::current = now_;
        happen(e);
        cut();
    }

    /// Time passes, at most until somebody has to act: a timer, or the device.
    void pass(std::uint64_t ns) {
        std::uint64_t const until = now_ + ns;
        now_ = until < latest() ? until : latest();
        now_ = timed_ and when_ < now_ ? when_ : now_;
        cut();
    }

    /// A timer is due, or a flush has taken its longest.
    [[nodiscard]] bool timer_due() const { return timed_ and when_ <= now_; }

    [[nodiscard]] bool flight_due(unsigned slot) const {
        return slot < slots and flights_[slot].there and flights_[slot].begun + longest_flush <= now_;
    }

    [[nodiscard]] bool late(unsigned slot) const { return slot < slots and flights_[slot].overdue; }

    /// The device answers everything, timers run: whoever asked must have an answer in the end.
    void drain() {
        if (held_) {
            apply({kind::release});
        }
        for (unsigned round = 0; round < 200 and waiting_ != 0; ++round) {
            for (unsigned s = 0; s < slots; ++s) {
                for (kind const end : {kind::late_done, kind::end_done}) {
                    if (enabled({end, s})) {
                        apply({end, s});
                    }
                }
            }
            if (enabled({kind::timer})) {
                apply({kind::timer});
            }
        }
        if (waiting_ != 0) {
            fault("a request is never answered");
        }
    }

    [[nodiscard]] bool content() const { return fault_.empty() and oracle_.content(); }

    [[nodiscard]] std::string text() const { return fault_.empty() ? oracle_.text() : std::string{fault_}; }

    /// The stamp that a block holds when only the medium is left.
    [[nodiscard]] std::uint64_t after_a_cut(unsigned domain, std::uint64_t block) const {
        return disks_[domain].durable(block);
    }

    [[nodiscard]] std::uint64_t cuts() const noexcept { return cuts_; }

    [[nodiscard]] std::uint64_t device_flushes() const noexcept { return device_flushes_; }

    [[nodiscard]] std::uint64_t answers() const noexcept { return answers_; }

    /// The power really fails: what comes back is what `after_a_cut` said.
    [[nodiscard]] bool cut_for_good() {
        bool same = true;
        for (unsigned d = 0; d < Domains; ++d) {
            std::array<std::uint64_t, blocks> said{};
            for (unsigned b = 0; b < blocks; ++b) {
                said[b] = after_a_cut(d, b);
            }
            (void)disks_[d].cut();
            for (unsigned b = 0; b < blocks; ++b) {
                same = same and disks_[d].read(b) == said[b];
            }
        }
        return same;
    }

private:
    static constexpr unsigned riders = 6;
    static constexpr unsigned blocks = 2;
    static constexpr unsigned slots = CoversAll ? 1 : Domains;
    using work = typename Coalescer::work;

    enum class state : std::uint8_t { running, suspending, suspended, stopping, stopped };

    struct flight {
        bool there = false;
        bool overdue = false;
        db::ticket ticket{};
        std::uint64_t begun = 0;
        std::array<std::uint64_t, Domains> tokens{};
    };

    /// What the blocks would hold if nobody cut the power: what is in the cache counts too.
    struct survivors {
        world const& of;

        [[nodiscard]] std::uint64_t after_a_cut(unsigned domain, std::uint64_t block) const {
            std::uint64_t newest = of.disks_[domain].durable(block);
            for (auto const& w : of.disks_[domain].at_risk()) {
                newest = w.block == block and w.stamp > newest ? w.stamp : newest;
            }
            return newest;
        }
    };

    void happen(event const& e) {
        switch (e.what) {
        case kind::write:
        case kind::through_write: {
            bool const through = e.what == kind::through_write;
            std::uint64_t const stamp = ++stamps_[e.a];
            disks_[e.a].write(stamp % blocks, stamp, through or through_[e.a]);
            oracle_.write_reported(e.a, stamp % blocks, stamp);
            (void)coalescer_.write_completed(
                db::tag{e.a}, db::outcome::success, through ? db::write_kind::through : db::write_kind::cached);
            return;
        }
        case kind::bad_write:
            oracle_.write_failed(e.a, true);
            (void)coalescer_.write_completed(db::tag{e.a}, db::outcome::aborted);
            return;
        case kind::flush:
        case kind::barrier:
            ask(e.a, 1U << e.b, e.what == kind::barrier);
            return;
        case kind::flush_all:
            ask(e.a, (1U << Domains) - 1, false);
            return;
        case kind::end_done:
            each_of(e.a, [&](unsigned d) { disks_[d].flush_end(flights_[e.a].tokens[d]); });
            end(e.a, db::flush_end::done);
            return;
        case kind::end_busy:
            end(e.a, db::flush_end::not_executed);
            return;
        case kind::end_failed:
            drop(e.a);
            end(e.a, db::flush_end::failed);
            return;
        case kind::end_reset:
            each_of(e.a, [&](unsigned d) { lose(d); });
            end(e.a, db::flush_end::reset);
            return;
        case kind::time_out:
            drop(e.a);
            flights_[e.a].overdue = true;
            flights_[e.a].begun = now_;
            take(coalescer_.flush_timed_out(flights_[e.a].ticket));
            return;
        case kind::late_done:
            end(e.a, db::flush_end::done);
            return;
        case kind::reset_kept:
        case kind::reset_lost:
            reset(e.what == kind::reset_lost);
            return;
        case kind::timer:
            now_ = world_clock::current = when_ > now_ ? when_ : now_;
            timed_ = false;
            take(coalescer_.on_timer());
            return;
        case kind::mode_through:
        case kind::mode_back:
            (void)coalescer_.set_cache_mode(db::tag{e.a}, db::cache_mode::unknown);
            through_[e.a] = e.what == kind::mode_through;
            (void)coalescer_.set_cache_mode(
                db::tag{e.a}, through_[e.a] ? db::cache_mode::write_through : db::cache_mode::write_back);
            return;
        case kind::suspend:
            power_ = state::suspending;
            cycled_ = false;
            take(coalescer_.suspend());
            return;
        case kind::power_cycle:
            cycled_ = true;
            reset(true);
            return;
        case kind::resume:
            power_ = state::running;
            take(coalescer_.resume());
            return;
        case kind::stop:
            power_ = state::stopping;
            take(coalescer_.stop());
            return;
        case kind::hold:
            held_ = true;
            coalescer_.hold();
            return;
        case kind::release:
            held_ = false;
            take(coalescer_.release());
            return;
        case kind::stale: {
            work const w = coalescer_.flush_ended(old_[e.a], db::flush_end::done);
            if (w.status != db::flush_status::not_in_flight or not w.done.empty()) {
                fault("the answer to an older flush counts");
            }
            return;
        }
        }
    }

    void ask(unsigned stream, domain_set where, bool urgent) {
        unsigned rider = 0;
        while ((waiting_ >> rider & 1U) != 0) {
            ++rider;
        }
        std::size_t const number = oracle_.asked(stream, where);
        typename Coalescer::domains const set{where};
        work const w = urgent ? coalescer_.barrier(db::tag{rider}, db::tag{stream}, set)
                              : coalescer_.flush(db::tag{rider}, db::tag{stream}, set);
        switch (w.status) {
        case db::flush_status::done:
        case db::flush_status::failed:
            ++answers_;
            oracle_.answered(number, w.status == db::flush_status::done, now_, *this);
            break;
        case db::flush_status::waiting:
            waiting_ |= 1U << rider;
            numbers_[rider] = number;
            break;
        default:
            fault("a request is refused");
        }
        take(w);
    }

    /// What a caller does with the work of any event.
    void take(work const& w) {
        for (db::tag const each : w.issue) {
            flight& f = flights_[each.index];
            if (f.there) {
                fault("two device flushes at a time");
            }
            if (held_) {
                fault("a flush is handed over to a device that is being recovered");
            }
            f = {.there = true, .ticket = w.ticket_for(each), .begun = now_};
            ++device_flushes_;
            each_of(each.index, [&](unsigned d) { f.tokens[d] = disks_[d].flush_begin(); });
        }
        for (auto const& [set, ok] : {std::pair{w.done, true}, std::pair{w.failed, false}}) {
            for (db::tag const each : set) {
                if ((waiting_ >> each.index & 1U) == 0) {
                    fault("a request is answered that does not wait");
                    return;
                }
                waiting_ &= ~(1U << each.index);
                ++answers_;
                oracle_.answered(numbers_[each.index], ok, now_, *this);
            }
        }
        timed_ = w.timed;
        when_ = w.when.value();
        if (w.quiesced) {
            power_ = power_ == state::suspending ? state::suspended : state::stopped;
            if (not w.lossy) {
                oracle_.may_switch_off(*this);
            }
        }
    }

    void end(unsigned slot, db::flush_end how) {
        flight const f = flights_[slot];
        flights_[slot] = {};
        old_[slot] = f.ticket;
        work const w = coalescer_.flush_ended(f.ticket, how);
        if (w.status != db::flush_status::accepted) {
            fault("the end of a flush in flight is refused");
        }
        if (how == db::flush_end::not_executed and not held_ and not w.issue.contains(db::tag{slot})) {
            each_of(slot, [&](unsigned d) { oracle_.device_failed(d, *this); }); // given up: it stays in the cache
        }
        take(w);
    }

    void drop(unsigned slot) {
        each_of(slot, [&](unsigned d) {
            disks_[d].flush_dropped(flights_[slot].tokens[d]);
            oracle_.device_failed(d, survivors{*this});
        });
    }

    void lose(unsigned d) {
        (void)disks_[d].cut();
        oracle_.device_failed(d, survivors{*this});
    }

    void reset(bool lost) {
        for (unsigned s = 0; s < slots; ++s) {
            if (flights_[s].there and not flights_[s].overdue) {
                drop(s);
            }
            old_[s] = flights_[s].there ? flights_[s].ticket : old_[s];
            flights_[s] = {};
        }
        for (unsigned d = 0; d < Domains; ++d) {
            through_[d] = false;
            if (lost) {
                lose(d);
            }
        }
        take(coalescer_.device_reset(lost ? db::cache_fate::lost : db::cache_fate::kept));
    }

    template <class Visit>
    void each_of(unsigned slot, Visit visit) {
        for (unsigned d = 0; d < Domains; ++d) {
            if (CoversAll or d == slot) {
                visit(d);
            }
        }
    }

    /// Until then nobody has to act.
    [[nodiscard]] std::uint64_t latest() const {
        std::uint64_t all = ~std::uint64_t{0};
        for (flight const& f : flights_) {
            all = f.there and f.begun + longest_flush < all ? f.begun + longest_flush : all;
        }
        return all;
    }

    void cut() {
        ++cuts_;
        oracle_.cut_here(now_, *this);
    }

    void fault(std::string_view what) { fault_ = fault_.empty() ? what : fault_; }

    Coalescer coalescer_;
    std::array<db::testing::storage_device, Domains> disks_ = make_disks();
    oracle<Events> oracle_{Coalescer::loss_window(2 * longest_flush)};
    std::array<flight, slots> flights_{};
    std::array<db::ticket, slots> old_{};
    std::array<std::uint64_t, Domains> stamps_{};
    std::array<bool, Domains> through_{};
    std::array<std::size_t, riders> numbers_{};
    std::uint32_t waiting_ = 0;
    std::uint64_t now_ = 1'000;
    std::uint64_t when_ = 0;
    std::uint64_t cuts_ = 0;
    std::uint64_t device_flushes_ = 0;
    std::uint64_t answers_ = 0;
    std::string_view fault_{};
    state power_ = state::running;
    bool timed_ = false;
    bool cycled_ = false;
    bool held_ = false;

    [[nodiscard]] static std::array<db::testing::storage_device, Domains> make_disks() {
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return std::array{((void)I, db::testing::storage_device{blocks})...};
        }(std::make_index_sequence<Domains>{});
    }
};

} // namespace power_cut
