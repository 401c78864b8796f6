// SPDX-License-Identifier: BSL-1.0
// The composed core and the C that it is measured against do the same: the same accesses in the same order, the same
// callbacks, the same answers. A step that one of them left out would make its count worth nothing.
#include "composed.hpp"

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <functional>
#include <utility>
#include <vector>

extern "C" {
C_CORE(c_null_1_)
C_CORE(c_null_16_)
C_CORE(c_spin_1_)
C_CORE(c_spin_16_)
C_CORE(c_optimistic_16_)
std::uint64_t volatile fake_clock = 0;
}

namespace {

namespace db = doorbell;
namespace offset = doorbell::ufs::offset;
namespace cause = doorbell::ufs::cause;

constexpr std::uint32_t all_causes = db::ufshci::transfer | db::ufshci::uic | db::ufshci::errors;

/// The generations of the first two submissions.
constexpr std::uint32_t first = 12, second = 20;

struct access {
    char kind;
    std::size_t offset;
    std::uint32_t value;
    friend bool operator==(access const&, access const&) = default;
};

/// Registers as the hardware has them, as far as this test goes; nothing finishes by itself.
struct machine {
    std::uint32_t status = 0, enable = 0, doorbell = 0;
    std::vector<access> log{};
    std::vector<std::uint32_t> completed{}, outcomes{}, links{}, errors{};
    std::function<void(unsigned)> in_callback{};

    std::uint32_t load(std::size_t at) {
        std::uint32_t const value = at == offset::is ? status : at == offset::utrldbr ? doorbell : 31;
        log.push_back({'r', at, value});
        return value;
    }

    void store(std::size_t at, std::uint32_t value) {
        log.push_back({'w', at, value});
        if (at == offset::is) {
            status &= ~value;
        } else if (at == offset::ie) {
            enable = value;
        } else if (at == offset::utrldbr) {
            doorbell |= value;
        }
    }

    [[nodiscard]] std::vector<access> take_log() { return std::exchange(log, {}); }
};

class logging_bank {
public:
    explicit logging_bank(machine& m) noexcept : machine_{&m} {}

    [[nodiscard]] std::uint32_t load(std::size_t at) const noexcept { return machine_->load(at); }

    void store(std::size_t at, std::uint32_t value) const noexcept { machine_->store(at, value); }

    void before_doorbell() const noexcept {}

    void after_done() const noexcept {}

    void before_unlock() const noexcept {}

private:
    machine* machine_;
};

struct answer {
    unsigned status;
    std::uint32_t generation;
    friend bool operator==(answer const&, answer const&) = default;
};

template <class Lock, unsigned Stride, class... Options>
class composed_subject {
public:
    static constexpr unsigned stride = Stride;

    explicit composed_subject(machine& m) : core_{disk_, logging_bank{m}} { disk_.data.self = &m; }

    c_descriptor* list() { return disk_.data.list; }

    void start(std::uint32_t usable) { (void)core_.start(db::tag_set<32>{usable}, all_causes); }

    answer submit(unsigned tag) { return told(core_.submit(db::tag{tag})); }

    answer submit_set(std::uint32_t set) { return told(core_.submit(db::tag_set<32>{set})); }

    unsigned irq() {
        auto const r = core_.on_hard_irq();
        unsigned told = C_NONE;
        told |= r.handled() ? unsigned{C_HANDLED} : 0U;
        told |= r.wake_thread() ? unsigned{C_WAKE} : 0U;
        told |= r.controller_gone() ? unsigned{C_GONE} : 0U;
        return told;
    }

    unsigned thread() { return told(core_.on_thread()); }

    unsigned poll() { return told(core_.poll()); }

    [[nodiscard]] std::uint32_t outstanding() { return core_.outstanding().raw(); }

    [[nodiscard]] std::uint32_t parked() { return core_.leftover().raw(); }

    [[nodiscard]] std::vector<std::uint32_t> counts() const {
        auto const c = core_.observer().counts();
        return {c.unknown, c.unhandled, c.spurious, c.gone, c.refused};
    }

private:
    static answer told(db::submitted s) { return {static_cast<unsigned>(s.status()), s ? s.generation() : 0}; }

    static unsigned told(db::thread_result r) {
        return r.again() ? unsigned{C_AGAIN} : r.retry() ? unsigned{C_RETRY} : unsigned{C_IDLE};
    }

    counted::disk disk_{};
    counted::composed<Lock, Stride, logging_bank, Options...> core_;
};

struct c_functions {
    void (*start)(c_core*, std::uint32_t, std::uint32_t);
    c_submitted (*submit)(c_core*, std::uint32_t);
    c_submitted (*submit_set)(c_core*, std::uint32_t);
    unsigned (*irq)(c_core*);
    unsigned (*thread)(c_core*);
    unsigned (*poll)(c_core*);
};

template <class Functions, unsigned Stride>
class c_subject {
    static constexpr c_functions F = Functions::all;

public:
    static constexpr unsigned stride = Stride;

    explicit c_subject(machine& m) {
        disk_.self = &m;
        core_.disk = &disk_;
        core_.registers = reinterpret_cast<unsigned char*>(&m);
        core_.barred = ~0U;
        core_.why_barred = C_NOT_STARTED;
    }

    c_descriptor* list() { return disk_.list; }

    void start(std::uint32_t usable) { F.start(&core_, usable, all_causes); }

    answer submit(unsigned tag) { return told(F.submit(&core_, tag)); }

    answer submit_set(std::uint32_t set) { return told(F.submit_set(&core_, set)); }

    unsigned irq() { return F.irq(&core_); }

    // Both bits at once mean the same as the first one.
    unsigned thread() { return told(F.thread(&core_)); }

    unsigned poll() { return told(F.poll(&core_)); }

    [[nodiscard]] std::uint32_t outstanding() const { return core_.outstanding | core_.closing; }

    [[nodiscard]] std::uint32_t parked() const { return core_.parked; }

    [[nodiscard]] std::vector<std::uint32_t> counts() const {
        return {core_.unknown, core_.unhandled, core_.spurious, core_.gone, core_.refused};
    }

private:
    static answer told(c_submitted s) {
        return {static_cast<unsigned>(s.status), static_cast<std::uint32_t>(s.generation)};
    }

    static unsigned told(unsigned r) { return (r & C_AGAIN) != 0 ? unsigned{C_AGAIN} : r; }

    c_disk disk_{};
    c_core core_{};
};

#define C_SUBJECT(name, stride)                                                                                        \
    struct name##_functions {                                                                                          \
        static constexpr c_functions all{name##_start, name##_submit, name##_submit_set,                               \
                                         name##_irq,   name##_thread, name##_poll};                                    \
    };                                                                                                                 \
    using name = c_subject<name##_functions, stride>;
C_SUBJECT(c_null_1, 1)
C_SUBJECT(c_null_16, 16)
C_SUBJECT(c_spin_1, 1)
C_SUBJECT(c_spin_16, 16)

#define SUBJECTS                                                                                                       \
    (composed_subject<db::null_lock, 1>), (composed_subject<db::null_lock, 16>),                                       \
        (composed_subject<db::irq_spin_lock, 1>), (composed_subject<db::irq_spin_lock, 16>), c_null_1, c_null_16,      \
        c_spin_1, c_spin_16

struct c_optimistic_functions {
    static constexpr c_functions all{c_optimistic_16_start,          c_optimistic_16_submit, c_optimistic_16_submit_set,
                                     c_optimistic_16_irq_optimistic, c_optimistic_16_thread, c_optimistic_16_poll};
};

using c_optimistic = c_subject<c_optimistic_functions, 16>;
#define OPTIMISTIC_SUBJECTS (composed_subject<db::null_lock, 16, db::optimistic<64>>), c_optimistic

/// A subject with its machine, started, and the log of that forgotten.
template <class Subject>
struct started {
    explicit started(std::uint32_t usable = ~0U) {
        fake_clock = 1'000;
        subject.start(usable);
        REQUIRE(hw.enable == all_causes);
        hw.log.clear(); // bringing up is not what is compared
    }

    /// The hardware finishes `tags` and raises the line.
    void finish(std::uint32_t tags, std::uint32_t outcome = 0) {
        for (unsigned i = 0; i < 32; ++i) {
            if ((tags >> i & 1U) != 0) {
                subject.list()[i].word[2] = outcome;
            }
        }
        hw.doorbell &= ~tags;
        hw.status |= cause::utrcs;
    }

    machine hw{};
    Subject subject{hw};
};

std::vector<std::uint32_t> bits_of(std::uint32_t word) {
    std::vector<std::uint32_t> all;
    for (unsigned i = 0; i < 32; ++i) {
        if ((word >> i & 1U) != 0) {
            all.push_back(i);
        }
    }
    return all;
}

} // namespace

extern "C" {
std::uint32_t logged_load(void* registers, std::uint32_t at) {
    return static_cast<machine*>(registers)->load(at);
}

void logged_store(void* registers, std::uint32_t at, std::uint32_t value) {
    static_cast<machine*>(registers)->store(at, value);
}

void disk_completed(c_disk* disk, unsigned tag, std::uint32_t outcome) {
    auto& hw = *static_cast<machine*>(disk->self);
    hw.completed.push_back(tag);
    hw.outcomes.push_back(outcome);
    if (hw.in_callback) {
        hw.in_callback(tag);
    }
}

void disk_uic_done(c_disk* disk, std::uint32_t causes) {
    static_cast<machine*>(disk->self)->links.push_back(causes);
}

void disk_link_error(c_disk* disk, std::uint32_t causes) {
    static_cast<machine*>(disk->self)->errors.push_back(causes);
}
}

TEMPLATE_TEST_CASE("a submission is one write of the doorbell and a generation", "[counts]", SUBJECTS) {
    started<TestType> s;
    CHECK(s.subject.submit(5) == answer{C_ACCEPTED, first});
    CHECK(s.hw.take_log() == std::vector<access>{{'w', offset::utrldbr, 1U << 5}});
    CHECK(s.subject.submit_set(0x8000'0003) == answer{C_ACCEPTED, second});
    CHECK(s.hw.take_log() == std::vector<access>{{'w', offset::utrldbr, 0x8000'0003}});
    CHECK(s.subject.outstanding() == 0x8000'0023);
    CHECK(s.subject.counts() == std::vector<std::uint32_t>{0, 0, 0, 0, 0});
}

TEMPLATE_TEST_CASE("a refused submission touches no register", "[counts]", SUBJECTS) {
    started<TestType> s{0x0000'FFFF};
    CHECK(s.subject.submit(5) == answer{C_ACCEPTED, first});
    (void)s.hw.take_log();
    CHECK(s.subject.submit(5).status == C_BUSY);
    CHECK(s.subject.submit_set(0x60).status == C_BUSY);
    CHECK(s.subject.submit(16).status == C_OUT_OF_RANGE);
    CHECK(s.subject.submit(32).status == C_OUT_OF_RANGE);
    CHECK(s.subject.submit_set(0x0001'0001).status == C_OUT_OF_RANGE);
    CHECK(s.hw.take_log().empty());
    CHECK(s.subject.outstanding() == 1U << 5);
    CHECK(s.subject.submit(6) == answer{C_ACCEPTED, second});
    CHECK(s.subject.counts().back() == 5);
}

TEMPLATE_TEST_CASE("an empty set is accepted and rings nothing", "[counts]", SUBJECTS) {
    started<TestType> s;
    CHECK(s.subject.submit_set(0) == answer{C_ACCEPTED, 0});
    CHECK(s.hw.take_log().empty());
    machine hw;
    TestType stopped{hw};
    CHECK(stopped.submit_set(0).status == C_NOT_STARTED);
}

TEMPLATE_TEST_CASE("before it starts a core touches no register", "[counts]", SUBJECTS) {
    machine hw;
    TestType subject{hw};
    hw.status = cause::utrcs;
    CHECK(subject.irq() == C_NONE);
    CHECK(subject.thread() == C_IDLE);
    CHECK(subject.poll() == C_IDLE);
    CHECK(subject.submit(0).status == C_NOT_STARTED);
    CHECK(hw.take_log().empty());
}

TEMPLATE_TEST_CASE("an interrupt is two reads and one write, whatever has finished", "[counts]", SUBJECTS) {
    std::uint32_t const finished = GENERATE(0x1U, 0x8000'0000U, 0x1111'1111U, 0xFFFF'FFFFU);
    started<TestType> s;
    (void)s.subject.submit_set(~0U);
    s.finish(finished, 4);
    (void)s.hw.take_log();
    CHECK(s.subject.irq() == C_HANDLED);
    CHECK(
        s.hw.take_log() ==
        std::vector<access>{
            {'r', offset::is, cause::utrcs}, {'w', offset::is, cause::utrcs}, {'r', offset::utrldbr, ~finished}});
    CHECK(s.hw.completed == bits_of(finished));
    CHECK(s.hw.outcomes == std::vector<std::uint32_t>(s.hw.completed.size(), 4));
    CHECK(s.subject.outstanding() == ~finished);
    CHECK(s.subject.parked() == 0);
}

TEMPLATE_TEST_CASE("a poll is one read", "[counts]", SUBJECTS) {
    started<TestType> s;
    (void)s.subject.submit_set(0xFF);
    s.finish(0x18);
    (void)s.hw.take_log();
    CHECK(s.subject.poll() == C_IDLE);
    CHECK(s.hw.take_log() == std::vector<access>{{'r', offset::utrldbr, 0xE7}});
    CHECK(s.hw.completed == std::vector<std::uint32_t>{3, 4});
    CHECK(s.subject.irq() == C_HANDLED); // its cause is still up, and nothing is left of it
    CHECK(s.hw.completed.size() == 2);
}

TEMPLATE_TEST_CASE("when the budget is used up the rest waits for the thread", "[counts]", SUBJECTS) {
    started<TestType> s;
    s.hw.in_callback = [](unsigned) { fake_clock = fake_clock + 1'500; };
    (void)s.subject.submit_set(~0U);
    s.finish(~0U);
    CHECK(s.subject.irq() == (C_HANDLED | C_WAKE));
    // 20 us are over in the fourteenth callback; a stride looks after the sixteenth
    std::size_t const done = TestType::stride == 1 ? 14 : 16;
    CHECK(s.hw.completed.size() == done);
    CHECK(s.subject.parked() == ~0U << done);
    CHECK(s.subject.submit(31).status == C_BUSY);
    (void)s.hw.take_log();
    CHECK(s.subject.thread() == C_IDLE);
    CHECK(s.hw.take_log() == std::vector<access>{{'r', offset::utrldbr, 0}});
    CHECK(s.hw.completed == bits_of(~0U));
    CHECK(s.subject.parked() == 0);
}

TEMPLATE_TEST_CASE("one finished request is completed however late it is", "[counts]", SUBJECTS) {
    started<TestType> s;
    s.hw.in_callback = [](unsigned) { fake_clock = fake_clock + 1'000'000; };
    (void)s.subject.submit(9);
    s.finish(1U << 9);
    CHECK(s.subject.irq() == C_HANDLED);
    CHECK(s.hw.completed == std::vector<std::uint32_t>{9});
}

TEMPLATE_TEST_CASE("a response that is not written yet is waited for, with one wake", "[counts]", SUBJECTS) {
    started<TestType> s;
    (void)s.subject.submit_set(0x7);
    s.finish(0x7);
    s.subject.list()[1].word[2] = 0xF;
    CHECK(s.subject.irq() == (C_HANDLED | C_WAKE));
    CHECK(s.hw.completed == std::vector<std::uint32_t>{0, 2});
    CHECK(s.subject.parked() == 0x2);
    CHECK(s.subject.thread() == C_RETRY);
    s.hw.status |= cause::utrcs;
    CHECK(s.subject.irq() == C_HANDLED);
    CHECK(s.subject.parked() == 0x2);
    s.subject.list()[1].word[2] = 0;
    CHECK(s.subject.poll() == C_IDLE);
    CHECK(s.hw.completed == std::vector<std::uint32_t>{0, 2, 1});
}

TEMPLATE_TEST_CASE("doorbell bits that nobody rang are counted and harm nobody", "[counts]", SUBJECTS) {
    started<TestType> s;
    (void)s.subject.submit_set(0x3);
    s.finish(0x1);
    s.hw.doorbell |= 0xC000'0000;
    CHECK(s.subject.irq() == C_HANDLED);
    CHECK(s.hw.completed == std::vector<std::uint32_t>{0});
    CHECK(s.subject.outstanding() == 0x2);
    CHECK(s.subject.counts().front() == 2);
}

TEMPLATE_TEST_CASE("a status of all ones means that the controller is gone", "[counts]", SUBJECTS) {
    started<TestType> s;
    (void)s.subject.submit(1);
    s.hw.status = ~0U;
    (void)s.hw.take_log();
    CHECK(s.subject.irq() == (C_HANDLED | C_WAKE | C_GONE));
    CHECK(s.subject.irq() == C_NONE);
    CHECK(s.hw.take_log() == std::vector<access>{{'r', offset::is, ~0U}});
    CHECK(s.subject.submit(2).status == C_GONE_AWAY);
    CHECK(s.subject.outstanding() == 0x2);
    CHECK(s.hw.completed.empty());
}

TEMPLATE_TEST_CASE("an interrupt without an enabled cause is somebody else's", "[counts]", SUBJECTS) {
    started<TestType> s;
    (void)s.hw.take_log();
    CHECK(s.subject.irq() == C_NONE);
    s.hw.status = cause::utmrcs; // not enabled: somebody polls it
    CHECK(s.subject.irq() == C_NONE);
    CHECK(s.hw.take_log() == std::vector<access>{{'r', offset::is, 0}, {'r', offset::is, cause::utmrcs}});
    CHECK(s.subject.counts()[2] == 2);
}

TEMPLATE_TEST_CASE("link causes are served in the interrupt, errors in the thread", "[counts]", SUBJECTS) {
    started<TestType> s;
    (void)s.subject.submit(0);
    s.finish(0x1);
    s.hw.status |= cause::uccs | cause::ue;
    (void)s.hw.take_log();
    CHECK(s.subject.irq() == (C_HANDLED | C_WAKE));
    std::uint32_t const raised = cause::utrcs | cause::uccs | cause::ue;
    CHECK(
        s.hw.take_log() ==
        std::vector<access>{{'r', offset::is, raised}, {'w', offset::is, raised}, {'r', offset::utrldbr, 0}});
    CHECK(s.hw.links == std::vector<std::uint32_t>{cause::uccs});
    CHECK(s.hw.errors.empty());
    CHECK(s.hw.completed.size() == 1);
    CHECK(s.subject.poll() == C_AGAIN);
    CHECK(s.subject.thread() == C_IDLE);
    CHECK(s.hw.errors == std::vector<std::uint32_t>{cause::ue});
    CHECK(s.subject.counts() == std::vector<std::uint32_t>{0, 0, 0, 0, 0});
}

TEMPLATE_TEST_CASE("a callback may submit its tag again", "[counts]", SUBJECTS) {
    started<TestType> s;
    (void)s.subject.submit_set(0x3);
    s.hw.in_callback = [&s](unsigned tag) { CHECK(s.subject.submit(tag).status == C_ACCEPTED); };
    s.finish(0x3);
    CHECK(s.subject.irq() == C_HANDLED);
    CHECK(s.hw.completed == std::vector<std::uint32_t>{0, 1});
    CHECK(s.subject.outstanding() == 0x3);
    CHECK(s.hw.doorbell == 0x3);
}

TEMPLATE_TEST_CASE("an optimistic interrupt is one write and one read", "[counts]", OPTIMISTIC_SUBJECTS) {
    std::uint32_t const finished = GENERATE(0x1U, 0x8000'0000U, 0x1111'1111U, 0xFFFF'FFFFU);
    started<TestType> s;
    (void)s.subject.submit_set(~0U);
    s.finish(finished);
    (void)s.hw.take_log();
    CHECK(s.subject.irq() == C_HANDLED);
    CHECK(s.hw.take_log() == std::vector<access>{{'w', offset::is, cause::utrcs}, {'r', offset::utrldbr, ~finished}});
    CHECK(s.hw.completed == bits_of(finished));
    CHECK(s.subject.outstanding() == ~finished);
}

TEMPLATE_TEST_CASE("every 64th optimistic interrupt reads the status", "[counts]", OPTIMISTIC_SUBJECTS) {
    started<TestType> s;
    for (unsigned i = 1; i <= 130; ++i) {
        (void)s.subject.submit(3);
        s.finish(1U << 3);
        (void)s.hw.take_log();
        CHECK(s.subject.irq() == C_HANDLED);
        CHECK(s.hw.take_log().size() == (i % 64 == 0 ? 3 : 2));
    }
}

TEMPLATE_TEST_CASE("an optimistic interrupt that claims nothing reads whose it is", "[counts]", OPTIMISTIC_SUBJECTS) {
    started<TestType> s;
    (void)s.hw.take_log();
    CHECK(s.subject.irq() == C_NONE);
    CHECK(
        s.hw.take_log() ==
        std::vector<access>{{'w', offset::is, cause::utrcs}, {'r', offset::utrldbr, 0}, {'r', offset::is, 0}});
    CHECK(s.subject.counts()[2] == 1);
    (void)s.subject.submit(0);
    s.finish(1);
    CHECK(s.subject.poll() == C_IDLE); // a poll was faster
    CHECK(s.subject.irq() == C_HANDLED);
    CHECK(s.subject.irq() == C_NONE);
    s.hw.status = cause::uccs | cause::ue;
    (void)s.hw.take_log();
    CHECK(s.subject.irq() == (C_HANDLED | C_WAKE));
    CHECK(s.hw.take_log().back() == access{'w', offset::is, cause::uccs | cause::ue});
    CHECK(s.hw.links == std::vector<std::uint32_t>{cause::uccs});
    CHECK(s.subject.thread() == C_IDLE);
    CHECK(s.hw.errors == std::vector<std::uint32_t>{cause::ue});
}

TEMPLATE_TEST_CASE("an optimistic interrupt hands over what the budget leaves", "[counts]", OPTIMISTIC_SUBJECTS) {
    started<TestType> s;
    s.hw.in_callback = [](unsigned) { fake_clock = fake_clock + 1'500; };
    (void)s.subject.submit_set(~0U);
    s.finish(~0U);
    CHECK(s.subject.irq() == (C_HANDLED | C_WAKE));
    CHECK(s.hw.completed.size() == 16);
    CHECK(s.subject.thread() == C_IDLE);
    CHECK(s.hw.completed == bits_of(~0U));
}
