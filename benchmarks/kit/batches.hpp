// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <benchmark/benchmark.h>

#include <array>
#include <chrono>
#include <string>
#include <vector>

namespace bench {

/// How many prepared batches one reading of the clock spans: enough that the reading does not show, few enough that all
/// of them stay in the nearest cache.
inline constexpr std::size_t batches_per_reading = 64;

/// Tables and contenders in the order in which they entered; repetitions are run and reported in any order.
struct place {
    std::string row;
    std::string contender;
};

inline std::vector<place>& order() {
    static std::vector<place> all;
    return all;
}

/// Registers `contender` for one row of a table. A batch is consumed by being completed, so batches are made ready in
/// advance, outside the measured time: `prepare(subject)`, then `run(subject)`.
/// The time of a batch is reported; the table divides it by `finished`.
/// `reads` and `writes` of registers for one batch are shown with it, where they are known.
template <class Subject, class Prepare, class Run>
void enter(
    std::string const& contender, std::string const& row, unsigned finished, Prepare prepare, Run run,
    unsigned reads = 0, unsigned writes = 0) {
    order().push_back({row, contender});
    auto const name = contender + "/" + row + "/" + std::to_string(finished);
    auto* const entry = benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
        static std::array<Subject, batches_per_reading> subjects;
        for (auto _ : state) {
            for (auto& each : subjects) {
                prepare(each);
            }
            benchmark::ClobberMemory();
            auto const begin = std::chrono::steady_clock::now();
            for (auto& each : subjects) {
                run(each);
                benchmark::ClobberMemory();
            }
            auto const end = std::chrono::steady_clock::now();
            state.SetIterationTime(std::chrono::duration<double>(end - begin).count() / batches_per_reading);
        }
        state.SetItemsProcessed(state.iterations() * finished);
        state.counters["reads"] = reads;
        state.counters["writes"] = writes;
    });
    entry->UseManualTime()->Unit(benchmark::kNanosecond);
}

} // namespace bench
