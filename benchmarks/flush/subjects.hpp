// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doorbell/flush/coalescer.hpp>
#include <doorbell/flush/fixed_grace.hpp>
#include <doorbell/flush/learned_grace.hpp>

#include <cstddef>
#include <cstdint>

/// What is compared: the levels of the library, and what others do, re-expressed.
namespace flush_bench {

namespace db = doorbell;

inline constexpr std::size_t most_writers = 64;
using writers = db::tag_set<most_writers>;

/// The virtual time.
struct virtual_clock {
    using rep = std::uint64_t;
    static constexpr std::uint64_t resolution_ns = 1;

    [[nodiscard]] static rep now() noexcept { return current; }

    [[nodiscard]] static constexpr rep ticks(std::uint64_t ns) noexcept { return ns; }

    static inline rep current = 0;
};

/// What an event leads to.
struct reaction {
    bool issue = false;                     ///< a device flush begins
    writers answered{};                     ///< these have their answer
    std::uint64_t when = ~std::uint64_t{0}; ///< the timer is to come; all ones: none
};

/// A fixed grace whose length is found out by trying.
struct swept_grace {
    static inline std::uint64_t ns = 0;

    template <class Clock, std::size_t Streams>
    struct state {
        using rep = typename Clock::rep;

        void requested(db::tag, rep) noexcept {}

        void issued(rep) noexcept {}

        void ended(db::tag_set<Streams>, rep) noexcept {}

        [[nodiscard]] rep wait(Clock const&, db::flush_company<Streams> const& who, rep) noexcept {
            return who.lone() ? rep{0} : rep{ns};
        }

        [[nodiscard]] bool enough(db::flush_company<Streams> const&) const noexcept { return false; }
    };
};

/// A level of the library. A writer is a stream, and its request a rider of the same number.
template <class Level>
class level_of {
public:
    level_of() {
        for (unsigned i = 0; i < most_writers; ++i) {
            (void)c_.open(db::tag{i});
        }
    }

    [[nodiscard]] reaction ask(unsigned writer) {
        (void)c_.write_completed(db::tag{0});
        auto const w = c_.flush(db::tag{writer}, db::tag{writer}, db::tag{0});
        reaction r = take(w);
        if (w.status == db::flush_status::done) {
            r.answered.insert(db::tag{writer});
        }
        return r;
    }

    [[nodiscard]] reaction ended() { return take(c_.flush_ended(ticket_, db::flush_end::done)); }

    [[nodiscard]] reaction timer() { return take(c_.on_timer()); }

private:
    using coalescer = db::flush_coalescer<
        virtual_clock, db::null_lock, Level, db::flush_riders<most_writers>, db::flush_streams<most_writers>>;

    static constexpr coalescer make() {
        if constexpr (coalescer::level::answers_early) {
            return coalescer{db::i_accept_the_loss_of_acknowledged_writes{}};
        } else {
            return coalescer{};
        }
    }

    [[nodiscard]] reaction take(typename coalescer::work const& w) {
        if (not w.issue.empty()) {
            ticket_ = w.ticket_for(db::tag{0});
        }
        return {not w.issue.empty(), w.done, w.timed ? w.when.value() : ~std::uint64_t{0}};
    }

    coalescer c_ = make();
    db::ticket ticket_{};
};

/// Two places for requests: those of the flush in flight, and those of the next one, which begins as soon as it ends.
class double_buffer {
public:
    [[nodiscard]] reaction ask(unsigned writer) {
        waiting_.insert(db::tag{writer});
        return begin({});
    }

    [[nodiscard]] reaction ended() {
        reaction r{.answered = running_};
        running_ = {};
        return begin(r);
    }

    [[nodiscard]] reaction timer() { return {}; }

private:
    [[nodiscard]] reaction begin(reaction r) {
        if (running_.empty() and not waiting_.empty()) {
            running_ = waiting_;
            waiting_ = {};
            r.issue = true;
        }
        return r;
    }

    writers running_{};
    writers waiting_{};
};

/// What was proposed for one laptop's disk: every request is answered at once, and the first of them starts a timer of
/// a second, at the end of which one flush goes to the device.
class deferred_patch {
public:
    [[nodiscard]] reaction ask(unsigned writer) {
        if (when_ == never) {
            when_ = virtual_clock::now() + 1'000'000'000;
        }
        return {.answered = writers{db::tag{writer}}, .when = when_};
    }

    [[nodiscard]] reaction ended() { return {.when = when_}; }

    [[nodiscard]] reaction timer() {
        when_ = never;
        return {.issue = true};
    }

private:
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    std::uint64_t when_ = never;
};

} // namespace flush_bench
