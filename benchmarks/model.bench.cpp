// SPDX-License-Identifier: BSL-1.0
// Speed of the register model itself: accesses per second with the log off and on, and whole requests. Aims on one
// core: 50 million accesses per second with the log off, 10 million with it on.

#include <benchmark/benchmark.h>
#include <doorbell/testing/ufshci_model.hpp>

#include <cstdint>

namespace {

namespace at = doorbell::ufs::offset;
using doorbell::testing::model_bank;
using doorbell::testing::ufshci_knobs;
using doorbell::testing::ufshci_model;

ufshci_knobs quiet(bool log) {
    ufshci_knobs k;
    k.log_entries = log ? 4096 : 0;
    k.memory_bytes = 0;
    k.check_descriptors = false;
    return k;
}

/// Reads of the registers that a handler reads.
void reads(benchmark::State& state) {
    ufshci_model model(quiet(state.range(0) != 0));
    model_bank const bank(model);
    for (auto _ : state) {
        std::uint32_t sum = bank.load(at::is);
        sum += bank.load(at::ie);
        sum += bank.load(at::utrldbr);
        sum += bank.load(at::is);
        benchmark::DoNotOptimize(sum);
    }
    state.SetItemsProcessed(state.iterations() * 4);
}

/// What one interrupt with one request costs: ring, finish, read status, acknowledge, read the doorbell, read status.
void requests(benchmark::State& state) {
    ufshci_model model(quiet(state.range(0) != 0));
    model.bring_up();
    model_bank const bank(model);
    bank.store(at::ie, 1);
    unsigned slot = 0;
    for (auto _ : state) {
        bank.store(at::utrldbr, 1u << slot);
        model.finish(slot);
        std::uint32_t sum = bank.load(at::is);
        bank.store(at::is, sum);
        sum += bank.load(at::utrldbr);
        sum += bank.load(at::is);
        benchmark::DoNotOptimize(sum);
        slot = (slot + 1) % 32;
    }
    state.SetItemsProcessed(state.iterations() * 5);
}

/// The same with the device working by itself in virtual time, 32 in flight.
void timed_requests(benchmark::State& state) {
    ufshci_knobs k = quiet(state.range(0) != 0);
    k.latency = doorbell::testing::latency_kind::uniform;
    k.latency_ns = 20'000;
    k.latency_max_ns = 90'000;
    ufshci_model model(k);
    model.bring_up();
    model_bank const bank(model);
    bank.store(at::ie, 1);
    bank.store(at::utrldbr, ~0u);
    std::int64_t done = 0;
    for (auto _ : state) {
        model.advance_to(model.next_due());
        bank.store(at::is, bank.load(at::is));
        std::uint32_t const free = ~bank.load(at::utrldbr);
        bank.store(at::utrldbr, free);
        ++done;
    }
    state.SetItemsProcessed(done);
}

BENCHMARK(reads)->ArgName("log")->Arg(0)->Arg(1);
BENCHMARK(requests)->ArgName("log")->Arg(0)->Arg(1);
BENCHMARK(timed_requests)->ArgName("log")->Arg(0)->Arg(1);

} // namespace
