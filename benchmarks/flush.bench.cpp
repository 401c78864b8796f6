// SPDX-License-Identifier: BSL-1.0
// What sharing device flushes is worth: writers that flush after every write, in virtual time. No time is measured, so
// the figures are the same on every machine; what is promised of them is checked, and the program fails where it does
// not hold.
//
//   bench_flush [--tables=FOLDER] [--quick]
#include "flush/chart.hpp"
#include "flush/criteria.hpp"
#include "flush/simulation.hpp"

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace flush_bench;

constexpr std::uint64_t ms = 1'000'000;
constexpr std::uint64_t published_flush = 17'500'000;

int failures = 0;

void check(bool holds, char const* what) {
    std::printf("  %-7s %s\n", holds ? "holds:" : "FAILS:", what);
    failures += holds ? 0 : 1;
}

figures fixed(traffic const& t, std::uint64_t grace) {
    swept_grace::ns = grace;
    return simulate<level_of<db::grouped<swept_grace>>>(t);
}

struct contender {
    char const* name;
    figures (*run)(traffic const&);
};

constexpr contender contenders[] = {
    {"strict", simulate<strict_level>},
    {"double buffer", simulate<double_buffer>},
    {"riding", simulate<riding_level>},
    {"grouped, F/2", [](traffic const& t) { return fixed(t, t.flush / 2); }},
    {"grouped, 100 us", [](traffic const& t) { return fixed(t, 100'000); }},
    {"grouped, learned", simulate<learned_level>},
    {"deferred_unsafe", simulate<unsafe_level>},
    {"deferred patch", simulate<deferred_patch>},
};

void table(std::ofstream& json) {
    std::printf(
        "Each writer: write (83 us +- 20 %%), then flush (17.5 ms), ten seconds. Writes per second, and the mean time\n"
        "of a flush in microseconds.\n\n%-18s",
        "writers");
    for (unsigned const n : {1U, 4U, 16U, 64U}) {
        std::printf("%21u", n);
    }
    std::printf("\n");
    char const* between = "";
    for (auto const& each : contenders) {
        std::printf("%-18s", each.name);
        for (unsigned const n : {1U, 4U, 16U, 64U}) {
            figures const f = each.run({.writers = n});
            std::printf(
                "%9llu /s %8llu", static_cast<unsigned long long>(f.rate()),
                static_cast<unsigned long long>(f.mean_latency() / 1'000));
            json << between << "\n  {\"level\": \"" << each.name << "\", \"writers\": " << n
                 << ", \"per_second\": " << f.rate() << ", \"mean_flush_ns\": " << f.mean_latency()
                 << ", \"longest_flush_ns\": " << f.longest << ", \"device_flushes\": " << f.device_flushes << '}';
            between = ",";
        }
        std::printf("\n");
    }
    traffic const one{.writers = 1};
    traffic const sixteen{.writers = 16};
    auto const strict = simulate<strict_level>(one).rate();
    std::printf("\n");
    check(strict >= 55 and strict <= 60, "one writer, strict: 55 to 60, as published");
    auto const patch = simulate<deferred_patch>(one).rate();
    check(patch >= 11'500 and patch <= 12'500, "one writer, deferred patch: about 12,000, as published");
    check(simulate<learned_level>(sixteen).rate() >= 900, "16 writers, learned grace: at least 900");
    check(simulate<learned_level>(one).rate() >= strict, "one writer, learned grace: not below strict");
    check(simulate<unsafe_level>(one).rate() * 100 >= patch * 99, "deferred_unsafe: as fast as what it replaces");
}

void sweep_grace(std::string const& folder) {
    chart c{"16 writers, F = 17.5 ms: what a fixed grace is worth", "grace, us", "writes per second"};
    for (char const* const name : {"fixed grace", "learned grace", "double buffer", "strict"}) {
        c.line(name);
    }
    traffic const t{.writers = 16};
    auto const learned = static_cast<double>(simulate<learned_level>(t).rate());
    auto const buffered = static_cast<double>(simulate<double_buffer>(t).rate());
    auto const strict = static_cast<double>(simulate<strict_level>(t).rate());
    for (std::uint64_t g = 5'000; g <= 20 * ms; g = g * 5 / 4) {
        c.add(static_cast<double>(g) / 1'000, {static_cast<double>(fixed(t, g).rate()), learned, buffered, strict});
    }
    c.write(folder + "/bench_flush.grace");
}

void sweep_flush(std::string const& folder) {
    chart c{"16 writers: what a device flush costs", "device flush, us", "writes per second"};
    for (auto const& each : contenders) {
        c.line(each.name);
    }
    for (std::uint64_t f = 50'000; f <= 20 * ms; f = f * 4 / 3) {
        std::vector<double> row;
        for (auto const& each : contenders) {
            row.push_back(
                static_cast<double>(each.run({.writers = 16, .flush = f, .time = 2'000 * (f + 83'000)}).rate()));
        }
        c.add(static_cast<double>(f) / 1'000, row);
    }
    c.write(folder + "/bench_flush.device");
}

void learned(bool quick) {
    std::printf(
        "\nThe learned grace beside the best fixed one (found by trying %s) and the double buffer, on traffic that it\n"
        "was not made for. The lowest ratios of all cells:\n\n",
        quick ? "a few" : "21");
    worst const even = judge(closed_cells(quick), quick);
    worst const poisson = judge(open_cells(pace::poisson, quick), quick);
    worst const bimodal = judge(open_cells(pace::bimodal, quick), quick);
    for (auto const& [name, w] :
         {std::pair{"even", even}, std::pair{"Poisson", poisson}, std::pair{"bimodal", bimodal}}) {
        std::printf(
            "%-8s %4u cells: %5.3f of the best fixed grace, %5.3f of the double buffer\n", name, w.cells,
            static_cast<double>(w.best) / 1'000, static_cast<double>(w.buffered) / 1'000);
    }
    std::printf("\n");
    check(even.best >= 950, "even: within 5 % of the best fixed grace");
    check(poisson.best >= 850 and bimodal.best >= 850, "Poisson and bimodal: within 15 %");
    check(
        even.buffered >= 980 and poisson.buffered >= 980 and bimodal.buffered >= 980,
        "never more than 2 % under the double buffer");
    auto const waits = simulate<learned_level>({.writers = 16, .later_writers = 1, .change = 2'000 * ms}).waits;
    std::uint64_t late = 0;
    for (std::size_t i = 4; i < waits.size(); ++i) {
        late += waits[i];
    }
    check(waits.size() > 100 and late == 0, "16 writers become one: no grace any more after 4 flushes");
}

} // namespace

int main(int argc, char** argv) {
    std::string folder;
    bool quick = false;
    for (int i = 1; i < argc; ++i) {
        std::string_view const argument = argv[i];
        if (argument.starts_with("--tables=")) {
            folder = argument.substr(9);
        } else if (argument == "--quick") {
            quick = true;
        } else {
            std::fprintf(stderr, "unknown argument %s; known: --tables=FOLDER, --quick\n", argv[i]);
            return 2;
        }
    }
    std::ofstream json;
    if (not folder.empty()) {
        json.open(folder + "/bench_flush.json");
    }
    json << "{\"program\": \"bench_flush\", \"flush_ns\": " << published_flush << ", \"rows\": [";
    table(json);
    json << "\n]}\n";
    learned(quick);
    if (not folder.empty()) {
        sweep_grace(folder);
        sweep_flush(folder);
    }
    return failures == 0 ? 0 : 1;
}
