// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"
#include "schedule.hpp" // NOLINT(misc-header-include-cycle): its other half, whichever is included first

#include <string>

// The part of `schedule` that switches between contexts.

namespace doorbell::testing::explore {

inline detail::context& schedule::add(std::string name, unsigned where, bool service, std::function<void()> body) {
    check(contexts_.size() < most_contexts, "doorbell: a scenario has at most 16 contexts");
    auto& added = contexts_.emplace_back(std::move(name), where, service, std::move(body));
    for (detail::core_state& each : cores_) {
        if (each.number == where) {
            each.shared = true;
            return added;
        }
    }
    cores_.push_back({.number = where, .what = names_.add("core " + std::to_string(where))});
    return added;
}

inline detail::core_state& schedule::core_of(detail::context const& who) {
    for (detail::core_state& each : cores_) {
        if (each.number == who.core) {
            return each;
        }
    }
    return cores_.front();
}

inline object schedule::add_handler(std::string name, unsigned where, line raised, std::function<void()> body) {
    object const entry = names_.add(name);
    line const& wire = lines_.emplace_back(std::move(raised));
    detail::context& handler = add(std::move(name), where, true, {});
    handler.is_handler = true;
    handler.body = [this, entry, &wire, &handler, inner = std::move(body)] {
        for (;;) {
            detail::core_state& place = core_of(handler);
            operation enter{.verb = "enter", .what = entry, .touches = wire.touches};
            enter.touches.add(entry, mode::write);
            enter.when = {[](void const* self) { return static_cast<line const*>(self)->high(); }, &wire};
            at(enter);
            handler.in_handler = true;
            place.handler = &handler;
            inner();
            operation leave{.verb = "leave", .what = entry, .touches{entry, mode::write}};
            if (place.shared) {
                leave.touches.add(place.what, mode::release);
            }
            at(leave);
            place.handler = nullptr;
            handler.in_handler = false;
        }
    };
    return entry;
}

inline void schedule::at(operation what) {
    if (not inside_) {
        if (not what.when.holds()) {
            fail("doorbell: outside of every context nobody ends this wait: ", what.verb);
        }
        return;
    }
    detail::core_state const& place = core_of(*active_);
    if (place.shared) {
        bool const entering = active_->is_handler and not active_->in_handler;
        what.touches.add(place.what, entering ? mode::write : mode::read);
    }
    active_->next = what;
    inside_ = false;
    active_->flow->suspend();
    inside_ = true;
}

inline void schedule::fail(std::string_view what, std::string_view more) {
    stop_early(std::string{what}.append(more));
    abandon();
}

// What the frames of an abandoned context own is never given back: the caller's must own nothing.
inline void schedule::abandon() {
    while (inside_) {
        inside_ = false;
        active_->flow->suspend();
    }
}

inline void schedule::mask() {
    detail::core_state& place = core_of(*active_);
    if (active_->masked == 0 and place.shared) {
        at({.verb = "mask", .what = place.what, .touches{place.what, mode::write}});
        place.masker = active_;
    }
    ++active_->masked;
}

inline footprint schedule::unmasking() const noexcept {
    footprint touches{};
    for (detail::core_state const& each : cores_) {
        if (each.number == active_->core and each.shared and active_->masked == 1) {
            touches.add(each.what, mode::release);
        }
    }
    return touches;
}

inline void schedule::unmask() {
    if (active_->masked == 0) {
        fail(active_->name, " unmasks interrupts that it had not masked");
    }
    if (--active_->masked == 0) {
        core_of(*active_).masker = nullptr;
    }
}

inline void schedule::memory(void const* address, mode how, bool atomic) {
    schedule* const one = here();
    if (one == nullptr) {
        return;
    }
    auto const word = one->names_.at(address);
    if (not word or not one->written_.matters(word->what.number, how == mode::write)) {
        return;
    }
    bool const writes = how == mode::write;
    if (word->rule == access_rule::behind_lock) {
        bool const guarded = one->active_->locks != 0 or atomic;
        if (void const* const who = one->users_[word->what.number].add(one->active_, guarded)) {
            one->stop_early(
                static_cast<detail::context const*>(who)->name + " uses " + one->names_.of(word->what) +
                " without a lock, and so do others");
            one->abandon();
        }
    }
    one->at({.verb = writes ? "write" : "read", .what = word->what, .touches{word->what, how}});
}

inline void schedule::resume(detail::context& who) {
    active_ = &who;
    inside_ = true;
    who.flow->resume();
    inside_ = false;
    active_ = nullptr;
    if (who.finished() and not failure_ and (who.locks != 0 or who.masked != 0)) {
        stop_early(who.name + (who.locks != 0 ? " ends and holds a lock" : " ends with interrupts masked"));
    }
}

inline detail::state_view schedule::look() {
    detail::state_view now{};
    now.contexts = static_cast<unsigned>(contexts_.size());
    for (unsigned i = 0; i < now.contexts; ++i) {
        now.next[i] = &contexts_[i].next;
        now.enabled |= may_run(contexts_[i]) ? detail::only(i) : 0U;
    }
    return now;
}

inline void schedule::make_step(detail::state_view const& now, unsigned who) {
    detail::context& next = contexts_[who];
    if (not decisions_.step(next.next)) {
        stop_early(not_repeated);
        return;
    }
    next.longest = next.held > next.longest ? next.held : next.longest;
    next.held = 0;
    for (unsigned i = 0; i < now.contexts; ++i) {
        contexts_[i].held += (now.enabled & detail::only(i)) == 0 ? next.next.takes : 0;
    }
    ++next.steps;
    ++steps_;
    time_ += next.next.takes;
    if (recording_) {
        operation const& what = next.next;
        bool preempts = false;
        for (unsigned i = 0; i < now.contexts; ++i) {
            preempts = preempts or (&contexts_[i] == last_ and i != who and (now.enabled & detail::only(i)) != 0);
        }
        script_.add(
            {next.name, what.verb, what.what == nothing ? "" : names_.of(what.what), what.value, what.has_value,
             preempts});
    }
    last_ = &next;
    resume(next);
}

inline void schedule::finish(detail::state_view const& now) {
    detail::context_set waiting = 0;
    std::string stuck;
    for (unsigned i = 0; i < now.contexts; ++i) {
        detail::context const& each = contexts_[i];
        if (each.finished()) {
            continue;
        }
        waiting |= detail::only(i);
        if (not each.service or each.in_handler or each.masked != 0 or each.locks != 0) {
            stuck += (stuck.empty() ? "" : ", ") + each.name + " waits to " + each.next.verb + " " +
                     (each.next.what == nothing ? "" : names_.of(each.next.what));
        }
    }
    decisions_.end(now, waiting);
    if (not stuck.empty()) {
        stop_early("deadlock: " + stuck);
    }
}

inline bool schedule::go() {
    went_ = true;
    for (detail::context& each : contexts_) {
        each.flow = std::make_unique<detail::fiber>(
            stacks_,
            [](void* self) {
                auto& one = *running_;
                try {
                    static_cast<detail::context*>(self)->body();
                } catch (std::exception const& e) {
                    one.stop_early(one.active_->name + " throws: " + e.what());
                }
            },
            &each);
    }
    for (detail::context& each : contexts_) {
        resume(each); // up to its first switch point
    }
    while (not ended_early_) {
        detail::state_view const now = look();
        if (now.enabled == 0) {
            finish(now);
            break;
        }
        if (steps_ == how_.steps) {
            stop_early("livelock: no end after " + std::to_string(how_.steps) + " steps");
            break;
        }
        switch (decisions_.choose(now)) {
        case detail::search::answer::run:
            make_step(now, decisions_.who());
            break;
        case detail::search::answer::covered:
            covered_ = true;
            stop_early("");
            break;
        case detail::search::answer::different:
            stop_early(not_repeated);
            break;
        case detail::search::answer::impossible:
            stop_early("doorbell: the script names a context that cannot run there: it belongs to another scenario");
            break;
        }
    }
    return not ended_early_;
}

} // namespace doorbell::testing::explore
