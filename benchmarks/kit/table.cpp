// SPDX-License-Identifier: BSL-1.0
#include "table.hpp"

#include "batches.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

namespace bench {

namespace {

/// What stands between two slashes of a benchmark's name; empty when there are not so many.
std::string part(std::string const& name, unsigned wanted) {
    std::istringstream parts{name};
    std::string found;
    for (unsigned i = 0; i <= wanted; ++i) {
        if (not std::getline(parts, found, '/')) {
            return {};
        }
    }
    return found;
}

std::string quoted(std::string const& text) {
    std::string out = "\"";
    for (char const c : text) {
        if (c == '"' or c == '\\') {
            out += '\\';
        }
        out += c;
    }
    return out + '"';
}

std::string slug(std::string text) {
    std::ranges::replace_if(text, [](char c) { return not((c >= 'a' and c <= 'z') or (c >= '0' and c <= '9')); }, '_');
    return text;
}

} // namespace

double table_reporter::cell::median() const {
    auto sorted = times;
    std::ranges::sort(sorted);
    return sorted.empty() ? 0 : sorted[sorted.size() / 2];
}

/// Half the distance of the quartiles, relative to the median: what to believe of the figure.
double table_reporter::cell::spread() const {
    auto sorted = times;
    std::ranges::sort(sorted);
    return sorted.empty() ? 0 : (sorted[sorted.size() * 3 / 4] - sorted[sorted.size() / 4]) / 2 / median();
}

bool table_reporter::ReportContext(Context const& context) {
    std::ostringstream machine;
    machine << context.cpu_info.num_cpus << " cores at " << context.cpu_info.cycles_per_second / 1e9 << " GHz, "
#if defined(__clang__)
            << "clang " << __clang_major__ << '.' << __clang_minor__;
#else
            << "GCC " << __GNUC__ << '.' << __GNUC_MINOR__;
#endif
    machine_ = machine.str();
    std::cout << program << ": " << machine_ << '\n';
    for (place const& each : order()) { // the first one is what the others are compared with
        auto& contenders = find_table(each.row).contenders;
        if (std::ranges::find(contenders, each.contender) == contenders.end()) {
            contenders.push_back(each.contender);
        }
    }
    if (context.cpu_info.scaling == benchmark::CPUInfo::ENABLED) {
        std::cout << "The processor changes its clock as it likes: look at ratios, not at times.\n";
    }
    return true;
}

table_reporter::table& table_reporter::find_table(std::string const& title) {
    auto const found = std::ranges::find(tables_, title, &table::title);
    return found != tables_.end() ? *found : tables_.emplace_back(table{.title = title});
}

void table_reporter::ReportRuns(std::vector<Run> const& runs) {
    for (Run const& run : runs) {
        if (run.run_type != Run::RT_Iteration or run.error_occurred) {
            continue;
        }
        std::string const& name = run.run_name.function_name;
        std::string const contender = part(name, 0);
        if (run.counters.find("reads") == run.counters.end()) { // one that entered no table
            single_[run.benchmark_name()].times.push_back(run.GetAdjustedRealTime());
            continue;
        }
        auto const finished = static_cast<unsigned>(std::stoul(part(name, 2)));
        cell& c = find_table(part(name, 1)).rows[finished][contender];
        c.times.push_back(run.GetAdjustedRealTime() / finished);
        c.reads = run.counters.at("reads").value / finished;
        c.writes = run.counters.at("writes").value / finished;
    }
}

/// The time that the others are compared with; what was filtered out is compared with nothing.
double table_reporter::base(table const& t, std::map<std::string, cell> const& cells) {
    auto const found = cells.find(t.contenders.front());
    return found == cells.end() ? 0 : found->second.median();
}

void table_reporter::print(table const& t) const {
    std::printf(
        "\n%s: nanoseconds of one completion, median (ratio to the first column, +- half the quartiles)\n",
        t.title.c_str());
    std::printf("%9s", "finished");
    for (std::string const& contender : t.contenders) {
        std::printf("  %24s", contender.c_str());
    }
    std::printf("\n");
    for (auto const& [finished, cells] : t.rows) {
        double const first = base(t, cells);
        std::printf("%9u", finished);
        for (std::string const& contender : t.contenders) {
            auto const found = cells.find(contender);
            if (found == cells.end()) {
                std::printf("  %24s", "-");
                continue;
            }
            double const time = found->second.median();
            std::printf("  %8.2f (%6.3f +-%5.1f%%)", time, time / first, found->second.spread() * 100);
        }
        std::printf("\n");
    }
}

/// What the same would take where a register is behind a bus: a read is waited for, a write is posted.
void table_reporter::print_accesses(table const& t) {
    constexpr double bus_read_ns = 300;
    std::printf(
        "\n%s: the same with registers that take %.0f ns to read, and reads + writes of one completion\n",
        t.title.c_str(), bus_read_ns);
    std::printf("%9s", "finished");
    for (std::string const& contender : t.contenders) {
        std::printf("  %24s", contender.c_str());
    }
    std::printf("\n");
    for (auto const& [finished, cells] : t.rows) {
        std::printf("%9u", finished);
        for (std::string const& contender : t.contenders) {
            auto const found = cells.find(contender);
            if (found == cells.end()) {
                std::printf("  %24s", "-");
                continue;
            }
            cell const& c = found->second;
            std::printf("  %9.2f (%5.3f + %5.3f)", c.median() + c.reads * bus_read_ns, c.reads, c.writes);
        }
        std::printf("\n");
    }
}

void table_reporter::write_tsv(table const& t) const {
    std::ofstream out{folder + '/' + program + '.' + slug(t.title) + ".tsv"};
    out << "finished";
    for (std::string const& contender : t.contenders) {
        out << '\t' << contender;
    }
    out << '\n';
    for (auto const& [finished, cells] : t.rows) {
        out << finished;
        for (std::string const& contender : t.contenders) {
            auto const found = cells.find(contender);
            out << '\t' << (found == cells.end() ? 0 : found->second.median());
        }
        out << '\n';
    }
}

void table_reporter::write_json() const {
    std::ofstream out{folder + '/' + program + ".json"};
    out << "{\"program\": " << quoted(program) << ", \"machine\": " << quoted(machine_) << ", \"tables\": [";
    char const* between = "\n";
    for (table const& t : tables_) {
        for (auto const& [finished, cells] : t.rows) {
            double const first = base(t, cells);
            for (auto const& [contender, c] : cells) {
                out << between << "  {\"table\": " << quoted(t.title) << ", \"finished\": " << finished
                    << ", \"contender\": " << quoted(contender) << ", \"ns_per_completion\": " << c.median()
                    << ", \"ratio\": " << c.median() / first << ", \"spread\": " << c.spread()
                    << ", \"reads\": " << c.reads << ", \"writes\": " << c.writes
                    << ", \"repetitions\": " << c.times.size() << '}';
                between = ",\n";
            }
        }
    }
    out << "\n]}\n";
}

void table_reporter::Finalize() {
    for (table& t : tables_) {
        print(t);
        bool const known = std::ranges::any_of(t.rows, [](auto const& row) {
            return std::ranges::any_of(row.second, [](auto const& c) { return c.second.reads != 0; });
        });
        if (known) {
            print_accesses(t);
        }
    }
    for (auto const& [name, c] : single_) {
        std::printf("%-40s %10.2f ns (+-%.1f%%)\n", name.c_str(), c.median(), c.spread() * 100);
    }
    if (not folder.empty()) {
        for (table const& t : tables_) {
            write_tsv(t);
        }
        write_json();
    }
    std::cout << std::flush;
}

} // namespace bench
