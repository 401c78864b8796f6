// SPDX-License-Identifier: BSL-1.0
// main() of every benchmark: repetitions of all contenders are interleaved at random, so that a machine that gets
// slower for a while does so for all of them.
//
//   bench_<name> [--tables=FOLDER] [--quick] [options of Google Benchmark]
#include "table.hpp"

#include <filesystem>
#include <string>
#include <vector>

int main(int argc, char** argv) {
    bench::table_reporter reporter;
    reporter.program = std::filesystem::path{argv[0]}.filename().string();

    bool quick = false;
    std::vector<std::string> arguments{argv[0]};
    std::vector<std::string> given;
    for (int i = 1; i < argc; ++i) {
        std::string const argument = argv[i];
        if (argument.starts_with("--tables=")) {
            reporter.folder = argument.substr(9);
        } else if (argument == "--quick") {
            quick = true;
        } else {
            given.push_back(argument);
        }
    }
    arguments.emplace_back("--benchmark_enable_random_interleaving=true");
    arguments.emplace_back(quick ? "--benchmark_repetitions=1" : "--benchmark_repetitions=11");
    arguments.emplace_back(quick ? "--benchmark_min_time=0.001" : "--benchmark_min_time=0.005");
    arguments.insert(arguments.end(), given.begin(), given.end()); // the later one counts

    std::vector<char*> raw;
    for (std::string& argument : arguments) {
        raw.push_back(argument.data());
    }
    int count = static_cast<int>(raw.size());
    benchmark::Initialize(&count, raw.data());
    if (benchmark::ReportUnrecognizedArguments(count, raw.data())) {
        return 2;
    }
    return benchmark::RunSpecifiedBenchmarks(&reporter) == 0 ? 1 : 0;
}
