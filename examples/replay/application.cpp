// SPDX-License-Identifier: BSL-1.0
#include "application.hpp"

#include "bad_input.hpp"
#include "command_line.hpp"
#include "input_file.hpp"
#include "policy_run.hpp"
#include "progress_bar.hpp"
#include "recording.hpp"
#include "recording_report.hpp"
#include "report_json.hpp"
#include "report_table.hpp"
#include "timeline.hpp"

#include <cstdint>
#include <ctime>
#include <fstream>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace replay {

namespace {

/// Replays one recording under all policies that were asked for. They run side by side over one reading of the file.
/// Throws `bad_input`.
[[nodiscard]] recording_report
replay_file(std::string const& path, command_line const& asked, timeline* picture, application_output const& to) {
    std::clock_t const begin = std::clock();
    input_file const file{path};
    recording source{[&file](std::span<char> buffer) { return file.read(buffer); }, asked.line_time_ns};
    std::vector<std::unique_ptr<policy_run>> runs;
    for (policy_entry const& p : asked.policies) {
        runs.push_back(p.make({source, asked.costs, asked.policy, picture, path + " " + std::string{p.name}}));
    }
    recording_report report{.file = path};
    {
        progress_bar bar{to.terminal, file.size()};
        constexpr std::uint64_t stretch = 2048;
        for (std::uint64_t horizon = stretch; source.at(horizon - stretch) != nullptr; horizon += stretch) {
            for (auto const& run : runs) {
                run->run_to(horizon);
            }
            source.forget(horizon - stretch);
            bar.show(source.bytes());
        }
    }
    if (source.error()) {
        throw bad_input{*source.error()};
    }
    if (source.cut_line() != 0) {
        to.err << path << ":" << source.cut_line() << ": the last line is cut; it is ignored\n";
    }
    report.format = source.format();
    report.multi_queue = source.multi_queue();
    report.counts = source.counts();
    if (report.multi_queue) {
        report.counts = {};
        return report;
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        report.policies.push_back(runs[i]->finish());
        report.policies.back().policy = asked.policies[i].name;
    }
    report.events = report.counts.sends + report.counts.requests;
    report.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    return report;
}

/// Says what a run of the library's own cores must not do. True when there is something to say.
bool tell_faults(recording_report const& report, std::ostream& err) {
    bool any = false;
    for (policy_results const& p : report.policies) {
        if (p.own and not p.sound()) {
            any = true;
            err << report.file << ": policy " << p.policy << " lost " << p.lost << " and doubled " << p.doubled
                << " requests\n";
        }
        for (std::string const& fault : p.faults) {
            err << report.file << ": policy " << p.policy << ": " << fault << "\n";
        }
    }
    return any;
}

} // namespace

int application(int argc, char const* const* argv, std::span<policy_entry const> known, application_output const& to) {
    auto const parsed = parse_command_line(argc, argv, known, to.out, to.err);
    if (int const* const status = std::get_if<int>(&parsed)) {
        return *status;
    }
    command_line const& asked = std::get<command_line>(parsed);
    std::ofstream json;
    std::ofstream picture_file;
    for (auto const& [path, stream] : {std::pair{&asked.json, &json}, std::pair{&asked.timeline, &picture_file}}) {
        if (not path->empty()) {
            stream->open(*path, std::ios::binary);
            if (not*stream) {
                to.err << *path << ":0: cannot be written\n";
                return 2;
            }
        }
    }
    std::optional<timeline> picture;
    if (picture_file.is_open()) {
        picture.emplace(picture_file);
    }
    std::vector<recording_report> reports;
    bool core_fault = false;
    bool input_fault = false;
    for (std::string const& path : asked.files) {
        try {
            reports.push_back(replay_file(path, asked, picture ? &*picture : nullptr, to));
        } catch (bad_input const& e) {
            to.err << path << ":" << e.line() << ": " << e.what() << "\n";
            input_fault = true;
            continue;
        }
        print_table(to.out, reports.back());
        core_fault = tell_faults(reports.back(), to.err) or core_fault;
    }
    picture.reset();
    if (json.is_open()) {
        write_json(json, reports);
    }
    for (auto const& [path, stream] : {std::pair{&asked.json, &json}, std::pair{&asked.timeline, &picture_file}}) {
        if (stream->is_open()) {
            stream->close();
            if (not*stream) {
                to.err << *path << ":0: cannot be written to its end\n";
                input_fault = true;
            }
        }
    }
    return core_fault ? 1 : input_fault ? 2 : 0;
}

} // namespace replay
