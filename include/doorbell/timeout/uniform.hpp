// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"
#include "lazy_timer.hpp"

#include <cstddef>
#include <cstdint>

namespace doorbell {

/// A submission has nothing to say about its deadline: all have the same.
struct same_for_all {};

/// Deadlines of requests that may all take the same time: a queue in the order of their deadlines, of which only the
/// head is looked at.
///
/// A submission stores when it began, one store. A completion does nothing: the place of its tag stays in the queue
/// until the timer comes by, and a tag that is submitted again meanwhile keeps its place, with a later beginning
/// stored. The timer drops the places of tags that are gone and moves those that began anew to where their time is. So
/// a tag enters the queue at most once per period of the timer, off the hot path, and the queue never holds more than
/// one place per tag. [X1] Lock: that of the source, for every member. A step looks at no more than `stride` places.
/// [T4]
template <std::size_t Slots, counter_rep Rep, Rep Ticks, Rep Tolerance>
class uniform_deadlines {
public:
    using tags = tag_set<Slots>;
    using rep = Rep;
    using limit_type = same_for_all;

    static constexpr unsigned stride = 8;

    /// How much of the queue this walk has still to look at: what is there when it begins.
    struct walk {
        unsigned left = 0;
    };

    /// What more time means here: all that everybody has.
    [[nodiscard]] static constexpr same_for_all longer(Rep) noexcept { return {}; }

    /// Tags that have no place, so that the timer would not come by for them: they take the rare way. Cost: one load,
    /// since the caller has a word to join it to. [X1]
    template <class = tags>
    [[nodiscard, gnu::always_inline]] constexpr tags shut() const noexcept {
        return absent_;
    }

    /// Nothing else keeps a submission from the short way.
    [[nodiscard, gnu::always_inline]] static constexpr bool ready(tags, same_for_all = {}) noexcept { return true; }

    /// The request begins. Cost: one load and one store. [X1]
    [[gnu::always_inline]] constexpr void note(tag which, same_for_all = {}) noexcept { began_[which.index] = now_; }

    [[gnu::always_inline]] constexpr void note(tags set, same_for_all = {}) noexcept {
        for (tag const each : set) {
            began_[each.index] = now_;
        }
    }

    /// Gives tags their places, the beginning noted; true when the timer has to be armed.
    [[nodiscard]] constexpr bool link(tags set, same_for_all = {}) noexcept {
        note(set);
        for (tag const each : set& absent_) {
            enter(each);
        }
        return timer_.want(ending(now_));
    }

    /// What the time is. A value, not a sum of periods: a late tick loses nothing.
    constexpr void tick(Rep now) noexcept { now_ = now; }

    /// The timer came by.
    [[nodiscard]] constexpr walk begin(tags) noexcept {
        timer_.fired();
        return {count_};
    }

    /// Looks at the head until it is one whose time is not over. `live` are the tags that may be judged now: bit and
    /// deadline are looked at in the section that judges. [X4]
    [[nodiscard]] constexpr walk_step<tags> step(tags live, Rep now, walk& w) noexcept {
        walk_step<tags> found{};
        for (unsigned looked = 0; looked < stride; ++looked) {
            if (w.left == 0 or count_ == 0) { // another walk may have been here
                found.done = true;
                return found;
            }
            place const head = queue_[head_];
            tag const which{head.which};
            bool const over = ending(began_[which.index]).expired(now);
            if (live.contains(which) and not over and began_[which.index] == head.began) {
                found.done = true; // it began first of all, so nobody else's time is over
                return found;
            }
            leave();
            --w.left;
            if (not live.contains(which)) {
                continue;
            }
            if (over) {
                found.due.insert(which);
            } else {
                enter(which); // submitted again since
            }
        }
        return found;
    }

    /// The end of a walk: true when somebody is left whom the timer has to come by for.
    [[nodiscard]] constexpr bool rearm(walk const&) noexcept {
        return count_ != 0 and timer_.want(ending(queue_[head_].began));
    }

    /// The same timer for a deadline that is kept elsewhere; true when it has to be armed.
    [[nodiscard]] constexpr bool want(deadline<Rep> other) noexcept { return timer_.want(other); }

    /// The time as it was last told.
    [[nodiscard]] constexpr Rep now() const noexcept { return now_; }

    [[nodiscard]] constexpr deadline<Rep> timer_at() const noexcept { return timer_.at(); }

    [[nodiscard]] constexpr lazy_timer<Rep, Tolerance> const& timer() const noexcept { return timer_; }

    /// When the time of a tag's latest request is over.
    [[nodiscard]] constexpr deadline<Rep> ending_of(tag which) const noexcept { return ending(began_[which.index]); }

private:
    struct place {
        std::uint32_t which = 0;
        Rep began = 0; // as it was when the place was given
    };

    [[nodiscard]] static constexpr deadline<Rep> ending(Rep began) noexcept {
        return deadline<Rep>::after(began, Ticks);
    }

    [[nodiscard]] static constexpr bool earlier(Rep a, Rep b) noexcept {
        return a != b and deadline<Rep>{a}.expired(b);
    }

    [[nodiscard]] constexpr unsigned nth(unsigned n) const noexcept { return (head_ + n) % Slots; }

    // From the tail on, where it belongs but for a clock that stepped back or a tag that began anew.
    constexpr void enter(tag which) noexcept {
        Rep const began = began_[which.index];
        unsigned at = count_++;
        for (; at != 0 and earlier(began, queue_[nth(at - 1)].began); --at) {
            queue_[nth(at)] = queue_[nth(at - 1)];
        }
        queue_[nth(at)] = {which.index, began};
        absent_.erase(which);
    }

    constexpr void leave() noexcept {
        absent_.insert(tag{queue_[head_].which});
        head_ = nth(1);
        --count_;
    }

    Rep now_ = 0;
    tags absent_{tags::all()}; // have no place: the complement would cost the hot path an instruction
    Rep began_[Slots]{};
    place queue_[Slots]{};
    unsigned head_ = 0;
    unsigned count_ = 0;
    lazy_timer<Rep, Tolerance> timer_{};
};

static_assert(deadline_set<uniform_deadlines<32, std::uint32_t, 30'000, 0>>);

} // namespace doorbell
