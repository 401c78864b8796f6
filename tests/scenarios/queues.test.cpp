// SPDX-License-Identifier: BSL-1.0
// Faults of completion rings and of lines that sum queues up: a core per queue, on the register model.
#include "../testing/ufshci/queue_fixture.hpp"

#include <doorbell/controllers/ufshci_queue.hpp>
#include <doorbell/core/statistics.hpp>
#include <doorbell/host.hpp>
#include <doorbell/testing/checking_lock.hpp>
#include <doorbell/testing/manual_clock.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace {

namespace db = doorbell;
namespace kit = doorbell::testing;
namespace at = doorbell::ufs::offset;
namespace cause = doorbell::ufs::cause;
using kit::line_kind;

constexpr unsigned slots = 4;
using queue_state = db::ufs::queue_state<slots>;
using tags = queue_state::tags;

struct tag_of {
    db::tag operator()(db::ufs::completion_entry const& entry) const noexcept { return {entry.word[5] & 0xFFU}; }
};

/// The driver of one queue: its entries are the fixture's.
struct queue_driver {
    queue_model* model;
    queue_state* queue;
    unsigned which;
    std::vector<unsigned> ended{};
    std::array<db::outcome, slots> last{};

    void prepare(db::tag t) noexcept {
        queue->set_unit(t, 0);
        (void)queue->next_submission();
        model->put(which, t.index);
    }

    db::outcome response(db::tag t) noexcept { return queue->response(t); }

    void completed(db::claimed<db::any_context> won, db::outcome o) noexcept {
        ended.push_back(won.index());
        last[won.index()] = o;
    }

    void synchronize() noexcept {}
};

/// The registers, with a script's part behind one read of IS.
struct model_registers {
    queue_model* model;

    [[nodiscard]] std::uint32_t load(std::size_t offset) const noexcept { return model->load(offset); }

    void store(std::size_t offset, std::uint32_t value) const noexcept { model->store(offset, value); }

    void before_doorbell() const noexcept { model->before_doorbell(); }

    void after_done() const noexcept { model->after_done(); }

    void before_unlock() const noexcept { model->before_unlock(); }
};

template <class Budget>
struct queue_core {
    using host = db::host<
        db::ufshci_queue<slots, tag_of>, queue_driver, db::ufs::queue_bank<model_registers, slots>, kit::manual_clock<>,
        Budget, kit::checking_lock, db::observed_by<db::statistics>>;

    queue_core(queue_model& m, unsigned q)
        : state{{.sqd = m.sqd_at(q, at::sqhp), .cqd = m.cqd_at(q, at::cqhp), .cqis = m.cqis_at(q, at::cqis), .completions = reinterpret_cast<db::ufs::completion_entry const*>(m.entry(q, 0)), .depth = 8}}
        , driver{&m, &state, q}
        , core{driver, {model_registers{&m}, state}, time, watch} {
        REQUIRE(core.start() == db::start_status::started);
    }

    ~queue_core() { CHECK(watch.errors() == 0); }

    queue_core(queue_core const&) = delete;
    queue_core& operator=(queue_core const&) = delete;

    queue_state state;
    queue_driver driver;
    kit::lock_watch watch{{.self = nullptr, .acquired = nullptr, .released = nullptr, .failed = nullptr}};
    kit::manual_time<> time{1000};
    host core;
};

/// Two queues on one line, whose bit in IS sums up their own status registers.
template <class Budget = db::inline_all>
struct two_queues {
    explicit two_queues(kit::ufshci_knobs const& k) : model{k}, first{model, 0}, second{model, 1} {
        model.store(at::ie, cause::cqes);
        model.log().clear();
    }

    /// The handler of the line: the cores acknowledge the children, it the parent.
    unsigned entries = 0;
    db::irq_result both{};
    std::function<void()> behind_the_read{};

    db::irq_result serve() { return first.core.on_hard_irq() | second.core.on_hard_irq(); }

    void entry(bool child_first, unsigned rounds) {
        ++entries;
        for (unsigned round = 0; round < rounds; ++round) {
            std::uint32_t const is = model.load(at::is);
            if (is == 0) {
                return;
            }
            if (behind_the_read) {
                std::exchange(behind_the_read, nullptr)();
            }
            if (child_first) {
                both |= serve();
                model.store(at::is, is);
            } else {
                model.store(at::is, is);
                both |= serve();
            }
        }
    }

    queue_model model;
    queue_core<Budget> first;
    queue_core<Budget> second;
};

} // namespace

TEST_CASE(
    "U.A13: children first, the parent's bit brings one entry; parent first, one more that harms nobody",
    "[U.A13][inv:D1]") {
    for (bool const child_first : {true, false}) {
        INFO("children first: " << child_first);
        two_queues<> m{{.summary_reasserts = true}};
        REQUIRE(m.first.core.submit(tags{0b0011}));
        REQUIRE(m.second.core.submit(tags{0b0100}));
        CHECK(m.model.finish_tagged(0, 1));
        CHECK(m.model.finish_tagged(1, 2));
        while (m.model.line() and m.entries < 10) {
            m.entry(child_first, 1);
        }
        CHECK(m.entries == (child_first ? 1U : 2U));
        CHECK(m.both.handled());
        CHECK(m.first.driver.ended == std::vector<unsigned>{1});
        CHECK(m.second.driver.ended == std::vector<unsigned>{2});
        CHECK(m.first.core.outstanding() == tags{0b0001});
    }
}

TEST_CASE(
    "U.A14: on an edge a queue that asserts before the parent is cleared is served in the same run",
    "[U.A14][inv:D1]") {
    for (auto const line : {line_kind::edge, line_kind::edge_line}) {
        two_queues<> m{{.line = line}};
        REQUIRE(m.first.core.submit(tags{0b0001}));
        REQUIRE(m.second.core.submit(tags{0b0001}));
        CHECK(m.model.finish_tagged(0, 0));
        CHECK(m.model.take_pulse());
        m.behind_the_read = [&] { CHECK(m.model.finish_tagged(1, 0)); };
        m.entry(false, 4);
        CHECK(m.first.driver.ended == std::vector<unsigned>{0});
        CHECK(m.second.driver.ended == std::vector<unsigned>{0});
        CHECK(m.model.peek(at::is) == 0);
        REQUIRE(m.second.core.submit(tags{0b0010}));
        CHECK(m.model.finish_tagged(1, 1));
        CHECK(m.model.take_pulse()); // nothing is silenced
    }
}

TEST_CASE(
    "U.A23: the vector of one queue touches that queue alone, and an entry that names a tag beyond its slots nobody",
    "[U.A23][U.C33][inv:T6]") {
    two_queues<> m{{}};
    REQUIRE(m.first.core.submit(tags{0b0001}));
    REQUIRE(m.second.core.submit(tags{0b0001}));
    CHECK(m.model.post_foreign(0, 200));
    CHECK(m.model.post_foreign(0, slots));
    CHECK(m.model.post_foreign(0, 3));
    CHECK(m.model.finish_tagged(1, 0));
    CHECK(m.first.core.on_hard_irq() == db::irq_result::mine);
    CHECK(m.first.driver.ended.empty());
    CHECK(m.second.driver.ended.empty());
    CHECK(m.first.state.strangers() == 3);
    CHECK(m.first.core.observer().counts().fault.unknown == 1);
    CHECK(m.first.core.outstanding() == tags{0b0001});
    CHECK(m.first.core.on_hard_irq() == db::irq_result::none); // its neighbour's interrupt is not its own
    CHECK(m.second.core.on_hard_irq() == db::irq_result::mine);
    CHECK(m.second.driver.ended == std::vector<unsigned>{0});
}

TEST_CASE("U.C7: an entry that comes twice ends its request once, and is counted", "[U.C7][inv:T2]") {
    two_queues<> m{{}};
    REQUIRE(m.first.core.submit(tags{0b0010}));
    CHECK(m.model.finish_tagged(0, 1));
    CHECK(m.model.post_foreign(0, 1));
    CHECK(m.first.core.on_hard_irq() == db::irq_result::mine);
    CHECK(m.first.driver.ended == std::vector<unsigned>{1});
    CHECK(m.first.state.strangers() == 1);
}

TEST_CASE("U.D9: a batch writes the completion head exactly once, and an idle look not at all", "[U.D9]") {
    two_queues<> m{{}};
    for (unsigned round = 0; round < 5; ++round) { // over the end of the ring
        REQUIRE(m.first.core.submit(tags::all()));
        for (unsigned t = 0; t < slots; ++t) {
            CHECK(m.model.finish_tagged(0, (t + round) % slots));
        }
        m.model.clear_counts();
        CHECK(m.first.core.on_hard_irq() == db::irq_result::mine);
        CHECK(m.model.writes(m.model.cqd_at(0, at::cqhp)) == 1);
        CHECK(m.model.peek(m.model.cqd_at(0, at::cqhp)) == m.model.cqtp(0));
        (void)m.first.core.poll();
        CHECK(m.model.writes(m.model.cqd_at(0, at::cqhp)) == 1);
    }
    CHECK(m.first.driver.ended.size() == 20);
}

TEST_CASE("Q.B27: a waiter that reads late has the status of its own entry, though the ring went round", "[Q.B27]") {
    two_queues<db::count_budget<1>> m{{}};
    REQUIRE(m.first.core.submit(tags{0b0011}));
    CHECK(m.model.finish_tagged(0, 0));
    CHECK(m.model.finish_tagged(0, 1, db::ufs::ocs::aborted));
    CHECK(m.first.core.on_hard_irq().wake_thread()); // tag 1 is claimed, its callback is not run
    for (unsigned n = 0; n < 8; ++n) {
        CHECK(m.model.post_foreign(0, 200)); // the device uses every place again
        m.model.store(m.model.cqd_at(0, at::cqhp), m.model.cqtp(0));
    }
    CHECK(m.model.entry(0, 1)[20] == 200);
    (void)m.first.core.on_thread();
    CHECK(m.first.driver.ended == std::vector<unsigned>{0, 1});
    CHECK(static_cast<std::uint32_t>(m.first.driver.last[1]) == db::ufs::ocs::aborted);
}
