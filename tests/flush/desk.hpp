// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doorbell/flush/coalescer.hpp>
#include <doorbell/testing/checking_lock.hpp>
#include <doorbell/testing/manual_clock.hpp>

#include <catch2/catch_test_macros.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <vector>

namespace flush_test {

namespace db = doorbell;
using db::cache_fate;
using db::cache_mode;
using db::flush_end;
using db::flush_error;
using db::flush_status;
using db::tag;

/// What a rider has been told so far.
enum class answer { none, ok, error };

/// A coalescer with its lock watched and its time by hand, streams 0 to 3 open, and a device that is only a list of
/// what was handed over to it. Riders have the number of their request.
template <class... Options>
class desk {
public:
    using coalescer_type =
        db::flush_coalescer<db::testing::manual_clock<>, db::testing::checking_lock, db::flush_streams<4>, Options...>;
    using work = typename coalescer_type::work;
    static constexpr bool early = coalescer_type::level::answers_early;

    desk()
        requires(not early)
        : c{time, watch} {
        prepare();
    }

    desk()
        requires early
        : c{db::i_accept_the_loss_of_acknowledged_writes{}, time, watch} {
        prepare();
    }

    desk(desk const&) = delete;
    desk& operator=(desk const&) = delete;

    ~desk() {
        CHECK(watch.errors() == 0);
        CHECK_FALSE(watch.held());
    }

    /// A write completes; its place.
    db::write_generation write(unsigned domain = 0) { return c.write_completed(tag{domain}); }

    /// A stream asks; the number of the rider, whose answer is in `told`.
    unsigned flush(unsigned stream, unsigned domain = 0) {
        return asked([&](tag rider) { return c.flush(rider, tag{stream}, tag{domain}); });
    }

    unsigned barrier(unsigned stream, unsigned domain = 0) {
        return asked([&](tag rider) { return c.barrier(rider, tag{stream}, tag{domain}); });
    }

    unsigned flush_all(unsigned stream) {
        return asked([&](tag rider) { return c.flush(rider, tag{stream}, coalescer_type::domains::all()); });
    }

    /// The device flush number n (from 1, in the order of hand-over) ends.
    flush_status end(unsigned n, flush_end how = flush_end::done) { return take(c.flush_ended(handed.at(n - 1), how)); }

    flush_status time_out(unsigned n) { return take(c.flush_timed_out(handed.at(n - 1))); }

    flush_status reset(cache_fate fate) { return take(c.device_reset(fate)); }

    flush_status timer() { return take(c.on_timer()); }

    /// Time passes, and the timer is served where it was asked for.
    void pass(std::uint64_t ns) {
        std::uint64_t const until = time.peek() + ns;
        while (due and not(*due > until)) {
            if (*due > time.peek()) {
                time.set(*due);
            }
            due.reset();
            timer();
        }
        time.set(until);
    }

    flush_status suspend() { return take(c.suspend()); }

    flush_status resume() { return take(c.resume()); }

    flush_status stop() { return take(c.stop()); }

    /// Works off what an event asks for.
    flush_status take(work const& w) {
        last = w;
        for (tag const each : w.issue) {
            handed.push_back(w.ticket_for(each));
            at.push_back(time.peek());
        }
        for (tag const each : w.done) {
            tell(each.index, answer::ok);
        }
        for (tag const each : w.failed) {
            tell(each.index, answer::error);
        }
        quiesced = quiesced or w.quiesced;
        due = w.timed ? std::optional{w.when.value()} : std::nullopt;
        return w.status;
    }

    /// What a request was told.
    [[nodiscard]] answer told(unsigned request) const { return answers.at(request); }

    /// Device flushes so far.
    [[nodiscard]] std::size_t flushes() const { return handed.size(); }

    /// Brings domain 0 to rest: what is in it is known to be durable.
    void settle() {
        unsigned const rider = barrier(3);
        if (told(rider) == answer::none) {
            end(static_cast<unsigned>(flushes()));
        }
        REQUIRE(told(rider) == answer::ok);
        handed.clear();
        at.clear();
    }

    db::testing::manual_time<> time{1'000'000};
    db::testing::lock_watch watch{};
    coalescer_type c;
    work last{};                        ///< of the event before
    std::vector<db::ticket> handed{};   ///< device flushes, in the order of hand-over
    std::vector<std::uint64_t> at{};    ///< and when that was
    std::vector<answer> answers{};      ///< of each request, in the order in which they were made
    std::optional<std::uint64_t> due{}; ///< what the timer is set to
    bool quiesced = false;

private:
    void prepare() {
        for (unsigned s = 0; s < 4; ++s) {
            CHECK(c.open(tag{s}) == flush_status::accepted);
        }
    }

    template <class Ask>
    unsigned asked(Ask ask) {
        unsigned rider = 0;
        while (rider < places.size() and places[rider]) {
            ++rider;
        }
        unsigned const number = static_cast<unsigned>(answers.size());
        answers.push_back(answer::none);
        if (rider == places.size()) {
            places.emplace_back();
        }
        work const w = ask(tag{rider});
        if (w.status == flush_status::waiting) {
            places[rider] = number;
        } else if (w.status == flush_status::done or w.status == flush_status::failed) {
            answers[number] = w.status == flush_status::done ? answer::ok : answer::error;
        }
        take(w);
        return number;
    }

    void tell(unsigned rider, answer what) {
        REQUIRE(places.at(rider).has_value());
        REQUIRE(answers.at(*places[rider]) == answer::none);
        answers.at(*places[rider]) = what;
        places[rider].reset();
    }

    std::vector<std::optional<unsigned>> places{}; ///< the request that each rider stands for
};

} // namespace flush_test
