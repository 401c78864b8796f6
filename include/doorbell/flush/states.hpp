// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "flights.hpp"
#include "ticks.hpp"

#include <cstdint>

namespace doorbell::detail {

/// What a coalescer decides, without its lock: each member is one event and runs as one section. Lock: the coalescer's.
template <class Setup>
class flush_states : private flush_flights<Setup> {
    using flights = flush_flights<Setup>;
    using flights::answer;
    using flights::book_;
    using flights::clean;
    using flights::come_to_rest;
    using flights::covered;
    using flights::domains_;
    using flights::domains_of;
    using flights::doubted;
    using flights::end;
    using flights::fail;
    using flights::finished;
    using flights::graces_;
    using flights::hand_over;
    using flights::held_;
    using flights::life_;
    using flights::lost;
    using flights::open_;
    using flights::proceed;
    using flights::proceed_all;
    using flights::slot;
    using flights::slots_;
    using flights::slots_of;
    using flights::tell;
    using typename flights::domain_type;
    using typename flights::life;
    using typename flights::slot_type;
    using typename flights::slots;

public:
    using typename flights::clock;
    using typename flights::domains;
    using typename flights::rep;
    using typename flights::riders;
    using typename flights::streams;
    using typename flights::work;

    using flights::domain;

    constexpr flush_status open(tag stream) noexcept {
        if (stream.index >= Setup::streams) {
            return flush_status::no_stream;
        }
        if (open_.contains(stream)) {
            return flush_status::already;
        }
        open_.insert(stream);
        for (domain_type& each : domains_) {
            each.opened(stream);
        }
        return flush_status::accepted;
    }

    constexpr flush_status close(tag stream) noexcept {
        if (not is_open(stream)) {
            return flush_status::no_stream;
        }
        if (book_.uses(stream)) {
            return flush_status::busy;
        }
        open_.erase(stream);
        for (domain_type& each : domains_) {
            each.closed(stream);
        }
        return flush_status::accepted;
    }

    /// A write failed: counted like one that did not, since part of it may be in the cache. [F7] [F8]
    constexpr write_generation write_failed(tag which) noexcept {
        write_generation const place = domain(which).advance();
        if constexpr (Setup::failed_write::fails_flush) {
            domain(which).raise(flush_error::write_failed, open_, Setup::errors::poisons);
        }
        return place;
    }

    constexpr work request(clock const& time, tag rider, tag stream, domains where, bool urgent, rep now) noexcept {
        work w{.status = refusal(rider, stream, where)};
        if (w.status != flush_status::accepted) {
            return finished(w);
        }
        bool owed = false;
        bool poisoned = false;
        domains dirty{};
        for (tag const each : where) {
            owed = owed or domain(each).owes(stream);
            poisoned = poisoned or domain(each).poisoned();
            if (needs_flush(domain(each))) {
                dirty.insert(each);
            }
        }
        bool const early = Setup::level::answers_early and not urgent;
        if (poisoned or dirty.empty() or early) {
            if (owed) {
                tell(stream, where);
            }
            w.status = owed ? flush_status::failed : flush_status::done;
            if (early and not poisoned) {
                promise(time, dirty, now, w);
            }
            return finished(w);
        }
        book_.seat(rider, stream, where, slots_of(dirty));
        if (owed) {
            book_.spoil(riders{rider});
        }
        for (tag const each : slots_of(dirty)) {
            enter(time, each, rider, stream, dirty, urgent, now, w);
        }
        w.status = flush_status::waiting;
        return finished(w);
    }

    /// The device has answered. Whoever was to be answered by this flush is: nobody else, and all alike. [F2] [F3]
    constexpr work ended(clock const& time, ticket const& which, flush_end how, rep now) noexcept {
        if (not in_flight(which)) {
            return finished({.status = flush_status::not_in_flight});
        }
        work w{};
        slot_type& s = slot(which.which);
        if (s.overdue) { // too late to count, whatever it says [X2]
            (void)s.vacate();
        } else if (how == flush_end::not_executed and held_) {
            s.streams |= s.before[0];
            s.waiting |= s.vacate();
            again_after_release(s, now);
        } else if (how == flush_end::not_executed and s.repeated < Setup::retries) {
            ++s.repeated;
            s.riding |= s.sharing;
            s.sharing = {};
            hand_over(which.which, w);
            return finished(w);
        } else if (how == flush_end::done) {
            for (tag const each : domains_of(which.which)) {
                domain(each).settle();
            }
            end(which.which, now);
            answer(which.which, s.vacate(), w);
        } else {
            bool const raised = failed(which.which, how);
            end(which.which, now);
            fail(which.which, s.vacate(), raised, w);
            if (how == flush_end::not_executed) {
                promise(time, domains_of(which.which), now, w);
            }
        }
        proceed(time, which.which, now, w);
        return finished(w);
    }

    /// The time of a flush is over: its riders are told now. Its place stays taken until the device gives it back,
    /// since it may still be at work. [X2] [F2]
    constexpr work timed_out(ticket const& which, rep now) noexcept {
        if (not in_flight(which) or slot(which.which).overdue) {
            return finished({.status = flush_status::not_in_flight});
        }
        work w{};
        bool const raised = doubted(which.which);
        end(which.which, now);
        riders const all = slot(which.which).vacate();
        slot(which.which).taken = slot(which.which).overdue = true;
        fail(which.which, all, raised, w);
        return finished(w);
    }

    /// The device was reset. No flush survives it, and what only the cache held is kept or lost. [F8]
    constexpr work reset(clock const& time, domains where, cache_fate fate, rep now) noexcept {
        work w{};
        for (tag const each : slots_of(where)) {
            slot_type& s = slot(each);
            bool raised = s.shareable() and doubted(each);
            if (fate == cache_fate::lost) {
                raised = lost(domains_of(each) & where) or raised;
            }
            for (tag const one : domains_of(each) & where) {
                domain(one).set_mode(cache_mode::unknown);
            }
            end(each, now);
            fail(each, s.vacate(), raised, w);
            proceed(time, each, now, w);
        }
        return finished(w);
    }

    constexpr work timer(clock const& time, rep now) noexcept {
        work w{};
        proceed_all(time, now, w);
        return finished(w);
    }

    /// Comes to rest: whatever may still be in a cache is flushed, once. [F5]
    constexpr work rest(clock const& time, bool for_ever, rep now) noexcept {
        if (life_ == life::stopped or life_ == life::stopping or (not for_ever and life_ != life::running)) {
            return finished({.status = flush_status::already});
        }
        work w{};
        if (life_ == life::suspended) {
            come_to_rest(life::stopped, w); // there is nothing to flush to
            return finished(w);
        }
        for (slot_type& s : slots_) {
            s.tried = s.tried and life_ != life::running;
        }
        life_ = for_ever ? life::stopping : life::suspending;
        proceed_all(time, now, w);
        return finished(w);
    }

    /// Nothing is handed over between the two; who asks meanwhile waits.
    constexpr void hold() noexcept { held_ = true; }

    constexpr work release(clock const& time, rep now) noexcept {
        held_ = false;
        return timer(time, now);
    }

    /// Power is back. What is known of the caches is forgotten. [F7]
    constexpr work resume() noexcept {
        if (life_ != life::suspending and life_ != life::suspended) {
            return finished({.status = life_ == life::running ? flush_status::already : flush_status::stopped});
        }
        life_ = life::running;
        for (domain_type& each : domains_) {
            each.set_mode(cache_mode::unknown);
        }
        return finished({});
    }

private:
    [[nodiscard]] constexpr bool is_open(tag stream) const noexcept {
        return stream.index < Setup::streams and open_.contains(stream);
    }

    [[nodiscard]] constexpr bool in_flight(ticket const& which) noexcept {
        return which.which.index < Setup::slots and slot(which.which).is(which.generation);
    }

    [[nodiscard]] constexpr flush_status refusal(tag rider, tag stream, domains where) const noexcept {
        if (life_ != life::running) {
            bool const stops = life_ == life::stopping or life_ == life::stopped;
            return stops ? flush_status::stopped : flush_status::suspended;
        }
        if (rider.index >= Setup::riders) {
            return flush_status::no_place;
        }
        if (book_.seated(rider)) {
            return flush_status::busy;
        }
        if (where.empty()) {
            return flush_status::no_domain;
        }
        return is_open(stream) ? flush_status::accepted : flush_status::no_stream;
    }

    /// A request may be answered without a device flush only where it is known that nothing can be left. [F7]
    [[nodiscard]] static constexpr bool needs_flush(domain_type const& d) noexcept {
        return not d.clean() or (Setup::level::one_each and not d.writes_through());
    }

    /// A request takes its place before one device flush. [F1]
    constexpr void
    enter(clock const& time, tag which, tag rider, tag stream, domains dirty, bool urgent, rep now, work& w) noexcept {
        slot_type& s = slot(which);
        if constexpr (Setup::level::waits_for_company) {
            graces_[which.index].requested(stream, now);
        }
        if (not Setup::level::one_each and s.shareable() and covered(domains_of(which) & dirty)) {
            s.sharing.insert(rider);
            s.before[0].insert(stream);
            return;
        }
        s.wait(rider, stream);
        s.urgent = s.urgent or urgent;
        proceed(time, which, now, w);
    }

    /// What a flush that failed means for those who had nothing to do with it. A flush that never ran leaves nothing in
    /// doubt: whoever waited for it is told, and the next one may succeed; but what was promised early has nobody who
    /// waits. True: an error was raised. [F3] [F4]
    constexpr bool failed(tag which, flush_end how) noexcept {
        if (how == flush_end::reset) {
            return lost(domains_of(which));
        }
        return (how == flush_end::failed or Setup::level::answers_early) and doubted(which);
    }

    /// A flush that never ran, while nothing may be handed over: release hands it over again, also where nobody waits
    /// since it was promised early, or since it was to bring the device to rest. [F4]
    constexpr void again_after_release(slot_type& s, [[maybe_unused]] rep now) noexcept {
        s.tried = false;
        if constexpr (Setup::level::answers_early) {
            s.timed = true;
            s.due = deadline<rep>::after(now, 0);
        }
    }

    /// Requests were answered early: the device flush follows within the period, which begins with the first. [F4] [F5]
    constexpr void promise(clock const& time, domains dirty, rep now, work& w) noexcept {
        if constexpr (Setup::level::answers_early) {
            for (tag const each : slots_of(dirty)) {
                slot_type& s = slot(each);
                if (s.shareable() and covered(domains_of(each) & dirty)) {
                    continue;
                }
                if (not s.timed) {
                    s.timed = true;
                    s.due = deadline<rep>::after(now, ticks_of(time, Setup::level::period_ns));
                }
                proceed(time, each, now, w);
            }
        }
    }
};

} // namespace doorbell::detail
