// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "domain.hpp"
#include "results.hpp"
#include "rider_book.hpp"
#include "setup.hpp"
#include "slot.hpp"

#include <cstdint>

namespace doorbell::detail {

/// Device flushes of a coalescer: when one is handed over, what it covers, who is answered when it ends. The events of
/// states.hpp are made of these. Word operations and loops over riders, domains and slots. Lock: the coalescer's.
template <class Setup>
class flush_flights {
public:
    using clock = typename Setup::clock;
    using rep = typename Setup::rep;
    using riders = tag_set<Setup::riders>;
    using streams = tag_set<Setup::streams>;
    using domains = tag_set<Setup::domains>;
    using slots = tag_set<Setup::slots>;
    using work = flush_work<riders, domains, rep>;
    using domain_type = durability_domain<Setup::streams, Setup::count>;

    [[nodiscard]] constexpr domain_type& domain(tag which) noexcept { return domains_[which.index]; }

    [[nodiscard]] constexpr domain_type const& domain(tag which) const noexcept { return domains_[which.index]; }

protected:
    using slot_type = flush_slot<Setup::riders, Setup::streams, rep>;

    enum class life : std::uint32_t { running, suspending, suspended, stopping, stopped };

    [[nodiscard]] constexpr slot_type& slot(tag which) noexcept { return slots_[which.index]; }

    [[nodiscard]] constexpr bool resting() const noexcept {
        return life_ == life::suspending or life_ == life::stopping;
    }

    /// The device flush that domains are flushed by, and the domains that a device flush covers. [F6]
    [[nodiscard]] static constexpr slots slots_of(domains where) noexcept {
        if constexpr (Setup::covers_all) {
            return where.empty() ? slots{} : slots::all();
        } else {
            return where;
        }
    }

    [[nodiscard]] static constexpr domains domains_of(tag slot) noexcept {
        return Setup::covers_all ? domains::all() : domains{slot};
    }

    [[nodiscard]] constexpr bool covered(domains where) const noexcept {
        bool all = true;
        for (tag const each : where) {
            all = all and domain(each).covered();
        }
        return all;
    }

    [[nodiscard]] constexpr bool clean(domains where) const noexcept {
        bool all = true;
        for (tag const each : where) {
            all = all and domain(each).clean();
        }
        return all;
    }

    constexpr void tell(tag stream, domains where) noexcept {
        for (tag const each : where) {
            domain(each).told(stream);
        }
    }

    /// Hands a device flush over, if one is wanted and the place is free. [F2]
    constexpr void proceed(clock const& time, tag which, rep now, work& w) noexcept {
        slot_type& s = slot(which);
        if (s.taken or held_ or life_ == life::suspended or life_ == life::stopped) {
            return;
        }
        if (resting()) {
            if (s.waiting.empty() and (s.tried or clean(domains_of(which)))) {
                return;
            }
        } else if (s.waiting.empty()) {
            if (not Setup::level::answers_early or not s.timed or not s.due.expired(now)) {
                return;
            }
        } else if (Setup::level::waits_for_company and not s.urgent and waits(time, which, now)) {
            return;
        }
        s.freeze(Setup::level::one_each);
        s.taken = s.tried = true;
        if constexpr (Setup::level::waits_for_company) {
            graces_[which.index].issued(now);
        }
        hand_over(which, w);
    }

    constexpr void proceed_all(clock const& time, rep now, work& w) noexcept {
        for (tag const each : slots::all()) {
            proceed(time, each, now, w);
        }
    }

    /// The group waits for company. Its time is fixed when its oldest waiter has nothing else to wait for. [F5]
    [[nodiscard]] constexpr bool waits(clock const& time, tag which, rep now) noexcept {
        slot_type& s = slot(which);
        auto& grace = graces_[which.index];
        flush_company<Setup::streams> const who{s.streams, s.streams | s.before[0] | s.before[1], s.waiting.size()};
        if (not s.timed) {
            s.timed = true;
            s.due = deadline<rep>::after(now, grace.wait(time, who, now));
        }
        return not s.due.expired(now) and not grace.enough(who);
    }

    /// What a flush covers is taken down first, for every domain that it covers. [F1] [F6]
    constexpr void hand_over(tag which, work& w) noexcept {
        for (tag const each : domains_of(which)) {
            domain(each).sample();
        }
        if (w.issue.empty()) {
            w.generation = ++flushes_;
        }
        slot(which).generation = w.generation;
        w.issue.insert(which);
    }

    /// Nothing is known of what a failed flush was to cover. [F3]
    constexpr bool doubted(tag which) noexcept {
        bool raised = false;
        for (tag const each : domains_of(which)) {
            if (domain(each).doubt_sampled()) {
                domain(each).raise(flush_error::flush_failed, open_, Setup::errors::poisons);
                raised = true;
            }
        }
        return raised;
    }

    constexpr bool lost(domains where) noexcept {
        bool raised = false;
        for (tag const each : where) {
            if (domain(each).doubt_written()) {
                domain(each).raise(flush_error::writes_lost, open_, Setup::errors::poisons);
                raised = true;
            }
        }
        return raised;
    }

    /// The flush in flight is over, as far as the grace is concerned.
    constexpr void end([[maybe_unused]] tag which, [[maybe_unused]] rep now) noexcept {
        if constexpr (Setup::level::waits_for_company) {
            streams answered{};
            for (tag const each : slot(which).riding | slot(which).sharing) {
                answered.insert(book_.stream(each));
            }
            graces_[which.index].ended(answered, now);
        }
    }

    /// Riders of one slot have their answer from it; those that wait for no other are released, and told. [F3]
    constexpr void answer(tag which, riders some, work& w) noexcept {
        riders const all = book_.released(which, some);
        riders const bad = book_.take_spoiled(all);
        for (tag const each : bad) {
            tell(book_.stream(each), book_.where(each));
        }
        w.failed |= bad;
        w.done |= all - bad;
    }

    /// The riders of a flush fail, all of them. An error that was raised also reaches those who wait for the next one:
    /// what they are to cover contains what is in doubt. [F3]
    constexpr void fail(tag which, riders some, bool raised, work& w) noexcept {
        slot_type& s = slot(which);
        if (raised and Setup::errors::poisons) {
            some |= s.take_waiting();
            s.timed = s.timed and not Setup::level::waits_for_company;
        } else if (raised) {
            book_.spoil(s.waiting);
        }
        book_.spoil(some);
        answer(which, some, w);
    }

    /// The device may be switched off; whether something is lost with it, or was before.
    constexpr void come_to_rest(life now, work& w) noexcept {
        life_ = now;
        w.quiesced = true;
        for (domain_type const& each : domains_) {
            w.lossy = w.lossy or each.owes() or not each.clean();
        }
    }

    [[nodiscard]] constexpr work finished(work w) noexcept {
        if (resting()) {
            bool idle = not held_;
            for (slot_type const& s : slots_) {
                idle = idle and not s.taken and s.waiting.empty();
            }
            if (idle) {
                come_to_rest(life_ == life::stopping ? life::stopped : life::suspended, w);
            }
        }
        if (Setup::needs_time and life_ == life::running and not held_) { // else a timer could hand nothing over
            for (slot_type const& s : slots_) {
                if (s.timed and not s.taken and (not w.timed or s.due.remaining(w.when.value()) == 0)) {
                    w.timed = true;
                    w.when = s.due;
                }
            }
        }
        return w;
    }

    domain_type domains_[Setup::domains]{};
    slot_type slots_[Setup::slots]{};
    typename Setup::grace graces_[Setup::slots]{};
    rider_book<Setup::riders, Setup::streams, Setup::domains, Setup::slots> book_{};
    streams open_{};
    std::uint32_t flushes_ = 0;
    life life_ = life::running;
    bool held_ = false; ///< the device is being recovered: nothing is handed over
};

} // namespace doorbell::detail
