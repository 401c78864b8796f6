// SPDX-License-Identifier: BSL-1.0
// Start, complete and free of requests with a timer that looks at their deadlines now and then: four generations of a
// block layer's arbitration between completion and timeout, and the composed core, by one thread and by two that share
// it. The block layers do their atomics and nothing else; the core also rings, acknowledges, claims and calls back,
// with registers that cost nothing.
//
//   block_layers [--tables=FOLDER] [--quick]
//
// Times are medians of interleaved repetitions, told as ratios to the first column; nobody judges them.
#include "../tests/counts/timed/block_layers.hpp"

#include <doorbell/host.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

namespace db = doorbell;
namespace layer = counted::block_layer;

constexpr unsigned half = 16; ///< tags of one thread
constexpr unsigned rounds_between_looks = 64;

/// Requests of a block layer, each on cache lines of its own, as they are there.
template <class Request>
class of_layer {
public:
    void round(unsigned who, std::uint64_t now) noexcept {
        for (unsigned i = who * half; i < who * half + half; ++i) {
            requests_[i].one.start(now);
        }
        std::uint64_t done = 0;
        for (unsigned i = who * half; i < who * half + half; ++i) {
            done += requests_[i].one.complete() ? 1U : 0U;
            requests_[i].one.free();
        }
        counts_[who].completed += done;
    }

    [[nodiscard]] std::uint64_t completed() const { return counts_[0].completed + counts_[1].completed; }

    /// The timer: whose time is over? Nobody's.
    void look(std::uint64_t now) noexcept {
        for (auto& each : requests_) {
            late_ += __atomic_load_n(&each.one.deadline, __ATOMIC_RELAXED) < now ? 1U : 0U;
        }
    }

private:
    struct alignas(64) slot {
        Request one{};
    };

    struct alignas(64) count {
        std::uint64_t completed = 0;
    };

    std::array<slot, 2 * half> requests_{};
    std::array<count, 2> counts_{};
    std::uint64_t late_ = 0; ///< the timer's
};

/// Everything that was rung has finished, and the cause stands.
struct instant_bank {
    [[nodiscard]] static std::uint32_t load(std::size_t offset) noexcept {
        return offset == db::ufs::offset::is ? db::ufs::cause::utrcs : 0;
    }

    static void store(std::size_t, std::uint32_t) noexcept {}

    static void before_doorbell() noexcept {}

    static void after_done() noexcept {}

    static void before_unlock() noexcept {}
};

struct no_ticks {
    std::uint64_t operator()() const noexcept { return 0; }
};

struct driver {
    std::array<std::atomic<bool>, 2 * half> is_free{};
    std::array<std::uint64_t, 2 * half> completions{}; ///< of a tag, which is completed by one thread at a time

    static db::outcome response(db::tag) noexcept { return db::outcome::success; }

    void completed(db::claimed<db::any_context> won, db::outcome) noexcept {
        ++completions[won.index()];
        is_free[won.index()].store(true, std::memory_order_release);
    }

    static void synchronize() noexcept {}

    static void arm_timer(db::deadline<std::uint32_t>) noexcept {}

    static bool end_on_device(db::tag) noexcept { return true; }
};

template <class Lock>
class of_core {
public:
    of_core() { static_cast<void>(core_.start(db::tag_set<32>::all(), db::ufs::cause::utrcs)); }

    void round(unsigned who, std::uint64_t) noexcept {
        for (unsigned i = who * half; i < who * half + half; ++i) {
            driver_.is_free[i].store(false, std::memory_order_relaxed);
            static_cast<void>(core_.submit(db::tag{i}));
        }
        static_cast<void>(core_.on_hard_irq());
        for (unsigned i = who * half; i < who * half + half; ++i) {
            while (not driver_.is_free[i].load(std::memory_order_acquire)) { // the other thread has it in hand
            }
        }
    }

    [[nodiscard]] std::uint64_t completed() const {
        return std::accumulate(driver_.completions.begin(), driver_.completions.end(), std::uint64_t{0});
    }

    void look(std::uint64_t now) noexcept {
        core_.tick(static_cast<std::uint32_t>(now));
        static_cast<void>(core_.expire(static_cast<std::uint32_t>(now)));
    }

private:
    driver driver_{};
    db::host<
        db::ufshci, driver, instant_bank, db::counter<no_ticks, 1>, db::inline_all, Lock,
        db::uniform_timeouts<std::uint32_t, 30'000, 1'000>>
        core_{driver_, instant_bank{}};
};

/// Nanoseconds of one request in the slowest thread.
template <class Subject>
double timed(unsigned threads, unsigned rounds) {
    Subject subject{};
    std::atomic<unsigned> ready{0};
    std::array<double, 2> took{};
    auto const work = [&](unsigned who) {
        ready.fetch_add(1);
        while (ready.load() < threads) {
        }
        auto const begin = std::chrono::steady_clock::now();
        for (unsigned n = 0; n < rounds; ++n) {
            subject.round(who, n / 1'000 + 1);
            if (who == 0 and n % rounds_between_looks == 0) {
                subject.look(n / 1'000 + 1);
            }
        }
        took[who] = std::chrono::duration<double, std::nano>{std::chrono::steady_clock::now() - begin}.count();
    };
    std::vector<std::thread> others{};
    for (unsigned who = 1; who < threads; ++who) {
        others.emplace_back(work, who);
    }
    work(0);
    for (std::thread& each : others) {
        each.join();
    }
    if (subject.completed() != std::uint64_t{rounds} * half * threads) {
        std::fprintf(stderr, "block_layers:0: a contender lost requests\n");
        std::exit(1); // NOLINT(concurrency-mt-unsafe): the other threads have ended
    }
    return std::max(took[0], took[1]) / rounds / half;
}

struct contender {
    char const* name;
    double (*run)(unsigned threads, unsigned rounds);
    unsigned most_threads;
    std::array<std::vector<double>, 2> times{};
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace

int main(int argc, char** argv) {
    std::string folder{};
    bool quick = false;
    for (int i = 1; i < argc; ++i) {
        std::string_view const word{argv[i]};
        if (word.starts_with("--tables=")) {
            folder = word.substr(9);
        } else if (word == "--quick") {
            quick = true;
        } else {
            std::fprintf(stderr, "block_layers:0: unknown argument %s\n", argv[i]);
            return 2;
        }
    }
    std::vector<contender> contenders{
        {"two bits (to 4.15)", &timed<of_layer<layer::bits>>, 2},
        {"generations (4.16)", &timed<of_layer<layer::generations>>, 2},
        {"references, exchange (4.18)", &timed<of_layer<layer::references>>, 2},
        {"references alone (now)", &timed<of_layer<layer::trust>>, 2},
        {"core with deadlines, spin lock", &timed<of_core<db::irq_spin_lock>>, 2},
        {"core with deadlines, no lock", &timed<of_core<db::null_lock>>, 1},
    };
    unsigned const rounds = quick ? 20'000 : 100'000;
    for (unsigned repetition = 0; repetition < (quick ? 3U : 11U); ++repetition) {
        for (contender& each : contenders) {
            for (unsigned threads = 1; threads <= each.most_threads; ++threads) {
                each.times[threads - 1].push_back(each.run(threads, rounds));
            }
        }
    }
    std::ofstream json{};
    if (not folder.empty()) {
        json.open(folder + "/block_layers.json");
    }
    json << "[";
    std::printf("start, complete and free: nanoseconds of a request in each thread (ratio to the first)\n");
    std::printf("%-34s %22s %22s\n", "", "1 thread", "2 threads");
    char const* separator = "\n";
    for (contender const& each : contenders) {
        std::printf("%-34s", each.name);
        json << separator << R"(  {"name": ")" << each.name << R"(", "ns": [)";
        separator = ",\n";
        for (unsigned threads = 1; threads <= each.most_threads; ++threads) {
            double const ns = median(each.times[threads - 1]);
            std::printf(" %13.1f (%5.2f)", ns, ns / median(contenders.front().times[threads - 1]));
            json << (threads == 1 ? "" : ", ") << ns;
        }
        std::printf("\n");
        json << "]}";
    }
    json << "\n]\n";
    return 0;
}
