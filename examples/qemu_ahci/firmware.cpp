// SPDX-License-Identifier: BSL-1.0
// The composed core on a controller that nobody here wrote: QEMU's AHCI adapter with a disk image, real interrupts, one
// processor core, no operating system. Queued writes and reads at every depth from 1 to 32, each byte checked; a
// command that fails, and a reset of a busy disk, each with a restart of the list; a flush. The exit status says how it
// went.
#include "../arm64_virt/machine.hpp"
#include "commands.hpp"
#include "pattern.hpp"

#include <doorbell/controllers/ahci.hpp>
#include <doorbell/host.hpp>

#include <cstdint>

namespace {

namespace db = doorbell;
namespace px = doorbell::sata::px;
namespace hba = doorbell::sata::hba;
namespace command = ahci_memory::command;
using tags = db::tag_set<32>;

ahci_memory::memory dma;

constexpr std::uint32_t long_sectors = 8192; // 4 MiB, the most that one data entry describes

/// Counts the accesses of the core.
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

/// The driver of one disk. Callbacks may run in the hard handler: they note what ended, and the main loop looks at it.
struct disk {
    db::sata::port& port;
    tags unqueued{};
    tags news{}; ///< what ended since the main loop looked
    std::uint64_t requests = 0, ended = 0, doubled = 0, resets = 0;
    tags flying{};
    bool broken = false;

    void prepare(db::tag t) noexcept {
        if (unqueued.contains(t)) {
            port.unqueued(t);
        }
    }

    db::outcome response(db::tag) const noexcept { return db::outcome::success; }

    void completed(db::claimed<db::any_context> won, db::outcome o) noexcept {
        ++ended;
        doubled += flying.contains(won.get()) ? 0U : 1U;
        flying.erase(won.get());
        news.insert(won.get());
        resets += o == db::outcome::reset ? 1U : 0U;
    }

    void failed(db::raised<db::thread_context>) noexcept { broken = true; }
};

using registers = db::sata::port_bank<counting_bank>;
using core_type = db::host<
    db::ahci, disk, registers, db::cycle_counter, db::count_budget<8>, db::interrupt_lock, db::cores<1>,
    db::handlers<db::deferred<db::ahci::errors, &disk::failed>>>;

struct interrupts {
    core_type* core = nullptr;
    unsigned number = 0;
    std::uint64_t entries = 0, foreign = 0, wakes = 0;
    bool wake = false;
} line;

void fail(char const* what, std::uint64_t value) {
    machine::put("FAILED: ");
    machine::put_line(what, value);
    machine::leave(1);
}

/// What the main loop does with one disk.
class session {
public:
    std::uint64_t batches = 0;

    session(core_type& core, disk& of, registers& bank) : core_{core}, disk_{of}, bank_{bank} {}

    void start() {
        auto const started = core_.start();
        if (started != db::start_status::started) {
            fail("the core does not start; slots ", db::ahci::transfers::usable(bank_).raw());
        }
        if (started.left().again()) {
            line.wake = true;
        }
    }

    /// Sends a set, and remembers that it flies.
    void send(tags set) {
        auto const before = db::cpu_interrupts::mask();
        disk_.flying |= set;
        for ([[maybe_unused]] db::tag const each : set) {
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
        std::uint64_t const limit = clock_.now() + 20 * frequency_;
        tags ended{};
        while (ended.empty()) {
            machine::sleep_while([this] { return disk_.news.empty() and not line.wake; });
            serve();
            auto const before = db::cpu_interrupts::mask();
            ended = disk_.news;
            disk_.news = {};
            db::cpu_interrupts::restore(before);
            if (clock_.now() > limit or disk_.broken) {
                fail("nothing ended, of tags ", core_.outstanding().raw());
            }
        }
        return ended;
    }

    /// The thread: what the hard handler left.
    void serve() {
        while (line.wake) {
            line.wake = false;
            ++line.wakes;
            if (core_.on_thread().again()) {
                line.wake = true; // never `line.wake or`: an interrupt may set it in between
            }
        }
    }

    void unqueued(std::uint8_t what) {
        disk_.unqueued = tags{1};
        ahci_memory::fill(dma, 0, what, 0, 0);
        send(tags{1});
        (void)take();
        disk_.unqueued = {};
    }

    /// All blocks once, at random, `depth` at a time; a batch goes out with one doorbell.
    void pass(unsigned depth, std::uint8_t what, unsigned number) {
        unsigned next = 0;
        tags idle{static_cast<std::uint32_t>((std::uint64_t{1} << depth) - 1)};
        tags const all = idle;
        do {
            tags batch{};
            while (not idle.empty() and next < blocks) {
                unsigned const slot = idle.front().index;
                idle.pop_front();
                block_of_[slot] = next++ * 37U % blocks;
                begin(slot, what, number);
                batch.insert(db::tag{slot});
            }
            if (not batch.empty()) {
                send(batch);
            }
            if (idle != all) {
                for (db::tag const each : take()) {
                    if (what == command::read_queued) {
                        check(each.index, number);
                    }
                    idle.insert(each);
                }
            }
        } while (next < blocks or idle != all);
    }

    /// A read beyond the end among good ones: it stays, and ends with the reset; then all is well.
    void failing() {
        for (unsigned slot = 0; slot < 4; ++slot) {
            ahci_memory::fill(
                dma, slot, command::read_queued, slot == 2 ? std::uint64_t{1} << 40 : slot * ahci_memory::sectors,
                ahci_memory::sectors);
        }
        send(tags{0b1111});
        // A disk ends its whole queue when one command fails. QEMU's goes on with those that it has begun, so they get
        // a second: what it still worked on would be written into buffers that were given back.
        std::uint64_t const limit = clock_.now() + frequency_;
        while ((not disk_.broken or core_.outstanding() != tags{0b0100}) and clock_.now() < limit) {
            serve();
            asm volatile("" ::: "memory"); // the interrupt writes what is asked here
        }
        if (not disk_.broken or not core_.outstanding().contains(db::tag{2})) {
            fail("the wrong request failed; outstanding are ", core_.outstanding().raw());
        }
        again();
    }

    /// A reset while a healthy disk works, again until it really did: how fast it is, is the emulator's.
    void interrupted() {
        for (unsigned n = 0; n < 50; ++n) {
            if (reset_amid_reads()) {
                return;
            }
        }
        fail("no reset found anything in flight; requests ", disk_.requests);
    }

    /// True when the disk still had some of them.
    bool reset_amid_reads() {
        for (unsigned slot = 0; slot < 32; ++slot) {
            ahci_memory::fill(dma, slot, command::read_queued, 0, long_sectors);
            dma.tables[slot].data[0] = machine::spare_memory;
            dma.tables[slot].data[1] = 0;
        }
        std::uint64_t const before = disk_.resets;
        send(tags::all());
        again();
        return disk_.resets != before;
    }

    /// Ends every request, and begins anew.
    void again() {
        if (core_.reset() != db::reset_status::done or not core_.outstanding().empty()) {
            fail("no reset; outstanding are ", core_.outstanding().raw());
        }
        disk_.broken = false;
        disk_.news = {};
        if (not db::ahci::restart(bank_)) {
            fail("no restart; PxTFD is ", db::read<px::tfd>(own_));
        }
        start();
    }

    void identify() {
        unqueued(command::identify);
        std::uint32_t const* const words = dma.data[0];
        if ((words[38] & 0x100U) == 0) { // word 76
            fail("the disk knows no queued commands; words 76 and 77 are ", words[38]);
        }
        if (unsigned const depth = ((words[37] >> 16) & 31U) + 1; depth != 32) { // word 75
            fail("the disk takes fewer than 32 commands: ", depth);
        }
    }

private:
    void begin(unsigned slot, std::uint8_t what, unsigned number) {
        for (unsigned n = 0; n < ahci_memory::block_bytes / 4; ++n) {
            dma.data[slot][n] = what == command::write_queued ? pattern(number, block_of_[slot], n) : 0;
        }
        ahci_memory::fill(dma, slot, what, std::uint64_t{block_of_[slot]} * ahci_memory::sectors, ahci_memory::sectors);
    }

    void check(unsigned slot, unsigned number) {
        for (unsigned n = 0; n < ahci_memory::block_bytes / 4; ++n) {
            if (dma.data[slot][n] != pattern(number, block_of_[slot], n)) {
                fail("wrong data in block ", block_of_[slot]);
            }
        }
    }

    static std::uint64_t frequency() {
        std::uint64_t hz = 0;
        asm volatile("mrs %0, cntfrq_el0" : "=r"(hz));
        return hz;
    }

    core_type& core_;
    disk& disk_;
    registers& bank_;
    decltype(bank_.own()) own_ = bank_.own();
    db::cycle_counter clock_{frequency()};
    std::uint64_t frequency_ = frequency();
    unsigned block_of_[32]{};
};

/// Adapter and port from reset to a running list.
unsigned bring_up(counting_bank& whole) {
    db::write<hba::ghc>(whole, hba::ghc::enable::mask);
    db::write<hba::ghc>(whole, hba::ghc::enable::mask | hba::ghc::reset::mask);
    while ((db::read<hba::ghc>(whole) & hba::ghc::reset::mask) != 0) {
    }
    db::write<hba::ghc>(whole, hba::ghc::enable::mask | hba::ghc::interrupts::mask);
    std::uint32_t const ports = db::read<hba::pi>(whole);
    for (unsigned n = 0; n < 32; ++n) {
        db::sata::port each{n};
        registers bank{whole, each};
        auto own = bank.own();
        if ((ports >> n & 1U) == 0 or px::ssts::detection::get(db::read<px::ssts>(own)) != 3) {
            continue;
        }
        db::write<px::clb>(own, static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(dma.list)));
        db::write<px::clbu>(own, 0);
        db::write<px::fb>(own, static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(dma.received)));
        db::write<px::fbu>(own, 0);
        db::write<px::cmd>(own, db::read<px::cmd>(own) | px::cmd::receive::mask);
        if (db::ahci::restart(bank)) {
            return n;
        }
    }
    fail("no port with a disk that starts; PI is ", ports);
    return 0;
}

} // namespace

extern "C" {

void on_interrupt() {
    unsigned const number = machine::begin_interrupt();
    if (number >= machine::no_interrupt) {
        return;
    }
    ++line.entries;
    auto const result = line.core->on_hard_irq();
    line.foreign += result.handled() ? 0U : 1U;
    line.wake = line.wake or result.wake_thread();
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
    auto const adapter = machine::find_pci(0x010601);
    if (not adapter.found()) {
        fail("no AHCI adapter on PCI bus ", 0);
    }
    counting_bank whole{adapter.map(5)};
    db::sata::port port{bring_up(whole)};
    disk sata{port};
    std::uint64_t hz = 0;
    asm volatile("mrs %0, cntfrq_el0" : "=r"(hz));
    registers bank{whole, port};
    core_type core{sata, bank, db::cycle_counter{hz}};
    line.core = &core;
    line.number = adapter.interrupt();
    session run{core, sata, bank};
    run.start();
    machine::open_interrupt(line.number);
    run.identify();
    machine::put("depth  requests  interrupts  reads  writes  thread runs\n");
    for (unsigned depth = 1; depth <= passes; ++depth) {
        auto const before = accesses;
        auto const requests = sata.requests, entries = line.entries, wakes = line.wakes, batches = run.batches;
        run.pass(depth, command::write_queued, depth);
        run.pass(depth, command::read_queued, depth);
        std::uint64_t const row[]{
            depth,
            sata.requests - requests,
            line.entries - entries,
            accesses.reads - before.reads,
            accesses.writes - before.writes,
            line.wakes - wakes};
        if ((depth & (depth - 1)) == 0) {
            for (std::uint64_t const each : row) {
                machine::put(each);
                machine::put("  ");
            }
            machine::put("\n");
        }
        // An entry reads PxIS and PxSACT and writes PxIS and IS, a thread run reads PxSACT, a batch writes PxSACT and
        // PxCI: never more.
        if (row[3] != 2 * row[2] + row[5] or row[4] != 2 * row[2] + 2 * (run.batches - batches)) {
            fail("register accesses that nothing explains, at depth ", depth);
        }
        if (depth == passes / 2) {
            run.failing();
            run.interrupted();
        }
    }
    run.unqueued(command::flush);
    if (sata.ended != sata.requests or sata.doubled != 0 or not sata.flying.empty()) {
        fail("requests that ended not exactly once; doubled ", sata.doubled);
    }
    machine::put_line("requests ", sata.requests);
    machine::put_line("interrupts ", line.entries);
    machine::put_line("not ours ", line.foreign);
    machine::put_line("ended by the reset ", sata.resets);
    machine::put_line("lost ", sata.requests - sata.ended);
    machine::put_line("doubled ", sata.doubled);
    machine::put("PASSED\n");
}

// What compilers call on their own.
void* memset(void* to, int value, std::size_t count) {
    for (auto* t = static_cast<unsigned char volatile*>(to); count-- != 0; ++t) {
        *t = static_cast<unsigned char>(value);
    }
    return to;
}

void* memcpy(void* to, void const* from, std::size_t count) {
    auto* t = static_cast<unsigned char volatile*>(to);
    for (auto const* f = static_cast<unsigned char const*>(from); count-- != 0; ++f, ++t) {
        *t = *f;
    }
    return to;
}
}
