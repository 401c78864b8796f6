// SPDX-License-Identifier: BSL-1.0
// What a bottom half does to the time in the handler, against the published figures of a USB host. In virtual time: the
// library's bottom half is run on a clock that moves by the model's costs; nothing of the machine this runs on is in
// it.
//
// An interrupt finds `n` completions. Inline, the handler takes   entry + n * (completion + 2 * read)
// With a bottom half it takes                                     entry + n * 2 * read, the rest later
// where `read` is one access to the host's registers and `n` is a workload's own: its average and worst number of
// completions per interrupt. `entry`, `completion` and `read` are fitted for each machine on three of its four
// workloads, each workload left out once, and predict the fourth. The numbers of completions are shared by the
// machines: a workload is the same traffic everywhere.
//
//   usb_giveback <figures.csv>
#include <doorbell/completion/unbounded.hpp>
#include <doorbell/deferral/bottom_half.hpp>
#include <doorbell/lock/null_lock.hpp>
#include <doorbell/testing/manual_clock.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct row {
    std::string workload{};
    std::string machine{};
    std::vector<double> inline_perf{};
    std::vector<double> later_perf{};
    double inline_avg = 0;
    double inline_max = 0;
    double later_avg = 0;
    double later_max = 0;
};

/// Devices of one case are split by '/'.
std::vector<double> numbers(std::string const& text) {
    std::vector<double> all;
    std::istringstream in{text};
    for (std::string part; std::getline(in, part, '/');) {
        all.push_back(std::strtod(part.c_str(), nullptr));
    }
    return all;
}

std::vector<row> read_figures(char const* path) {
    std::ifstream in{path};
    std::vector<row> rows;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() or line.front() == '#' or line.starts_with("case,")) {
            continue;
        }
        std::vector<std::string> cells;
        std::istringstream cut{line};
        for (std::string cell; std::getline(cut, cell, ',');) {
            cells.push_back(cell);
        }
        if (cells.size() != 8) {
            std::fprintf(stderr, "usb_giveback: not eight columns: %s\n", line.c_str());
            std::exit(2);
        }
        auto const value = [&cells](unsigned column) { return std::strtod(cells[column].c_str(), nullptr); };
        rows.push_back(
            {cells[0], cells[1], numbers(cells[2]), numbers(cells[5]), value(3), value(4), value(6), value(7)});
    }
    return rows;
}

/// Completions per interrupt of a workload.
struct traffic {
    double average = 1;
    double worst = 1;
};

struct machine {
    double entry = 0;
    double completion = 0;
    double read = 0;
};

/// Least squares of relative errors over the rows, parameters not below zero: coordinate descent, which is enough for
/// three parameters in which the model is linear.
machine fit(std::vector<row const*> const& rows, std::map<std::string, traffic> const& loads) {
    struct equation {
        std::array<double, 3> factor;
        double value;
    };

    std::vector<equation> all;
    for (row const* r : rows) {
        traffic const& t = loads.at(r->workload);
        all.push_back({{1, t.average, 2 * t.average}, r->inline_avg});
        all.push_back({{1, t.worst, 2 * t.worst}, r->inline_max});
        all.push_back({{1, 0, 2 * t.average}, r->later_avg});
        all.push_back({{1, 0, 2 * t.worst}, r->later_max});
    }
    std::array<double, 3> x{1, 1, 1};
    for (unsigned round = 0; round < 20'000; ++round) {
        for (unsigned k = 0; k < 3; ++k) {
            double above = 0;
            double below = 0;
            for (equation const& e : all) {
                double rest = e.value;
                for (unsigned j = 0; j < 3; ++j) {
                    rest -= j == k ? 0 : e.factor[j] * x[j];
                }
                double const weight = 1 / (e.value * e.value);
                above += weight * e.factor[k] * rest;
                below += weight * e.factor[k] * e.factor[k];
            }
            x[k] = below > 0 ? std::max(0.0, above / below) : x[k];
        }
    }
    return {x[0], x[1], x[2]};
}

namespace db = doorbell;

struct transfer : db::deferred_item {
    using deferred_item::deferred_item;
};

/// Many interrupts in a row, on a clock of nanoseconds: how long the handler keeps the processor on average, and how
/// long a bottom half runs afterwards.
struct busy {
    double handler = 0;
    double bottom_half = 0;
};

busy play(machine const& m, double completions, bool later) {
    constexpr unsigned interrupts = 200;
    db::testing::manual_time<> time{0};
    db::bottom_half<transfer, db::null_lock, db::inline_all, db::testing::manual_clock<>> half{
        {}, db::testing::manual_clock<>{time}};
    db::endpoint pipe{};
    std::vector<std::unique_ptr<transfer>> requests;
    auto const pass = [&time](double microseconds) { time.advance(static_cast<std::uint64_t>(1000 * microseconds)); };
    auto const give = [&](transfer&) noexcept { pass(m.completion); };
    busy all;
    double owed = 0; // interrupts have whole numbers of completions, whose average is the workload's
    for (unsigned n = 0; n < interrupts; ++n) {
        owed += completions;
        auto begin = time.peek();
        pass(m.entry);
        for (std::size_t i = 0; owed >= 1; ++i, owed -= 1) {
            if (i == requests.size()) {
                requests.push_back(std::make_unique<transfer>(pipe));
            }
            pass(2 * m.read);
            if (later) {
                (void)half.queue(*requests[i]);
            } else {
                give(*requests[i]);
            }
        }
        all.handler += static_cast<double>(time.peek() - begin) / 1000 / interrupts;
        begin = time.peek();
        while (half.run(give).again()) {
        }
        all.bottom_half += static_cast<double>(time.peek() - begin) / 1000 / interrupts;
    }
    return all;
}

double error(double predicted, double published) {
    return 100 * (predicted - published) / published;
}

/// The completions per interrupt of each workload, from one machine only: the time in the handler that a bottom half
/// took away, in units of the least of all. They are the free numbers that the machines share.
std::map<std::string, traffic> loads_of(std::vector<row> const& rows, std::string const& machine) {
    double unit = 1e9;
    for (row const& r : rows) {
        if (r.machine == machine) {
            unit = std::min(unit, r.inline_avg - r.later_avg);
        }
    }
    std::map<std::string, traffic> loads;
    for (row const& r : rows) {
        if (r.machine == machine) {
            loads[r.workload] = {
                (r.inline_avg - r.later_avg) / unit, std::max(1.0, (r.inline_max - r.later_max) / unit)};
        }
    }
    return loads;
}

} // namespace

int main(int count, char** words) {
    if (count != 2) {
        std::fprintf(stderr, "usage: usb_giveback <figures.csv>\n");
        return 2;
    }
    auto const rows = read_figures(words[1]);
    if (rows.empty()) {
        std::fprintf(stderr, "usb_giveback: no figures in %s\n", words[1]);
        return 2;
    }
    std::vector<std::string> machines;
    for (row const& r : rows) {
        if (std::find(machines.begin(), machines.end(), r.machine) == machines.end()) {
            machines.push_back(r.machine);
        }
    }

    std::printf(
        "Free numbers: per machine entry, completion and register read; per workload the average and worst number\n"
        "of completions per interrupt, taken from the machines that are not predicted.\n\n");
    double sum = 0;
    double worst = 0;
    unsigned predictions = 0;
    for (std::string const& name : machines) {
        // The workloads' numbers come from another machine, so that nothing of the predicted row is used.
        std::string const& other = name == machines.front() ? machines.back() : machines.front();
        auto const loads = loads_of(rows, other);
        std::printf("%s (completions per interrupt from %s)\n", name.c_str(), other.c_str());
        std::printf(
            "  %-22s %6s %6s %6s | %-24s | %-24s | %-24s | %-24s\n", "left out", "entry", "compl", "read", "inline avg",
            "inline max", "later avg", "later max");
        for (row const& left_out : rows) {
            if (left_out.machine != name) {
                continue;
            }
            std::vector<row const*> known;
            for (row const& r : rows) {
                if (r.machine == name and r.workload != left_out.workload) {
                    known.push_back(&r);
                }
            }
            machine const m = fit(known, loads);
            traffic const t = loads.at(left_out.workload);

            struct pair {
                double predicted;
                double published;
            };

            std::array<pair, 4> const figures{
                {{play(m, t.average, false).handler, left_out.inline_avg},
                 {play(m, t.worst, false).handler, left_out.inline_max},
                 {play(m, t.average, true).handler, left_out.later_avg},
                 {play(m, t.worst, true).handler, left_out.later_max}}};
            std::printf("  %-22s %6.2f %6.2f %6.2f", left_out.workload.c_str(), m.entry, m.completion, m.read);
            for (pair const& f : figures) {
                double const e = error(f.predicted, f.published);
                std::printf(" | %6.0f of %5.0f us %+5.0f %%", f.predicted, f.published, e);
                sum += std::abs(e);
                worst = std::max(worst, std::abs(e));
                ++predictions;
            }
            std::printf(" | then %.0f us in the bottom half\n", play(m, t.average, true).bottom_half);
        }
        std::printf("\n");
    }
    std::printf(
        "%u predictions: off by %.0f %% on average, by %.0f %% at worst.\n\n", predictions, sum / predictions, worst);

    std::printf(
        "A second source on the same line waits for the handler, at most: and throughput, which the model does not\n"
        "touch (the work is moved, not saved: predicted loss 0.0 %%):\n\n");
    std::printf(
        "  %-22s %-14s %10s %10s %8s   %s\n", "workload", "machine", "inline", "later", "ratio",
        "published change of throughput");
    for (row const& r : rows) {
        std::printf(
            "  %-22s %-14s %7.0f us %7.0f us %7.1fx  ", r.workload.c_str(), r.machine.c_str(), r.inline_max,
            r.later_max, r.inline_max / r.later_max);
        for (std::size_t i = 0; i < r.inline_perf.size() and r.inline_perf[i] > 0; ++i) {
            std::printf(" %+.2f %%", error(r.later_perf[i], r.inline_perf[i]));
        }
        std::printf("\n");
    }
    std::printf(
        "\nLimits: one cost per completion and two register reads per completion, whatever the transfer; worst cases "
        "are\n"
        "maxima of one run each; interrupts that hold the handler up, caches and other work on the processor core are\n"
        "not in the model; the time of the bottom half itself is not published and so not judged.\n");
    return 0;
}
