// SPDX-License-Identifier: BSL-1.0
// The completion ring of a queue with several consumers: whoever holds the lock takes the entries, and nobody takes one
// twice or gives the ring's place back before its status is copied.
#include "explored.hpp"

#include <doorbell/controllers/ufshci_queue.hpp>
#include <doorbell/host.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

using namespace rig;
namespace db = doorbell;
using explore::verdict;

namespace {

constexpr unsigned slots = 2;
constexpr std::uint32_t depth = slots + 1;
constexpr std::uint32_t entry_bytes = 32;

constexpr std::size_t submission = 0x1000;
constexpr std::size_t completion = 0x1020;
constexpr std::size_t interrupts = 0x1040;
constexpr std::size_t tail_of_submission = submission + 0x4;
constexpr std::size_t head_of_completion = completion;
constexpr std::size_t tail_of_completion = completion + 0x4;

struct tag_of {
    db::tag operator()(db::ufs::completion_entry const& entry) const noexcept { return {entry.word[0]}; }
};

using queue_state = db::ufs::queue_state<slots>;

/// One queue pair. Each tag has a device of its own, which posts the tag's entry when it likes.
class queue_machine {
public:
    explicit queue_machine(explore::schedule& s)
        : cqis_{s.thing("CQIS")}, cqie_{s.thing("CQIE")}, sqtp_{s.thing("SQTP")}, ring_{s.thing("completion ring")} {}

    [[nodiscard]] std::uint32_t load(std::size_t offset) const noexcept {
        return offset == interrupts           ? causes
               : offset == tail_of_completion ? posted % depth * entry_bytes
               : offset == head_of_completion ? head
                                              : 0;
    }

    void store(std::size_t offset, std::uint32_t value) noexcept {
        if (offset == interrupts) {
            causes &= ~value;
            ++changes;
        } else if (offset == interrupts + 4) {
            enabled = value;
            ++changes;
        } else if (offset == tail_of_submission) {
            for (; fetched * entry_bytes != value; fetched = (fetched + 1) % depth) {
                owned |= 1U << submitted[fetched];
            }
        } else if (offset == head_of_completion) {
            explore::require(value / entry_bytes < depth, "the head stays in the ring");
            head = value;
        }
    }

    void before_doorbell() const noexcept {}

    void after_done() const noexcept {}

    void before_unlock() const noexcept {}

    [[nodiscard]] explore::object name(std::size_t offset) const noexcept {
        return offset == interrupts           ? cqis_
               : offset == interrupts + 4     ? cqie_
               : offset == tail_of_submission ? sqtp_
                                              : ring_;
    }

    [[nodiscard]] explore::line line() const {
        explore::footprint touches{cqis_, explore::mode::read};
        touches.add(cqie_, explore::mode::read);
        return {touches, [this] { return (causes & enabled) != 0 and ignored != changes; }};
    }

    void serve(explore::schedule& s, unsigned slot) {
        s.service("device " + std::to_string(slot), [this, slot] {
            std::uint32_t const bit = 1U << slot;
            for (;;) {
                explore::footprint touches{ring_, explore::mode::write};
                touches.add(sqtp_, explore::mode::read);
                explore::wait_until("post", ring_, touches, [this, bit] { return (owned & bit) != 0; });
                owned &= ~bit;
                std::uint32_t const at = posted % depth;
                explore::require((at + 1) % depth * entry_bytes != head, "no entry is written over one not taken");
                entries[at] = {{slot, 0, 0, 0, serial, 0, 0, 0}};
                serial_of[slot] = serial;
                serial = serial % 0xF + 1;
                ++posted;
                explore::point("raise", cqis_, {cqis_, explore::mode::write}, 1);
                causes |= 1;
                ++changes;
            }
        });
    }

    std::array<db::ufs::completion_entry, depth> entries{};
    std::array<unsigned, depth> submitted{};
    std::array<std::uint32_t, slots> serial_of{};
    std::uint32_t causes = 0, enabled = 0, head = 0, owned = 0, posted = 0, fetched = 0;
    std::uint32_t serial = 1; ///< the status of the next entry: tells entries of one tag apart
    unsigned changes = 1, ignored = 0;

private:
    explore::object cqis_, cqie_, sqtp_, ring_;
};

struct queue_bank {
    queue_machine* hardware;

    [[nodiscard]] std::uint32_t load(std::size_t offset) const noexcept { return hardware->load(offset); }

    void store(std::size_t offset, std::uint32_t value) const noexcept { hardware->store(offset, value); }

    void before_doorbell() const noexcept {}

    void after_done() const noexcept {}

    void before_unlock() const noexcept {}
};

struct queue_map {
    queue_machine* hardware;

    [[nodiscard]] explore::object name(std::size_t offset) const noexcept { return hardware->name(offset); }

    [[nodiscard]] explore::footprint load(std::size_t offset) const noexcept {
        return {name(offset), explore::mode::read};
    }

    [[nodiscard]] explore::footprint store(std::size_t offset) const noexcept {
        return {name(offset), explore::mode::write};
    }
};

struct queue_disk {
    queue_machine* hardware;
    queue_state* queue;
    std::array<unsigned, slots> issued{};
    std::array<unsigned, slots> completed_ok{};
    std::array<bool, slots> in_use{};
    unsigned again = 0; ///< callbacks that submit their own tag again
    bool (*submit)(void*, db::tag) = nullptr;
    void* host = nullptr;

    void prepare(db::tag t) noexcept {
        explore::require(not in_use[t.index], "a tag in use is not submitted again");
        in_use[t.index] = true;
        ++issued[t.index];
        hardware->submitted[queue->next_submission()] = t.index;
    }

    [[nodiscard]] db::outcome response(db::tag t) const noexcept { return queue->response(t); }

    void completed(db::claimed<db::any_context> won, db::outcome result) noexcept {
        explore::boundary("completed", won.index());
        explore::require(explore::unlocked(), "no callback runs with the lock held");
        explore::require(in_use[won.index()], "each request completes once");
        explore::require(
            static_cast<std::uint32_t>(result) == hardware->serial_of[won.index()],
            "a request completes with the status of its own entry");
        in_use[won.index()] = false;
        ++completed_ok[won.index()];
        if (again != 0) {
            --again;
            explore::require(submit(host, won.get()), "a callback can submit its own tag again");
        }
    }
};

template <class Lock, class Budget>
using queue_core = db::host<
    db::ufshci_queue<slots, tag_of>, queue_disk,
    db::ufs::queue_bank<explore::explored_bank<queue_bank, queue_map>, slots>, explore::step_clock, Budget, Lock,
    db::observed_by<db::null_observer>>;

template <class Core>
explore::report consumers(
    std::string const& name, bool nested, unsigned again,
    explore::access_rule rule = explore::access_rule::behind_lock) {
    return explored(name + (nested ? ", nested" : ", other core"), [&](explore::schedule& s) {
        queue_machine hardware{s};
        queue_state queue{
            {.sqd = submission,
             .cqd = completion,
             .cqis = interrupts,
             .completions = hardware.entries.data(),
             .depth = depth}};
        queue_disk driver{&hardware, &queue};
        Core host{driver, {{queue_bank{&hardware}, queue_map{&hardware}}, queue}};
        driver.again = again;
        driver.host = &host;
        driver.submit = [](void* core, db::tag t) { return static_cast<bool>(static_cast<Core*>(core)->submit(t)); };
        s.watch("core", host, rule);
        s.watch("queue", queue);
        (void)host.start();
        for (unsigned slot = 0; slot < slots; ++slot) {
            hardware.serve(s, slot);
        }
        explore::wake_flag wake{s};
        s.context("poller", explore::core{0}, [&] {
            explore::require(static_cast<bool>(host.submit(typename Core::tags{3U})), "the submission is accepted");
            (void)host.poll();
        });
        auto const irq = [&] {
            unsigned const seen = hardware.changes;
            auto const result = host.on_hard_irq();
            if (result.wake_thread()) {
                wake.wake();
            }
            if (not result.handled()) {
                hardware.ignored = seen;
            }
        };
        if (nested) {
            s.hard_handler("irq", explore::core{0}, hardware.line(), irq);
        } else {
            s.hard_handler("irq", hardware.line(), irq);
        }
        s.service("thread", explore::core{0}, [&] {
            for (;;) {
                wake.sleep();
                while (host.on_thread().again()) {
                }
            }
        });
        if (s.go()) {
            for (unsigned slot = 0; slot < slots; ++slot) {
                s.check(
                    driver.issued[slot] == driver.completed_ok[slot] and not driver.in_use[slot],
                    "nobody is lost: tag " + std::to_string(slot));
            }
            s.check(host.outstanding().empty() and host.leftover().empty(), "nothing is outstanding at the end");
            s.check(hardware.head == hardware.posted % depth * entry_bytes, "every entry is given back at the end");
            s.check(queue.strangers() == 0, "every entry names a request");
        }
    });
}

using lock = explore::explored_irq_spin_lock;

} // namespace

TEST_CASE("a completion ring with two consumers", "[inv:T1][inv:T4][inv:W1]") {
    bool const nested = GENERATE(false, true);
    CHECK(
        consumers<queue_core<lock, db::inline_all>>("ring, interrupt and poller", nested, 1).end == verdict::exhausted);
    CHECK(
        consumers<queue_core<lock, db::count_budget<1>>>("ring, interrupt, poller and thread", nested, full() ? 1 : 0)
            .end == verdict::exhausted);
}

TEST_CASE("without its lock a completion ring gives an entry to two", "[inv:T1]") {
    auto const r = consumers<queue_core<explore::explored_no_lock, db::inline_all>>(
        "ring, without a lock", false, 0, explore::access_rule::anybody);
    CHECK(r.end == verdict::failed);
}
