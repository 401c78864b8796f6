// SPDX-License-Identifier: BSL-1.0
// A camera and a disk on one USB-like controller share a bottom half. The camera's transfers are isochronous: each has
// to be given back, and so submitted again, before its next interval is over, or a frame is lost. The disk's come in
// bursts that keep the bottom half busy for longer than that. With priorities the camera keeps its deadlines; without,
// it does not. Virtual time, one thread: the same figures on every machine.
#include <doorbell/completion/count_budget.hpp>
#include <doorbell/deferral/bottom_half.hpp>
#include <doorbell/lock/null_lock.hpp>
#include <doorbell/testing/manual_clock.hpp>

#include <array>
#include <cstdint>
#include <cstdio>

namespace {

namespace db = doorbell;

constexpr std::uint64_t interval = 1'000; // us between two packets of the stream
constexpr std::uint64_t stream_cost = 40; // us to take a packet out and submit the next
constexpr std::uint64_t disk_cost = 70;   // us to end a block of the disk
constexpr std::uint64_t burst_period = 4'000;
constexpr std::uint64_t run_time = 2'000'000;
constexpr unsigned burst = 48;

/// A request of either device, with the moment at which hardware was done with it.
struct request : db::deferred_item {
    request() = default;

    std::uint64_t done_at = 0;
    bool in_flight = true;
    bool of_stream = false;
};

struct figures {
    unsigned packets = 0;
    unsigned late = 0; ///< given back after the next one was due: a lost frame
    std::uint64_t worst = 0;
    unsigned blocks = 0;
    unsigned runs = 0;
};

figures play(db::giveback_priority of_stream) {
    db::testing::manual_time<> time{0};
    // At most eight callbacks per run; then whatever else wants the processor gets its turn.
    db::bottom_half<request, db::null_lock, db::count_budget<8>, db::testing::manual_clock<>> half{
        {}, db::testing::manual_clock<>{time}};
    db::endpoint camera{of_stream};
    db::endpoint disk{db::giveback_priority::low};
    std::array<request, 4> packets{};
    std::array<request, burst> blocks{};
    for (auto& each : packets) {
        each.belong_to(camera);
        each.of_stream = true;
    }
    for (auto& each : blocks) {
        each.belong_to(disk);
    }

    figures f{};
    std::uint64_t next_packet = interval;
    std::uint64_t next_burst = burst_period;
    bool scheduled = false;

    // The hard handler: queues what hardware has finished by now, which takes next to no time.
    auto const interrupt = [&]() noexcept {
        for (; next_packet <= time.peek(); next_packet += interval) {
            for (auto& each : packets) {
                if (each.in_flight) {
                    each.in_flight = false;
                    each.done_at = next_packet;
                    scheduled = half.queue(each).schedule or scheduled;
                    break;
                }
            }
        }
        for (; next_burst <= time.peek(); next_burst += burst_period) {
            for (auto& each : blocks) {
                if (each.in_flight) {
                    each.in_flight = false;
                    each.done_at = next_burst;
                    scheduled = half.queue(each).schedule or scheduled;
                }
            }
        }
    };

    auto const give = [&](request& r) noexcept {
        time.advance(r.of_stream ? stream_cost : disk_cost);
        if (r.of_stream) {
            std::uint64_t const took = time.peek() - r.done_at;
            ++f.packets;
            f.late += took > interval ? 1U : 0U;
            f.worst = took > f.worst ? took : f.worst;
        } else {
            ++f.blocks;
        }
        r.in_flight = true; // submitted again, from inside its callback
        interrupt();        // hardware goes on meanwhile
    };

    while (time.peek() < run_time) {
        interrupt();
        if (scheduled) {
            scheduled = false;
            ++f.runs;
            scheduled = half.run(give).again() or scheduled;
        } else {
            time.set(next_packet < next_burst ? next_packet : next_burst);
        }
    }
    return f;
}

void print(char const* how, figures const& f) {
    std::printf(
        "%-20s %8u %8u %10llu us %10u %8u\n", how, f.packets, f.late, static_cast<unsigned long long>(f.worst),
        f.blocks, f.runs);
}

} // namespace

int main() {
    std::printf(
        "A packet every %llu us, %u disk blocks every %llu us (%llu us of callbacks), eight callbacks per run.\n\n",
        static_cast<unsigned long long>(interval), burst, static_cast<unsigned long long>(burst_period),
        static_cast<unsigned long long>(burst * disk_cost));
    std::printf("%-20s %8s %8s %13s %10s %8s\n", "", "packets", "late", "worst wait", "blocks", "runs");
    figures const with = play(db::giveback_priority::high);
    figures const without = play(db::giveback_priority::low);
    print("with priorities", with);
    print("without priorities", without);
    bool const right = with.late == 0 and without.late > 0 and with.blocks + burst >= without.blocks;
    std::printf(
        "\n%s\n", right ? "The stream keeps its deadlines when it goes first, and the disk loses nothing by it."
                        : "This is not what was expected.");
    return right ? 0 : 1;
}
