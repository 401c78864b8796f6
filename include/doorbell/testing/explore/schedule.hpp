// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"
#include "context.hpp"
#include "names.hpp"
#include "script.hpp"
#include "search.hpp"
#include "watched.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace doorbell::testing::explore {

/// What raises a hard handler: `high` is asked at every state, `touches` are the objects that it depends on.
struct line {
    footprint touches{};
    std::function<bool()> high{};
};

/// One run of a scenario, in one order of its contexts' steps. The scenario makes its objects, declares its contexts,
/// lets them `go` and checks what has become of them; it is called anew for every schedule and must do the same each
/// time. Contexts are declared before `go`; the objects they use must outlive it. One thread.
class schedule {
public:
    schedule(
        detail::search& decisions, detail::stack_pool& stacks, detail::written_words& written, limits const& how,
        bool recording)
        : decisions_{decisions}
        , stacks_{stacks}
        , written_{written}
        , how_{how}
        , recording_{recording}
        , outer_{running_} {
        running_ = this;
    }

    schedule(schedule const&) = delete;
    schedule& operator=(schedule const&) = delete;

    ~schedule() {
        running_ = outer_;
        detail::watched.clear();
    }

    /// Names something shared.
    [[nodiscard]] object thing(std::string name) { return names_.add(std::move(name)); }

    /// Every access to this object becomes a switch point, but for words that no context ever writes. Needs the
    /// compiler's help: target doorbell::explore_memory.
    template <class T>
    void watch(std::string name, T const& memory, access_rule rule = access_rule::anybody) {
        check(
            memory_hooks_,
            "doorbell: watch() needs the target doorbell::explore_memory, without which accesses go unseen");
        check(detail::watched.count < detail::watched_memory::room, "doorbell: a scenario watches at most 8 objects");
        if (not failure_) {
            detail::watched.add(std::addressof(memory), sizeof memory);
            names_.watch(std::move(name), std::addressof(memory), sizeof memory, rule);
        }
    }

    /// A context on a processor core of its own.
    void context(std::string name, std::function<void()> body) {
        add(std::move(name), own_core(), false, std::move(body));
    }

    /// A context on a core that it may share with others.
    void context(std::string name, core where, std::function<void()> body) {
        add(std::move(name), where.number, false, std::move(body));
    }

    /// A context that works for others, such as a thread that sleeps until it is woken: it may be left waiting when all
    /// others are through.
    void service(std::string name, std::function<void()> body) {
        add(std::move(name), own_core(), true, std::move(body));
    }

    void service(std::string name, core where, std::function<void()> body) {
        add(std::move(name), where.number, true, std::move(body));
    }

    /// A hard handler, entered whenever its line is high. It interrupts what runs on its core at any step, while nobody
    /// there has interrupts masked, and is left before anything else there goes on. On a core of its own it is what
    /// another processor core makes of an interrupt. Returns the object that its entry and exit touch.
    object hard_handler(std::string name, core where, line raised, std::function<void()> body) {
        return add_handler(std::move(name), where.number, std::move(raised), std::move(body));
    }

    object hard_handler(std::string name, line raised, std::function<void()> body) {
        return add_handler(std::move(name), own_core(), std::move(raised), std::move(body));
    }

    /// Runs the contexts until nobody can go on. False: this schedule ended before its end, since it failed or since
    /// others have covered it; then `check` does nothing any more.
    bool go();

    /// For after `go`: what must be true in every schedule.
    void check(bool holds, std::string_view what) {
        if (not holds and not ended_early_ and not failure_) {
            failure_ = std::string{what};
        }
    }

    /// Virtual time: what the steps made so far take together.
    [[nodiscard]] std::uint64_t now() const noexcept { return time_; }

    [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }

    // What adaptors use: locks, banks, flags.

    /// The schedule whose context runs now; nullptr outside of any.
    [[nodiscard]] static schedule* here() noexcept {
        return running_ != nullptr and running_->inside_ ? running_ : nullptr;
    }

    /// The schedule that is being set up, runs or is checked; nullptr outside of an exploration.
    [[nodiscard]] static schedule* current() noexcept { return running_; }

    /// A switch point: returns when the scheduler lets the running context do `what`.
    void at(operation what);

    /// The value that the last step found, for the script.
    void saw(std::uint64_t value) {
        if (recording_) {
            script_.value(active_->name, value);
        }
    }

    /// Ends the schedule as failed; in a context it does not return.
    void fail(std::string_view what, std::string_view more = "");

    void mask();
    void unmask();
    /// The footprint of an operation that lets the others of the core go on, if it unmasks for the last time.
    [[nodiscard]] footprint unmasking() const noexcept;

    void holds_lock(bool takes) noexcept { active_->locks += takes ? 1U : ~0U; }

    [[nodiscard]] unsigned locks_held() const noexcept { return active_->locks; }

    /// Steps that the running context has made: a clock that the order of the others does not change.
    [[nodiscard]] std::uint64_t own_steps() const noexcept { return active_->steps; }

    [[nodiscard]] detail::context* active() const noexcept { return active_; }

    // What the exploration looks at afterwards.
    [[nodiscard]] bool covered() const noexcept { return covered_; }

    [[nodiscard]] std::optional<std::string> const& failure() const noexcept { return failure_; }

    [[nodiscard]] detail::script const& script() const noexcept { return script_; }

    [[nodiscard]] std::deque<detail::context> const& contexts() const noexcept { return contexts_; }

    [[nodiscard]] bool went() const noexcept { return went_; }

    /// An access of code compiled for watched memory.
    static void memory(void const* address, mode how, bool atomic);
    /// Set by the program part that sees memory accesses.
    inline static bool memory_hooks_ = false; // NOLINT(readability-identifier-naming): it is a static one

private:
    [[nodiscard]] unsigned own_core() const noexcept {
        return detail::first_own_core + static_cast<unsigned>(contexts_.size());
    }

    detail::context& add(std::string name, unsigned where, bool service, std::function<void()> body);
    object add_handler(std::string name, unsigned where, line raised, std::function<void()> body);
    [[nodiscard]] detail::core_state& core_of(detail::context const& who);

    [[nodiscard]] bool may_run(detail::context const& who) {
        return not who.finished() and core_of(who).lets(who) and who.next.when.holds();
    }

    [[nodiscard]] detail::state_view look();
    void resume(detail::context& who);
    void make_step(detail::state_view const& now, unsigned who);
    void finish(detail::state_view const& now);

    void abandon();

    void stop_early(std::string_view why) {
        ended_early_ = true;
        if (not why.empty() and not failure_) {
            failure_ = std::string{why};
        }
    }

    static constexpr std::string_view not_repeated =
        "doorbell: the scenario did not repeat itself: it depends on something besides the schedule";

    inline static thread_local schedule* running_ = nullptr; // NOLINT(readability-identifier-naming): a static one

    detail::search& decisions_;
    detail::stack_pool& stacks_;
    detail::written_words& written_;
    limits const& how_;
    bool recording_;
    schedule* outer_;
    detail::names names_{};
    std::deque<detail::context> contexts_{};
    std::deque<detail::core_state> cores_{};
    std::deque<line> lines_{};
    detail::script script_{};
    std::map<std::uint32_t, detail::word_users> users_{};
    detail::context* active_ = nullptr;
    detail::context const* last_ = nullptr;
    bool inside_ = false;
    bool went_ = false;
    bool ended_early_ = false;
    bool covered_ = false;
    std::uint64_t time_ = 0;
    std::uint64_t steps_ = 0;
    std::optional<std::string> failure_{};
};

} // namespace doorbell::testing::explore

#include "scheduler.hpp"
