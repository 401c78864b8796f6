// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

namespace bench {

/// Collects the repetitions of all contenders and turns them into tables: a row for each number of finished requests, a
/// column for each contender, the median time of one completion and its ratio to the first contender of the table.
class table_reporter : public benchmark::BenchmarkReporter {
public:
    bool ReportContext(Context const& context) override;
    void ReportRuns(std::vector<Run> const& runs) override;
    void Finalize() override;

    /// Where to leave `<program>.json`, and `<program>.<table>.tsv` for a plotter; empty for nowhere.
    std::string folder{};
    std::string program{};

private:
    struct cell {
        std::vector<double> times{};
        double reads = 0, writes = 0; ///< of registers, for one completion
        [[nodiscard]] double median() const;
        [[nodiscard]] double spread() const;
    };

    struct table {
        std::string title{};
        std::vector<std::string> contenders{};
        std::map<unsigned, std::map<std::string, cell>> rows{};
    };

    [[nodiscard]] table& find_table(std::string const& title);
    [[nodiscard]] static double base(table const& t, std::map<std::string, cell> const& cells);
    void print(table const& t) const;
    static void print_accesses(table const& t);
    void write_tsv(table const& t) const;
    void write_json() const;

    std::vector<table> tables_{};
    std::map<std::string, cell> single_{};
    std::string machine_{};
};

} // namespace bench
