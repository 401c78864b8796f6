// SPDX-License-Identifier: BSL-1.0
// Wild orders: whatever interrupts, threads, callers and the device do, each accepted request has one callback, for a
// reason, not before hardware released it, and nothing waits for ever. A failure names its seed.
#include "harness.hpp"

#include <tuple>

namespace {

using namespace scenario;

/// Repeatable dice.
class dice {
public:
    explicit dice(std::uint64_t seed) : state_{seed * 0x9E37'79B9'7F4A'7C15U + 1} {}

    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(next() % n); }

    bool one_in(std::uint32_t n) { return below(n) == 0; }

    /// Few tags more often than many.
    std::uint32_t some() {
        auto const set = static_cast<std::uint32_t>(next());
        return one_in(2) ? set & static_cast<std::uint32_t>(next()) & static_cast<std::uint32_t>(next()) : set;
    }

private:
    std::uint64_t next() {
        state_ ^= state_ << 13U;
        state_ ^= state_ >> 7U;
        state_ ^= state_ << 17U;
        return state_ >> 11U;
    }

    std::uint64_t state_;
};

/// What a core can be asked, without its type.
struct verbs {
    std::function<db::submitted(tags)> submit;
    std::function<db::thread_result()> poll;
    std::function<db::abort_status(db::ticket)> abort;
    std::function<tags()> abort_all;
    std::function<tags(tags)> expire;
    std::function<db::abort_status(db::tag)> recover;
    std::function<void()> block, unblock, gate, stop;
    std::function<db::thread_result()> ungate;
    std::function<db::start_result()> start;
    std::function<db::reset_status()> reset;
    std::function<db::thread_result(bool)> threads;
    std::function<db::thread_result(std::uint32_t)> enable;
    std::function<void(std::uint32_t)> disable;
    std::function<tags()> unfinished, quarantined;
    std::function<void()> bring_up, end;
};

template <class Machine>
verbs verbs_of(Machine& m) {
    auto& c = m.core;
    return {
        .submit = [&c](tags set) { return c.submit(set); },
        .poll = [&c] { return c.poll(); },
        .abort = [&c](db::ticket const& t) { return c.abort(t); },
        .abort_all = [&c] { return c.abort_all(); },
        .expire = [&c](tags set) { return c.expire_tags(set); },
        .recover = [&c](db::tag t) { return c.recover(t); },
        .block = [&c] { c.block(); },
        .unblock = [&c] { c.unblock(); },
        .gate = [&c] { c.gate(); },
        .stop = [&c] { (void)c.stop(); },
        .ungate = [&c] { return c.ungate(); },
        .start = [&c] { return c.start(); },
        .reset = [&c] { return c.reset(); },
        .threads =
            [&c](bool available) {
                return available ? c.threads_available()
                                 : c.template threads_unavailable<db::drained_by<&disk::synchronize>>();
            },
        .enable = [&c](std::uint32_t set) { return c.enable(set); },
        .disable = [&c](std::uint32_t set) { c.disable(set); },
        .unfinished = [&c] { return c.outstanding() | c.leftover(); },
        .quarantined = [&c] { return c.quarantined(); },
        .bring_up = [&m] { m.bring_up_again(); },
        .end = [&m] { m.end(); }};
}

/// A driver and its surroundings that do as they please, and the books of what may be expected.
class wild {
public:
    wild(bench& b, verbs const& core, dice& d, std::uint32_t slots) : b_{b}, core_{core}, dice_{d}, slots_{slots} {
        b_.on_prepare = [this](unsigned slot) { prepared(slot); };
        b_.on_callback = [this](unsigned slot, db::outcome o) { called(slot, o); };
        b_.on_end_on_device = [this](unsigned slot) {
            bool const ended = not dice_.one_in(6);
            state_[slot].ended_on_device = state_[slot].ended_on_device or ended;
            return ended;
        };
    }

    /// `lags`: responses come late.
    void run(unsigned steps, bool lags) {
        for (unsigned i = 0; i < steps; ++i) {
            b_.forget_intruders();
            for (unsigned n = dice_.below(4); n != 0; --n) {
                b_.intrude_later(dice_.below(30), dice_.one_in(2), [this] { meanwhile(); });
            }
            act();
        }
        b_.forget_intruders();
        finale(lags);
    }

private:
    struct request {
        db::ticket ticket{};
        bool in_use = false;          ///< the driver's book: from before the submission to the callback
        bool finished = false;        ///< the device has
        bool ended_on_device = false; ///< it never will
        bool withdrawn = false;       ///< somebody asked for its end
        unsigned resets = 0;          ///< those that had begun when it was submitted
    };

    [[nodiscard]] std::uint32_t fit(std::uint32_t set) const { return set & slots_; }

    void prepared(unsigned slot) {
        request& r = state_[slot];
        r.finished = r.ended_on_device = r.withdrawn = false;
        r.resets = resets_;
    }

    void called(unsigned slot, db::outcome o) {
        request& r = state_[slot];
        INFO("slot " << slot << ", outcome " << static_cast<std::uint32_t>(o));
        CHECK(r.in_use);
        if (o == db::outcome::success) {
            CHECK(r.finished);
        } else if (o == db::outcome::reset) {
            CHECK(resets_ > r.resets);
        } else {
            CHECK((o == db::outcome::aborted or o == db::outcome::timed_out));
            CHECK(r.withdrawn);
        }
        bool const runs = b_.model.peek(at::hce) != 0 and b_.model.peek(at::utrlrsr) != 0;
        CHECK_FALSE((runs and (b_.doorbells() >> slot & 1U) != 0)); // hardware may still write it
        r.in_use = false;
        if (++depth_ < 4 and not ending_ and dice_.one_in(3)) {
            from_callback(slot);
        }
        --depth_;
    }

    void note(db::thread_result r) { b_.woken = b_.woken or r.again(); }

    void submit(std::uint32_t wanted) {
        std::uint32_t set = 0;
        for (db::tag const t : tags{fit(wanted)}) {
            set |= state_[t.index].in_use ? 0U : 1U << t.index;
        }
        for (db::tag const t : tags{set}) {
            state_[t.index].in_use = true;
        }
        auto const calls = b_.called;
        auto const answer = core_.submit(tags{set});
        for (db::tag const t : tags{set}) {
            if (not answer) {
                state_[t.index].in_use = false;
            } else if (b_.called[t.index] == calls[t.index]) {
                state_[t.index].ticket = answer.ticket_for(t);
            }
        }
    }

    void finish(std::uint32_t set) {
        for (db::tag const t : tags{fit(set)}) {
            request& r = state_[t.index];
            if (not r.ended_on_device and b_.model.finish(t.index)) {
                r.finished = true;
            }
        }
    }

    void deliver() {
        if (gated_) {
            (void)b_.interrupt(); // of somebody else
        } else {
            b_.deliver();
        }
    }

    void run_thread() {
        if (threads_ and std::exchange(b_.woken, false)) {
            b_.run_thread_anyway();
        }
    }

    void withdraw(std::uint32_t set) {
        for (db::tag const t : tags{set}) {
            state_[t.index].withdrawn = true;
        }
    }

    void abort_one() {
        db::tag const t{dice_.below(33)};
        db::ticket ticket{t, 3 & dice_.below(99)}; // nobody's
        if (t.index < 32 and not dice_.one_in(8)) {
            ticket = state_[t.index].ticket;
            withdraw(1U << t.index);
        }
        (void)core_.abort(ticket);
    }

    void recover_some() {
        for (db::tag const t : dice_.one_in(4) ? tags{dice_.some()} : core_.quarantined()) {
            (void)core_.recover(t);
        }
    }

    /// What may happen anywhere: the device, another processor core, a nested interrupt.
    void meanwhile() {
        if (++depth_ < 4) {
            switch (dice_.below(8)) {
            case 0:
            case 1:
                finish(dice_.some());
                break;
            case 2:
            case 3:
                deliver();
                break;
            case 4:
                if (not b_.watch.held() and not b_.in_hard_handler()) {
                    submit(dice_.some());
                }
                break;
            case 5:
                if (not b_.watch.held() and not b_.in_hard_handler()) {
                    note(core_.poll());
                }
                break;
            case 6:
                if (not b_.watch.held() and not b_.in_hard_handler()) {
                    run_thread();
                }
                break;
            default:
                b_.model.raise(dice_.one_in(2) ? cause::uccs : cause::ue);
                break;
            }
        }
        --depth_;
    }

    void from_callback(unsigned slot) {
        bool const thread = not b_.in_hard_handler();
        switch (dice_.below(6)) {
        case 0:
        case 1:
            submit(1U << slot);
            break;
        case 2:
            submit(dice_.some());
            break;
        case 3:
            finish(dice_.some());
            break;
        case 4:
            if (thread) {
                note(core_.poll());
            }
            break;
        case 5:
            if (thread) {
                abort_one();
            }
            break;
        default:
            break;
        }
    }

    /// What one thread does at a time.
    void act() {
        switch (dice_.below(24)) {
        default:
            submit(dice_.some());
            break;
        case 6:
        case 7:
        case 8:
        case 9:
            finish(dice_.some());
            deliver();
            break;
        case 10:
            deliver();
            break;
        case 11:
            run_thread();
            break;
        case 12:
            note(core_.poll());
            break;
        case 13:
            abort_one();
            break;
        case 14:
            withdraw(slots_);
            if (dice_.one_in(4)) {
                (void)core_.abort_all();
            } else {
                (void)core_.expire(tags{fit(dice_.some())});
            }
            break;
        case 15:
            recover_some();
            break;
        case 16:
            if (blocks_ != 0 and dice_.one_in(2)) {
                core_.unblock();
                --blocks_;
            } else if (dice_.one_in(2)) {
                core_.block();
                ++blocks_;
                CHECK_FALSE(core_.submit(tags{1}));
            }
            break;
        case 17:
            gate_or_back();
            break;
        case 18:
            stop_and_start();
            break;
        case 19:
            if (not gated_ and dice_.one_in(3)) {
                reset_and_start();
            }
            break;
        case 20:
            (void)b_.interrupt(); // on a shared line
            break;
        case 21:
            b_.model.advance(1 + dice_.below(100));
            break;
        case 22:
            set_threads(not threads_);
            break;
        case 23:
            if (dice_.one_in(2)) {
                core_.disable(dice_.one_in(2) ? cause::utrcs : cause::uccs);
            } else {
                note(core_.enable(db::ufshci::transfer | db::ufshci::uic | db::ufshci::errors));
            }
            break;
        }
    }

    void gate_or_back() {
        if (not gated_) {
            core_.gate();
            gated_ = true;
            b_.model.forbid_access();
        } else {
            b_.model.allow_access();
            gated_ = false;
            note(core_.ungate());
        }
    }

    // What was on its way to memory lands before the controller is enabled again.
    void bring_up() {
        b_.model.advance(1'000);
        core_.bring_up();
    }

    void start() {
        auto const how = core_.start();
        CHECK(how == db::start_status::started);
        note(how.left());
    }

    void stop_and_start() {
        if (gated_) {
            return;
        }
        core_.stop();
        b_.model.forbid_access();
        for (unsigned n = dice_.below(4); n != 0; --n) { // nothing of this touches a register
            submit(dice_.some());
            finish(dice_.some());
            abort_one();
            (void)b_.interrupt();
            note(core_.poll());
            recover_some();
            run_thread();
        }
        b_.model.allow_access();
        start();
    }

    void reset_and_start() {
        ++resets_;
        CHECK(core_.reset() == db::reset_status::done);
        CHECK(core_.unfinished().empty());
        CHECK(core_.quarantined().empty());
        bring_up();
        start();
    }

    // The wakes of a time without threads were asked of nobody: what the verb answers is all there is.
    void set_threads(bool available) {
        threads_ = available;
        b_.woken = available ? false : b_.woken;
        note(core_.threads(available));
        if (not available and std::exchange(b_.woken, false)) {
            b_.run_thread_anyway();
        }
    }

    /// Everything goes on again; the device ends what it has. Then nobody may be left waiting, but for those whom
    /// hardware did not give up.
    void finale(bool lags) {
        ending_ = true;
        if (gated_) {
            gate_or_back();
        }
        if (not threads_) {
            set_threads(true);
        }
        (void)core_.start();
        for (; blocks_ != 0; --blocks_) {
            core_.unblock();
        }
        note(core_.enable(db::ufshci::transfer | db::ufshci::uic | db::ufshci::errors));
        b_.urgent_seen = b_.deferred_seen = 0;
        b_.model.raise(cause::uccs | cause::ue);
        for (unsigned round = 0; round < 6; ++round) {
            finish(slots_);
            b_.idle();
            if (lags) {
                b_.model.advance(1'000);
                note(core_.poll());
            }
        }
        CHECK(b_.urgent_seen == cause::uccs);
        CHECK(b_.deferred_seen == cause::ue);
        tags const withheld = core_.quarantined();
        tags const unfinished = core_.unfinished();
        for (unsigned slot = 0; slot < 32; ++slot) {
            request const& r = state_[slot];
            INFO("slot " << slot);
            CHECK(r.in_use == (withheld.contains(db::tag{slot}) or unfinished.contains(db::tag{slot})));
            CHECK_FALSE((unfinished.contains(db::tag{slot}) and not r.ended_on_device));
        }
        ++resets_;
        core_.end();
    }

    bench& b_;
    verbs const& core_;
    dice& dice_;
    std::uint32_t slots_;
    std::array<request, 33> state_{};
    unsigned resets_ = 0;
    unsigned blocks_ = 0;
    unsigned depth_ = 0;
    bool gated_ = false;
    bool threads_ = true;
    bool ending_ = false; ///< callbacks do no more than they have to
};

template <class Machine>
void play(std::uint64_t seed, unsigned steps) {
    constexpr bool edges = not Machine::signal::level;
    INFO("seed " << seed);
    dice d{seed};
    setup s{};
    s.line = edges ? (d.one_in(2) ? line_kind::edge : line_kind::edge_line) : line_kind::level;
    s.order = d.one_in(2) ? completion_order::is_before_doorbell : completion_order::doorbell_before_is;
    s.slots = d.one_in(4) ? 3 : 32;
    s.line_lag = not edges and d.one_in(4) ? 500 : 0;
    kit::ufshci_knobs k = s.knobs();
    bool const lags = d.one_in(4);
    k.ocs_lag = lags ? 40 : 0;
    k.clear_never = d.one_in(8);
    k.clear_latency = not k.clear_never and d.one_in(3) ? 7 : 0;
    k.stop_drops = d.one_in(2);
    k.disable_drops = not k.stop_drops or d.one_in(2); // one of the two frees the slots
    k.log_entries = 0;
    Machine m{k};
    m.start();
    verbs const core = verbs_of(m);
    wild{m, core, d, s.fit(~0U)}.run(steps, lags);
}

template <class Machine>
void play_all(std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t seed = from; seed < to; ++seed) {
        play<Machine>(seed, 60);
    }
}

} // namespace

// One of each kind of line, of masking and of order: a core takes seconds to compile.
using wild_machines = std::tuple<
    machine<two_at_most>, machine<edge<one_at_most>, default_clock, db::mask_cause>,
    machine<hard, default_clock, db::optimistic<3>>>;

TEMPLATE_LIST_TEST_CASE(
    "Whatever the order, each request ends once, for a reason, and nothing waits for ever",
    "[inv:T2][inv:H1][inv:T5][inv:P1]", wild_machines) {
    play_all<TestType>(1, 500);
}

TEMPLATE_LIST_TEST_CASE("The same for many more orders", "[.full]", wild_machines) {
    play_all<TestType>(500, 20'000);
}
