// SPDX-License-Identifier: BSL-1.0
// The composed core on a controller that nobody here wrote: QEMU's UFS host controller, real interrupts, one processor
// core, no operating system. `image` writes a disk image at random, reads it back, and meets the faults that the model
// has; `economy` counts register accesses; `queue-image` and `queue-economy` do it in multi-queue mode. The exit status
// says how it went.
#include "../arm64_virt/machine.hpp"
#include "commands.hpp"
#include "pattern.hpp"

#include <doorbell/controllers/ufshci_queue.hpp>
#include <doorbell/flush/coalescer.hpp>
#include <doorbell/host.hpp>

#include <cstdint>
#include <initializer_list>

namespace {

namespace db = doorbell;
namespace ufs = doorbell::ufs;
using tags = db::tag_set<32>;

ufs_memory::memory dma;

[[noreturn]] void fail(char const* what, std::uint64_t value) {
    machine::put("FAILED: ");
    machine::put_line(what, value);
    machine::leave(1);
}

/// All accesses of this program to the controller's registers.
struct counted {
    std::uint64_t reads = 0, writes = 0;
} accesses;

class counting_bank {
public:
    constexpr explicit counting_bank(std::uintptr_t base) noexcept : registers_{base} {}

    [[nodiscard]] std::uint32_t load(std::size_t offset) noexcept {
        ++accesses.reads;
        return registers_.load(offset);
    }

    void store(std::size_t offset, std::uint32_t value) noexcept {
        ++accesses.writes;
        registers_.store(offset, value);
    }

    void before_doorbell() noexcept { registers_.before_doorbell(); }

    void after_done() noexcept { registers_.after_done(); }

    void before_unlock() noexcept { registers_.before_unlock(); }

private:
    db::mmio_bank registers_;
};

std::uint64_t counter_frequency() {
    std::uint64_t hz = 0;
    asm volatile("mrs %0, cntfrq_el0" : "=r"(hz));
    return hz;
}

/// The driver of one device. Callbacks may run in the hard handler: they note what ended, and the main loop looks at
/// it.
struct disk {
    tags flying{}, news{}, bad{};
    std::uint64_t requests = 0, ended = 0, doubled = 0, early = 0, in_handler = 0;
    bool handler = false;
    bool (*is_flush)(db::tag, db::outcome) = nullptr;
    int flush_answer = -1;

    db::outcome response(db::tag t) const noexcept { return ufs::response(dma.list[t.index]); }

    void completed(db::claimed<db::any_context> won, db::outcome o) noexcept {
        if (is_flush != nullptr and is_flush(won.get(), o)) {
            return;
        }
        unsigned char const* const response = dma.commands[won.index()].response;
        ++ended;
        in_handler += handler ? 1U : 0U;
        doubled += flying.contains(won.get()) ? 0U : 1U;
        flying.erase(won.get());
        news.insert(won.get());
        if (o != db::outcome::success or response[6] != 0 or response[7] != 0) {
            bad.insert(won.get());
        }
    }

    void failed(db::raised<db::thread_context> causes) const noexcept { fail("error causes ", causes.bits()); }

    // What flushing takes.
    static ufs::utrd& flush_descriptor(db::tag t) noexcept { return dma.list[t.index]; }

    static ufs::flush_buffer& flush_memory(db::tag) noexcept { return dma.flush; }

    static std::uint64_t flush_address(db::tag) noexcept { return ufs_memory::address_of(&dma.flush); }

    void flushed(db::tag, bool durable) noexcept { flush_answer = durable ? 1 : 0; }
};

/// The same device behind a pair of rings.
using queue_state = ufs::queue_state<32>;

struct queue_disk : disk {
    queue_state queue{};

    void prepare(db::tag t) noexcept { dma.submissions[queue.next_submission()] = dma.list[t.index]; }

    db::outcome response(db::tag t) const noexcept { return queue.response(t); }
};

/// A completion entry names the memory of its request.
struct tag_of {
    db::tag operator()(ufs::completion_entry const& entry) const noexcept {
        std::uint64_t const request = (std::uint64_t{entry.word[1]} << 32 | entry.word[0]) & ~std::uint64_t{0x7F};
        if (request == ufs_memory::address_of(&dma.flush)) {
            return {31};
        }
        return {static_cast<unsigned>((request - ufs_memory::address_of(dma.commands)) / sizeof(ufs_memory::command))};
    }
};

/// The interrupt, for whichever core is in use.
struct interrupt_line {
    db::irq_result (*enter)(void*) = nullptr;
    void* core = nullptr;
    disk* driver = nullptr;
    counting_bank* above = nullptr; ///< where the sum of the queues' causes is acknowledged, before they are read
    std::uint64_t entries = 0, foreign = 0, longest = 0;
    bool wake = false;
} line;

/// The list of transfers behind its doorbell.
struct doorbell_mode {
    using driver = disk;
    using bank = counting_bank;
    static constexpr bool queues = false;

    template <class Budget, class... Options>
    using core = db::host<
        db::ufshci, driver, bank, db::cycle_counter, Budget, db::interrupt_lock, db::cores<1>,
        db::handlers<db::deferred<db::ufshci::errors, &disk::failed>>, Options...>;

    driver& device;
    bank registers;
};

/// A pair of rings: another controller, the same core.
struct queue_mode {
    using driver = queue_disk;
    using bank = ufs::queue_bank<counting_bank, 32>;
    static constexpr bool queues = true;

    template <class Budget, class... Options>
    using core = db::host<
        db::ufshci_queue<32, tag_of>, driver, bank, db::cycle_counter, Budget, db::interrupt_lock, db::cores<1>,
        Options...>;

    driver& device;
    bank registers;
};

/// What the main loop does with one core.
template <class Mode, class Budget, class... Options>
class session {
public:
    using core_type = typename Mode::template core<Budget, Options...>;

    std::uint64_t batches = 0, thread_runs = 0, polls = 0;

    explicit session(Mode const& mode)
        : disk_{mode.device}, core_{mode.device, mode.registers, db::cycle_counter{counter_frequency()}} {
        line.core = &core_;
        line.driver = &mode.device;
        line.enter = [](void* core) { return static_cast<core_type*>(core)->on_hard_irq(); };
        if (core_.start() != db::start_status::started) {
            fail("the core does not start", 0);
        }
    }

    session(session const&) = delete;
    session& operator=(session const&) = delete;

    ~session() {
        if (not core_.stop().empty()) {
            fail("the controller holds requests at the end: ", core_.outstanding().raw());
        }
        line.enter = nullptr;
    }

    [[nodiscard]] core_type& core() { return core_; }

    void send(tags set) {
        auto const before = db::cpu_interrupts::mask();
        disk_.flying |= set;
        for ([[maybe_unused]] db::tag const each : set) { // counting bits is floating point's work here
            ++disk_.requests;
        }
        db::cpu_interrupts::restore(before);
        ++batches;
        if (not core_.submit(set)) {
            fail("a submission was refused for tags ", set.raw());
        }
    }

    /// Waits until something ended, and returns it.
    tags take() {
        std::uint64_t const limit = clock_.now() + 20 * counter_frequency();
        tags ended{};
        while (ended.empty()) {
            machine::sleep_while([this] { return disk_.news.empty() and not line.wake; });
            serve();
            ended = taken();
            if (clock_.now() > limit) {
                fail("nothing ended, of tags ", core_.outstanding().raw());
            }
        }
        return ended;
    }

    /// One request on its own. False: it ended with an error.
    bool one(unsigned slot) {
        disk_.bad = {};
        send(tags{db::tag{slot}});
        tags const ended = take();
        if (ended != tags{db::tag{slot}}) {
            fail("another request ended: ", ended.raw());
        }
        return disk_.bad.empty();
    }

    /// Places `first` to `end` of the shuffled blocks, `depth` at a time; a batch goes out with one doorbell, or each
    /// request with its own.
    void transfer(unsigned first, unsigned end, unsigned depth, unsigned char operation, bool batched, bool checked) {
        tags idle{static_cast<std::uint32_t>((std::uint64_t{1} << depth) - 1)};
        tags const all = idle;
        disk_.bad = {};
        for (unsigned next = first; next < end or idle != all;) {
            tags batch{};
            while (not idle.empty() and next < end) {
                db::tag const slot = idle.front();
                idle.pop_front();
                begin(slot.index, operation, shuffled(next++), checked);
                batch.insert(slot);
                if (not batched) {
                    send(tags{slot});
                }
            }
            if (batched and not batch.empty()) {
                send(batch);
            }
            for (db::tag const each : take()) {
                if (checked and operation == ufs_memory::read_10) {
                    check(each.index);
                }
                idle.insert(each);
            }
        }
        if (not disk_.bad.empty()) {
            fail("requests ended with an error: ", disk_.bad.raw());
        }
    }

    /// Interrupts are off for a while: whoever looks finds what finished, and the interrupt that comes later nothing.
    void without_interrupts() {
        for (unsigned slot = 0; slot < 8; ++slot) {
            begin(slot, ufs_memory::read_10, shuffled(slot), true);
        }
        auto const before = db::cpu_interrupts::mask();
        std::uint64_t const entries = line.entries;
        send(tags{0xFF});
        tags ended{};
        std::uint64_t const limit = clock_.now() + 20 * counter_frequency();
        while (ended != tags{0xFF} and clock_.now() < limit) {
            ++polls;
            (void)core_.poll();
            ended |= disk_.news;
            disk_.news = {};
        }
        if (ended != tags{0xFF} or line.entries != entries) {
            fail("polling did not find all: ", ended.raw());
        }
        db::cpu_interrupts::restore(before);
        for (unsigned slot = 0; slot < 8; ++slot) {
            check(slot);
        }
    }

private:
    void serve() {
        while (line.wake) {
            line.wake = false;
            ++thread_runs;
            if (core_.on_thread().again()) {
                line.wake = true; // never `line.wake or`: an interrupt may set it in between
            }
        }
    }

    tags taken() {
        auto const before = db::cpu_interrupts::mask();
        tags const ended = disk_.news;
        disk_.news = {};
        db::cpu_interrupts::restore(before);
        return ended;
    }

    void begin(unsigned slot, unsigned char operation, unsigned block, bool filled) {
        block_of_[slot] = block;
        for (unsigned n = 0; filled and n < words_per_block; ++n) {
            dma.data[slot][n] = operation == ufs_memory::write_10 ? pattern(block, n) : 0;
        }
        ufs_memory::scsi(dma, slot, operation, block, 1);
    }

    void check(unsigned slot) {
        for (unsigned n = 0; n < words_per_block; ++n) {
            if (dma.data[slot][n] != pattern(block_of_[slot], n)) {
                fail("wrong data in block ", block_of_[slot]);
            }
        }
    }

    disk& disk_;
    core_type core_;
    db::cycle_counter clock_{counter_frequency()};
    unsigned block_of_[32]{};
};

/// Controller and link from reset to running lists.
void bring_up(counting_bank& bank, bool queues) {
    db::write<ufs::hce>(bank, 1);
    while ((db::read<ufs::hce>(bank) & 1U) == 0) {
    }
    if (queues) {
        constexpr std::uint32_t multi_queue = 1;
        bank.store(ufs::offset::config, multi_queue);
    }
    db::write<ufs::ucmdarg1>(bank, 0);
    db::write<ufs::ucmdarg2>(bank, 0);
    db::write<ufs::ucmdarg3>(bank, 0);
    constexpr std::uint32_t link_start_up = 0x16;
    db::write<ufs::uiccmd>(bank, link_start_up);
    while ((db::read<ufs::is>(bank) & ufs::cause::uccs) == 0) {
    }
    db::acknowledge<ufs::is>(bank, ufs::cause::uccs);
    if (std::uint32_t const answer = db::read<ufs::ucmdarg2>(bank); (answer & 0xFFU) != 0) {
        fail("the link does not start: ", answer);
    }
    std::uint32_t const ready = 0b1111; // device present, both lists and the command register ready
    if (std::uint32_t const status = db::read<ufs::hcs>(bank); (status & ready) != ready) {
        fail("the controller is not ready: ", status);
    }
    db::write<ufs::utrlba>(bank, static_cast<std::uint32_t>(ufs_memory::address_of(dma.list)));
    db::write<ufs::utrlbau>(bank, 0);
    db::write<ufs::utmrlba>(bank, static_cast<std::uint32_t>(ufs_memory::address_of(dma.tasks)));
    db::write<ufs::utmrlbau>(bank, 0);
    db::write<ufs::utmrlrsr>(bank, 1);
    db::write<ufs::utrlrsr>(bank, 1);
}

/// Multi-queue mode with one pair of rings, after the link. Returns where the pair's registers are.
ufs::queue_place open_queue(counting_bank& bank) {
    namespace at = ufs::offset;
    std::size_t const block = (bank.load(at::mcqcap) >> 16 & 0xFFU) * at::queue_config_unit;
    constexpr std::uint32_t size = ufs_memory::memory::depth * 8 - 1; // in words
    constexpr std::uint32_t enabled = 1U << 31;
    bank.store(block + at::sqlba, static_cast<std::uint32_t>(ufs_memory::address_of(dma.submissions)));
    bank.store(block + at::squba, 0);
    bank.store(block + at::cqlba, static_cast<std::uint32_t>(ufs_memory::address_of(dma.completions)));
    bank.store(block + at::cquba, 0);
    bank.store(block + at::cqattr, enabled | size);
    bank.store(block + at::sqattr, enabled | size);
    bank.store(at::mcqconfig, 31U << 8);
    bank.store(at::ie, ufs::cause::cqes);
    return {
        .sqd = bank.load(block + at::sqdao),
        .cqd = bank.load(block + at::cqdao),
        .cqis = bank.load(block + at::cqisao),
        .completions = dma.completions,
        .depth = ufs_memory::memory::depth};
}

/// Device from link to ready.
template <class Mode>
void initialise(Mode const& mode) {
    session<Mode, db::inline_all> run{mode};
    ufs_memory::nop(dma, 0);
    if (not run.one(0) or dma.commands[0].response[0] != 0x20) {
        fail("NOP OUT is not answered: ", dma.commands[0].response[0]);
    }
    ufs_memory::query_device_init(dma, 0, 6);
    (void)run.one(0);
    do {
        ufs_memory::query_device_init(dma, 0, 5);
        (void)run.one(0);
    } while (dma.commands[0].response[23] != 0);
    ufs_memory::scsi(dma, 0, ufs_memory::test_unit_ready, 0, 0);
    (void)run.one(0); // the first answer is that it was switched on
    ufs_memory::scsi(dma, 0, ufs_memory::test_unit_ready, 0, 0);
    if (not run.one(0)) {
        fail("the unit is not ready: ", dma.commands[0].response[7]);
    }
}

template <class Mode>
void image(Mode const& mode) {
    disk& device = mode.device;
    std::uint64_t const requests = device.requests;
    {
        session<Mode, db::count_budget<2>> run{mode}; // something is left to the main loop nearly always
        for (unsigned depth = 1; depth <= 32; ++depth) {
            constexpr unsigned share = blocks / 32;
            run.transfer((depth - 1) * share, depth * share, depth, ufs_memory::write_10, depth % 2 == 0, true);
        }
        run.transfer(0, blocks, 32, ufs_memory::read_10, true, true);
        for (unsigned n = 0; n < 100; ++n) {
            run.without_interrupts();
        }
        // A unit that is not there, and a block behind the end, among good requests: each error reaches its own.
        for (unsigned slot = 0; slot < 8; ++slot) {
            ufs_memory::scsi(
                dma, slot, ufs_memory::read_10, slot == 5 ? blocks : shuffled(slot), 1,
                static_cast<unsigned char>(slot == 2 ? 5 : 0));
        }
        device.bad = {};
        run.send(tags{0xFF});
        for (tags ended{}; ended != tags{0xFF};) {
            ended |= run.take();
        }
        if (device.bad != tags{0b10'0100}) {
            fail("errors reached the requests ", device.bad.raw());
        }
        machine::put_line("thread runs              ", run.thread_runs);
        machine::put_line("polls, interrupts off    ", run.polls);
    }
    machine::put_line("requests                 ", device.requests - requests);
    machine::put_line("in the hard handler      ", device.in_handler);

    // A flush goes through the coalescer and a slot of its own.
    using flushing = typename Mode::template core<db::inline_all>;
    using coalescer_type = db::flush_coalescer<db::cycle_counter, db::interrupt_lock, db::flush_domains<1>>;
    using flusher_type = ufs::cache_flush<flushing, coalescer_type, disk, 1>;
    session<Mode, db::inline_all> run{mode};
    (void)run.core().stop();
    tags const slot{db::tag{31}};
    if (run.core().start({.usable = tags::all(), .reserved = slot, .causes = flushing::all_causes}) !=
        db::start_status::started) {
        fail("the core does not start again", 0);
    }
    coalescer_type coalescer{db::cycle_counter{counter_frequency()}};
    flusher_type flusher{run.core(), coalescer, device, db::tag{31}, {0}};
    static flusher_type* in_use = nullptr;
    in_use = &flusher;
    device.is_flush = [](db::tag t, db::outcome o) { return in_use->completed(t, o); };
    if (coalescer.open(db::tag{0}) != db::flush_status::accepted) {
        fail("the coalescer takes no stream", 0);
    }
    coalescer.write_completed(db::tag{0});
    (void)flusher.flush(db::tag{0}, db::tag{0}, db::tag{0});
    machine::sleep_while([&device] { return device.flush_answer < 0; });
    device.is_flush = nullptr;
    if (device.flush_answer != 1) {
        fail("the flush failed", 0);
    }
    machine::put("flushed\n");
}

/// In which order an entry of the hard handler reads registers.
enum class order { status_first, status_only, optimistic };

/// One row: accesses that nothing explains are an error.
template <class Budget, class... Options, class Mode>
void row(char const* name, Mode const& mode, unsigned depth, bool batched, order how) {
    session<Mode, Budget, Options...> run{mode};
    constexpr unsigned requests = 4'096;

    struct snapshot {
        counted registers = accesses;
        std::uint64_t entries = line.entries, foreign = line.foreign;
    };

    auto const now = [] { // no interrupt comes in between
        auto const before = db::cpu_interrupts::mask();
        snapshot const seen{};
        db::cpu_interrupts::restore(before);
        return seen;
    };
    snapshot const before = now();
    run.transfer(0, requests, depth, ufs_memory::read_10, batched, false);
    snapshot const after = now();
    std::uint64_t const reads = after.registers.reads - before.registers.reads;
    std::uint64_t const writes = after.registers.writes - before.registers.writes;
    std::uint64_t const interrupts = after.entries - before.entries;
    // Of a ring: what was posted while the last entry worked was taken by it, and the sum of causes rose once more.
    std::uint64_t const in_vain = after.foreign - before.foreign;
    machine::put(name);
    for (std::uint64_t const each : {std::uint64_t{depth}, interrupts, run.batches, reads, writes, run.thread_runs}) {
        machine::put("  ");
        machine::put(each);
    }
    machine::put("\n");
    // A ring's interrupt is acknowledged above too, and whoever took entries gives their places back.
    std::uint64_t const least = run.batches + (Mode::queues ? 2 : 1) * interrupts - in_vain;
    std::uint64_t const most = least + (Mode::queues ? interrupts + run.thread_runs : 0);
    if (writes < least or writes > most or (Mode::queues and depth == 1 and writes != 4 * requests)) {
        fail("writes that nothing explains, at depth ", depth);
    }
    // Optimistically the status is read in every 64th entry, and in one that found nothing.
    std::uint64_t const explained = how == order::status_first  ? 2 * interrupts - in_vain + run.thread_runs
                                    : how == order::status_only ? interrupts + run.thread_runs
                                                                : interrupts + interrupts / 64;
    if ((how != order::optimistic or depth == 1) and reads != explained) {
        fail("reads that nothing explains, at depth ", depth);
    }
    if (depth == 1 and interrupts != requests) {
        fail("interrupts for one request at a time: ", interrupts);
    }
}

template <class Mode>
void economy(Mode const& mode) {
    using timed = db::time_budget<20'000>;
    using adaptive = db::adaptive_budget<20'000>;
    machine::put("policy      depth  interrupts  doorbells  reads  writes  thread runs, for 4096 requests\n");
    for (unsigned const depth : {1U, 8U, 32U}) {
        for (bool const batched : {false, true}) {
            auto const of = [batched](char const* each, char const* together) { return batched ? together : each; };
            constexpr order usual = order::status_first;
            row<db::inline_all>(of("hard             ", "hard, batched    "), mode, depth, batched, usual);
            row<timed>(of("time             ", "time, batched    "), mode, depth, batched, usual);
            row<adaptive>(of("adaptive         ", "adaptive, batched"), mode, depth, batched, usual);
            row<db::deferred_all>(
                of("thread           ", "thread, batched  "), mode, depth, batched, order::status_only);
            if constexpr (not Mode::queues) {
                row<db::inline_all, db::optimistic<64>>(
                    of("optimistic       ", "optimistic, batch"), mode, depth, batched, order::optimistic);
            }
        }
    }
}

template <class Mode>
void run(Mode const& mode, bool counts) {
    initialise(mode);
    if (counts) {
        economy(mode);
    } else {
        image(mode);
    }
}

} // namespace

extern "C" {

void* memset(void* to, int value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) {
        static_cast<unsigned char volatile*>(to)[i] = static_cast<unsigned char>(value);
    }
    return to;
}

void* memcpy(void* to, void const* from, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) {
        static_cast<unsigned char volatile*>(to)[i] = static_cast<unsigned char const*>(from)[i];
    }
    return to;
}

void on_interrupt() {
    unsigned const number = machine::begin_interrupt();
    if (number >= machine::no_interrupt) {
        return;
    }
    ++line.entries;
    if (line.enter != nullptr) {
        db::cycle_counter const clock{1};
        std::uint64_t const begin = clock.now();
        line.driver->handler = true;
        if (line.above != nullptr) {
            db::acknowledge<ufs::is>(*line.above, ufs::cause::cqes);
        }
        auto const result = line.enter(line.core);
        line.driver->handler = false;
        line.foreign += result.handled() ? 0U : 1U;
        line.wake = line.wake or result.wake_thread();
        std::uint64_t const took = clock.now() - begin;
        line.longest = took > line.longest ? took : line.longest;
    }
    machine::end_interrupt(number);
}

void faulted(std::uint64_t syndrome, std::uint64_t where, std::uint64_t address) {
    machine::put_line("fault: ESR ", syndrome);
    machine::put_line("at ", where);
    machine::put_line("address ", address);
    machine::leave(2);
}

void leave() {
    machine::leave(0);
}

void firmware() {
    auto const adapter = machine::find_pci(0x010901);
    if (not adapter.found()) {
        fail("no UFS controller on PCI bus ", 0);
    }
    char asked[16]{};
    machine::command_line(asked, sizeof asked);
    bool const queues = asked[0] == 'q';
    counting_bank bank{adapter.map(0)};
    bring_up(bank, queues);
    static queue_disk device;
    machine::open_interrupt(adapter.interrupt());
    if (queues) {
        device.queue = queue_state{open_queue(bank)};
        line.above = &bank;
        run(queue_mode{device, {bank, device.queue}}, asked[6] == 'e');
    } else {
        run(doorbell_mode{device, bank}, asked[0] == 'e');
    }
    std::uint64_t const lost = device.requests - device.ended;
    machine::put_line("interrupts               ", line.entries);
    machine::put_line("of them not ours         ", line.foreign);
    machine::put_line("longest handler, ticks   ", line.longest);
    machine::put_line("register reads           ", accesses.reads);
    machine::put_line("register writes          ", accesses.writes);
    machine::put_line("lost                     ", lost);
    machine::put_line("doubled                  ", device.doubled);
    if (lost != 0 or device.doubled != 0) {
        fail("requests were lost or doubled: ", lost);
    }
    machine::put("PASSED\n");
    machine::leave(0);
}
}
