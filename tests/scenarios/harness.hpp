// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doorbell/core/statistics.hpp>
#include <doorbell/host.hpp>
#include <doorbell/testing/checking_lock.hpp>
#include <doorbell/testing/manual_clock.hpp>
#include <doorbell/testing/ufshci_model.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

/// Scripts of events at the boundary of a driver: the register model is the hardware, a virtual interrupt chip calls
/// the hard handler when the line asks for it, a virtual thread runs when it was woken. One thread; time moves when
/// told.
namespace scenario {

namespace db = doorbell;
namespace kit = doorbell::testing;
namespace at = doorbell::ufs::offset;
namespace cause = doorbell::ufs::cause;

using tags = db::tag_set<32>;
using kit::completion_order;
using kit::line_kind;

/// Where completions run. Aliases, so that names of tests tell it.
using hard = db::inline_all;
using thread = db::deferred_all;
using two_at_most = db::count_budget<2>;
using one_at_most = db::count_budget<1>;

/// The same budget in a core for an edge, which is not repeated while a cause stands.
template <class Budget>
struct edge {};

/// What a name above means for the core.
template <class Policy>
struct meaning {
    using budget = Policy;
    using signal = db::level_line;
    using controller = db::ufshci;
};

template <class Budget>
struct meaning<edge<Budget>> : meaning<Budget> {
    using signal = db::edge_line<>;
};

/// A core for a part that does something otherwise.
template <class Quirk>
struct quirky {};

template <class Quirk>
struct meaning<quirky<Quirk>> : meaning<db::inline_all> {
    using controller = db::basic_ufshci<Quirk>;
};

/// The same budget in a core that masks its whole line for the thread, and so has no urgent handlers.
template <class Policy>
struct on_its_line {};

template <class Policy>
struct meaning<on_its_line<Policy>> : meaning<Policy> {};

/// What the standard leaves open and a script must not depend on.
struct setup {
    line_kind line = line_kind::level;
    completion_order order = completion_order::is_before_doorbell;
    unsigned slots = 32;
    std::uint64_t line_lag = 0;

    [[nodiscard]] kit::ufshci_knobs knobs() const {
        kit::ufshci_knobs k{};
        k.line = line;
        k.order = order;
        k.nutrs = slots;
        k.line_lag = line_lag;
        return k;
    }

    /// The part of a row's tags that this host has.
    [[nodiscard]] std::uint32_t fit(std::uint32_t set) const { return slots == 32 ? set : set & ((1U << slots) - 1); }

    [[nodiscard]] std::string text() const {
        return std::string{
                   line == line_kind::level  ? "level"
                   : line == line_kind::edge ? "edge"
                                             : "edge line"} +
               (line_lag == 0 ? "" : " that falls late") +
               (order == completion_order::is_before_doorbell ? ", IS first, " : ", doorbell first, ") +
               std::to_string(slots) + " slots";
    }
};

/// The lines that a core of this policy is made for (level, also one that falls late, or both kinds of edge), both
/// orders, 32 and 1 slots.
template <class Policy>
[[nodiscard]] inline std::vector<setup> matrix(std::vector<unsigned> const& slots = {32, 1}) {
    using enum line_kind;
    bool const on_level = meaning<Policy>::signal::level;
    std::vector<setup> all;
    for (auto const line : on_level ? std::vector{level} : std::vector{line_kind::edge, line_kind::edge_line}) {
        for (auto const order : {completion_order::is_before_doorbell, completion_order::doorbell_before_is}) {
            for (unsigned const n : slots) {
                all.push_back({line, order, n, 0});
            }
        }
    }
    if (on_level) {
        all.push_back({level, completion_order::is_before_doorbell, 32, 500});
    }
    return all;
}

/// The same for rows that need all slots.
template <class Policy>
[[nodiscard]] inline std::vector<setup> wide_matrix() {
    return matrix<Policy>({32});
}

/// The part of the bench that knows no types of the core under test: hardware, chip, thread, script and counts.
class bench {
public:
    explicit bench(kit::ufshci_knobs const& knobs) : model{knobs}, watch{{this, nullptr, &bench::released, nullptr}} {}

    bench(bench const&) = delete;
    bench& operator=(bench const&) = delete;
    ~bench() = default;

    kit::ufshci_model model;
    kit::lock_watch watch;

    // ---- What was counted.
    std::array<unsigned, 32> issued{};  ///< requests handed over, per tag
    std::array<unsigned, 32> called{};  ///< callbacks, per tag
    std::array<db::outcome, 32> last{}; ///< how the last one of each tag ended
    std::vector<unsigned> order{};      ///< tags in the order of their callbacks
    unsigned called_in_hard = 0;        ///< callbacks that ran in the hard handler
    unsigned resets = 0;                ///< callbacks with outcome::reset
    unsigned doubled = 0;               ///< callbacks of a request that had had its own
    unsigned under_lock = 0;            ///< callbacks and handlers with the lock held: none is allowed
    unsigned unlocked_prepare = 0;      ///< descriptors made ready outside of the lock section
    unsigned storms = 0;                ///< the line did not fall although the handler ran and ran
    unsigned entries = 0;               ///< hard handler entries
    unsigned handled = 0;               ///< of these, with the result "handled"
    unsigned thread_runs = 0;           ///< calls of on_thread
    bool woken = false;                 ///< the request to run the thread; stays until it runs
    bool retry = false;                 ///< the last thread run left only lagging tags
    std::uint32_t urgent_seen = 0;      ///< causes given to the urgent handler
    std::uint32_t deferred_seen = 0;    ///< causes given to the deferred handler
    unsigned urgent_calls = 0;
    unsigned deferred_calls = 0;
    std::uint32_t callback_cost = 0; ///< ticks that a callback takes

    std::function<void(unsigned, db::outcome)> on_callback{}; ///< the script's part of a callback
    std::function<void(std::uint32_t)> on_urgent{};
    std::function<void(unsigned)> on_prepare{};
    std::function<bool(unsigned)> on_end_on_device{}; ///< what abort task answers; without it: ended
    std::function<void(std::uint32_t)> pass_time{};   ///< moves the clock of the core
    std::function<db::timeout_verdict<std::uint32_t>(unsigned)>
        on_timed_out{}; ///< what the driver decides; without it: abort

    // ---- The timer of a core with deadlines.
    unsigned arms = 0;              ///< how often it was armed or moved
    unsigned arms_without_lock = 0; ///< none is allowed
    bool timer_is_armed = false;    ///< it fires at `timer_at`
    std::uint64_t timer_at = 0;
    std::vector<unsigned> late_controls{}; ///< control commands that were not ended in time

    bool giveback_wanted = false; ///< the bottom half was asked for

    // ---- The line, for cores that mask it.
    unsigned line_masks = 0;        ///< those that are held now: the interrupt chip counts
    unsigned most_line_masks = 0;   ///< at once
    unsigned line_masked_often = 0; ///< in all

    void mask_line() noexcept {
        ++line_masked_often;
        most_line_masks = ++line_masks > most_line_masks ? line_masks : most_line_masks;
    }

    void arm(std::uint64_t at) noexcept {
        ++arms;
        arms_without_lock += watch.held() ? 0U : 1U;
        timer_is_armed = true;
        timer_at = at;
    }

    [[nodiscard]] unsigned calls() const { return static_cast<unsigned>(order.size()); }

    [[nodiscard]] unsigned requests() const {
        unsigned sum = 0;
        for (unsigned const n : issued) {
            sum += n;
        }
        return sum;
    }

    /// Tags that had at least one callback.
    [[nodiscard]] std::uint32_t done() const {
        std::uint32_t set = 0;
        for (unsigned const t : order) {
            set |= 1U << t;
        }
        return set;
    }

    [[nodiscard]] std::uint32_t is() const { return model.peek(at::is); }

    [[nodiscard]] std::uint32_t doorbells() const { return model.peek(at::utrldbr); }

    // ---- The device.
    /// The device finishes these, in ascending order.
    void finish(std::uint32_t set, std::uint32_t ocs = 0) {
        for (db::tag const t : tags{set}) {
            (void)model.finish(t.index, ocs);
        }
    }

    // ---- The interrupt chip and the thread.
    [[nodiscard]] bool in_hard_handler() const { return in_hard_; }

    /// Enters the hard handler, asked for or not. Where interrupts are masked it stays pending.
    db::irq_result interrupt() {
        if (watch.held() or in_hard_) {
            pending_ = true;
            return db::irq_result::none;
        }
        kit::lock_user const before = watch.run_as(kit::lock_user::hard_handler);
        in_hard_ = true;
        ++entries;
        db::irq_result const result = hard_entry_();
        in_hard_ = false;
        (void)watch.run_as(before);
        handled += result.handled() ? 1U : 0U;
        woken = woken or result.wake_thread();
        return result;
    }

    /// The chip: calls the hard handler as long as the line asks for it and interrupts are not masked.
    void deliver() {
        for (unsigned rounds = 0; not watch.held() and not in_hard_ and (std::exchange(pending_, false) or asks());) {
            if (++rounds > 1'000) {
                ++storms;
                return;
            }
            (void)interrupt();
            model.advance(model.knobs().line_lag); // what a late line needs to fall, where nobody reads
        }
    }

    /// The thread, once woken: runs until nothing is left to do.
    void run_thread() {
        while (std::exchange(woken, false)) {
            run_thread_anyway();
        }
    }

    void run_thread_anyway() {
        db::thread_result result{};
        unsigned rounds = 0;
        do {
            ++thread_runs;
            result = thread_entry_();
        } while (result.again() and ++rounds < 1'000);
        storms += result.again() ? 1U : 0U;
        retry = result.retry();
    }

    /// Interrupts and thread, until the machine has nothing to do. No hardware event, no time.
    void idle() {
        do {
            deliver();
            run_thread();
        } while (storms == 0 and (line_is_up() or pending_ or woken));
    }

    // ---- The script.
    enum class side : bool { before, after };

    /// Does `action` once, at the n-th access of this kind to this register from now on.
    void on(kit::access_kind kind, std::size_t offset, side when, std::function<void()> action, unsigned nth = 1) {
        plans_.push_back({kind, offset, when, nth, false, std::move(action)});
    }

    /// Does `action` at each access of this kind to this register from now on.
    void at_each(kit::access_kind kind, std::size_t offset, side when, std::function<void()> action) {
        plans_.push_back({kind, offset, when, 0, true, std::move(action)});
    }

    /// Does `action` at the k-th switch point: a register access, the release of the lock, either end of a callback.
    /// With `needs_lock` it waits until the lock is free.
    void intrude(unsigned k, bool needs_lock, std::function<void()> action) {
        intruders_.push_back({k, needs_lock, false, std::move(action)});
    }

    /// The same, counted from here.
    void intrude_later(unsigned k, bool needs_lock, std::function<void()> action) {
        intrude(steps_ + k, needs_lock, std::move(action));
    }

    void forget_intruders() { intruders_.clear(); }

    /// The n-th intruder has had its point; without a number, all of them.
    [[nodiscard]] bool intruded(std::size_t nth) const { return intruders_[nth].gone; }

    [[nodiscard]] bool intruded() const {
        for (intruder const& each : intruders_) {
            if (not each.gone) {
                return false;
            }
        }
        return true;
    }

    /// One switch point.
    void step() {
        unsigned const now = steps_++;
        for (std::size_t i = 0; i < intruders_.size(); ++i) {
            intruder& each = intruders_[i];
            if (not each.gone and each.when <= now and not(each.needs_lock and watch.held())) {
                each.gone = true;
                auto const act = each.action; // the vector may move meanwhile
                act();
            }
        }
    }

    void access(kit::access_kind kind, std::size_t offset, side when) {
        if (when == side::before) {
            step();
        }
        for (std::size_t i = 0; i < plans_.size(); ++i) {
            plan& p = plans_[i];
            if (p.kind == kind and p.offset == offset and p.when == when and
                (p.always or (p.left != 0 and --p.left == 0))) {
                auto const act = p.action;
                act();
            }
        }
    }

    // ---- What the driver under test tells.
    void prepared(unsigned slot) noexcept {
        ++issued[slot];
        unlocked_prepare += watch.held() ? 0U : 1U;
        model.prepare(slot);
        if (on_prepare) {
            on_prepare(slot);
        }
    }

    void completed(unsigned slot, db::outcome result) noexcept {
        step();
        under_lock += watch.held() ? 1U : 0U;
        called_in_hard += in_hard_ ? 1U : 0U;
        resets += result == db::outcome::reset ? 1U : 0U;
        doubled += ++called[slot] > issued[slot] ? 1U : 0U;
        last[slot] = result;
        order.push_back(slot);
        if (callback_cost != 0) {
            pass_time(callback_cost);
        }
        if (on_callback) {
            on_callback(slot, result);
        }
        step();
    }

    void urgent_ran(std::uint32_t causes) noexcept {
        under_lock += watch.held() ? 1U : 0U;
        urgent_seen |= causes;
        ++urgent_calls;
        if (on_urgent) {
            on_urgent(causes);
        }
    }

    void deferred_ran(std::uint32_t causes) noexcept {
        under_lock += watch.held() ? 1U : 0U;
        deferred_seen |= causes;
        ++deferred_calls;
    }

protected:
    std::function<db::irq_result()> hard_entry_{};
    std::function<db::thread_result()> thread_entry_{};

private:
    struct plan {
        kit::access_kind kind{};
        std::size_t offset = 0;
        side when = side::before;
        unsigned left = 0;
        bool always = false;
        std::function<void()> action{};
    };

    struct intruder {
        unsigned when = 0;
        bool needs_lock = false;
        bool gone = false;
        std::function<void()> action{};
    };

    [[nodiscard]] bool line_is_up() const {
        return line_masks == 0 and (model.knobs().line == line_kind::level ? model.line() : model.pulses() != 0);
    }

    [[nodiscard]] bool asks() {
        return line_masks == 0 and (model.knobs().line == line_kind::level ? model.line() : model.take_pulse());
    }

    static void released(void* self) {
        auto& b = *static_cast<bench*>(self);
        b.step();
        if (b.pending_) {
            b.deliver();
        }
    }

    std::vector<plan> plans_{};
    std::vector<intruder> intruders_{};
    unsigned steps_ = 0;
    bool in_hard_ = false;
    bool pending_ = false;
};

/// The registers of the model, with a switch point before and after each access.
class tapped_bank {
public:
    explicit constexpr tapped_bank(bench& b) noexcept : bench_{&b} {}

    [[nodiscard]] std::uint32_t load(std::size_t offset) const noexcept {
        bench_->access(kit::access_kind::read, offset, bench::side::before);
        std::uint32_t const value = bench_->model.load(offset);
        bench_->access(kit::access_kind::read, offset, bench::side::after);
        return value;
    }

    void store(std::size_t offset, std::uint32_t value) const noexcept {
        bench_->access(kit::access_kind::write, offset, bench::side::before);
        bench_->model.store(offset, value);
        bench_->access(kit::access_kind::write, offset, bench::side::after);
    }

    void before_doorbell() const noexcept { bench_->model.before_doorbell(); }

    void after_done() const noexcept { bench_->model.after_done(); }

    void before_unlock() const noexcept { bench_->model.before_unlock(); }

private:
    bench* bench_;
};

/// The driver: its descriptors are the model's, its callbacks are counted.
class disk {
public:
    explicit constexpr disk(bench& b) noexcept : bench_{&b} {}

    void prepare(db::tag t) noexcept { bench_->prepared(t.index); }

    [[nodiscard]] db::outcome response(db::tag t) noexcept {
        return static_cast<db::outcome>(bench_->model.ocs(t.index));
    }

    void completed(db::claimed<db::any_context> won, db::outcome o) noexcept { bench_->completed(won.index(), o); }

    void uic_done(db::raised<db::any_context> r) noexcept { bench_->urgent_ran(r.bits()); }

    void link_error(db::raised<db::thread_context> r) noexcept { bench_->deferred_ran(r.bits()); }

    void synchronize() noexcept {}

    bool end_on_device(db::tag t) noexcept { return not bench_->on_end_on_device or bench_->on_end_on_device(t.index); }

    void pause() noexcept { bench_->model.advance(1); }

    template <class Rep>
    void arm_timer(db::deadline<Rep> at) noexcept {
        bench_->arm(at.value());
    }

    db::timeout_verdict<std::uint32_t> timed_out(db::tag t) noexcept {
        return bench_->on_timed_out ? bench_->on_timed_out(t.index) : db::timeout_verdict<std::uint32_t>{};
    }

    void mask_line() noexcept { bench_->mask_line(); }

    void unmask_line() noexcept { --bench_->line_masks; }

    void schedule_giveback() noexcept { bench_->giveback_wanted = true; }

    void control_timed_out(unsigned which) noexcept { bench_->late_controls.push_back(which); }

private:
    bench* bench_;
};

using default_handlers =
    db::handlers<db::urgent<db::ufshci::uic, &disk::uic_done>, db::deferred<db::ufshci::errors, &disk::link_error>>;

template <class Policy>
struct handlers_of {
    using type = default_handlers;
};

template <class Policy>
struct handlers_of<on_its_line<Policy>> {
    using type = db::handlers<db::deferred<db::ufshci::uic | db::ufshci::errors, &disk::link_error>>;
};

using default_clock = kit::manual_clock<std::uint32_t, 1>;

/// A bench with a core of the given policies on it.
template <class Policy, class Clock = default_clock, class... Options>
class machine : public bench {
    using time_type = kit::manual_time<typename Clock::rep>;

public:
    using signal = typename meaning<Policy>::signal;
    using host = db::host<
        typename meaning<Policy>::controller, disk, tapped_bank, Clock, typename meaning<Policy>::budget,
        kit::checking_lock, typename handlers_of<Policy>::type, db::observed_by<db::statistics>,
        typename meaning<Policy>::signal, Options...>;

    time_type time{};
    disk driver{*this};
    host core;

    /// The core runs, on a controller that runs.
    explicit machine(setup const& s) : machine{s.knobs()} { start(); }

    /// The controller runs, the core does not yet.
    /// `hz` is the rate of a clock that is measured at run time.
    explicit machine(kit::ufshci_knobs const& knobs, std::uint64_t hz = 0)
        : bench{knobs}, core{driver, tapped_bank{*this}, clock(hz), kit::checking_lock{watch}} {
        hard_entry_ = [this] { return core.on_hard_irq(); };
        thread_entry_ = [this] { return core.on_thread(); };
        pass_time = [this](std::uint32_t ticks) { time.advance(static_cast<typename Clock::rep>(ticks)); };
        model.bring_up();
    }

    void start() { REQUIRE(core.start() == db::start_status::started); }

    std::uint32_t submit(std::uint32_t set) {
        auto const answer = core.submit(tags{set});
        REQUIRE(answer);
        return answer.generation();
    }

    /// Submits one tag and keeps its ticket.
    db::ticket submit_one(unsigned slot) { return {db::tag{slot}, submit(1U << slot)}; }

    /// What a driver does between reset() and start().
    void bring_up_again() {
        model.store(at::hce, 1);
        model.bring_up();
    }

    /// Ends the script: stops, resets what the device still holds, and asks for what must hold whatever happened:
    /// issued = completed + reset, once each, never with the lock held, no access that the hardware complains about.
    void end() {
        idle();
        (void)core.stop();
        if (not(core.outstanding() | core.leftover() | core.quarantined()).empty()) {
            CHECK(core.reset() == db::reset_status::done);
        }
        CHECK(storms == 0);
        CHECK(doubled == 0);
        CHECK(under_lock == 0);
        CHECK(unlocked_prepare == 0);
        CHECK(watch.errors() == 0);
        CHECK(issued == called);
        CHECK(core.outstanding().empty());
        CHECK(core.leftover().empty());
        for (std::size_t i = 0; i < model.errors().size(); ++i) {
            FAIL_CHECK(model.errors()[i].text());
        }
    }

private:
    [[nodiscard]] Clock clock([[maybe_unused]] std::uint64_t hz) {
        if constexpr (db::fixed_rate<Clock>) {
            return Clock{time};
        } else {
            return Clock{time, hz};
        }
    }
};

/// Plays `script(k)` for k = 0, 1, ...: an intruder acts at the k-th switch point, until there is none.
/// The script returns whether its intruders had their points.
template <class Script>
void at_every_step(Script script) {
    unsigned k = 0;
    bool more = true;
    for (; more; ++k) {
        INFO("intruder at step " << k);
        more = script(k);
        REQUIRE(k < 10'000);
    }
    CHECK(k > 3);
}

} // namespace scenario
